// Partitions by their definitions, for tests to compare with.
#pragma once

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "tropic/partition.h"
#include "unit/small_matrices.h"

namespace tropic::testing {

inline std::vector<Index> list(const Array& array) {
    std::vector<Index> result;
    for (Index i = 0; i < array.size(); ++i) result.push_back(array.index_at(i));
    return result;
}

inline Index largest(const std::vector<Index>& sizes) {
    return *std::max_element(sizes.begin(), sizes.end());
}

/// The definitions of the header, over sets.
struct Expected {
    PartitionQuality quality;
    std::vector<Index> vertices;
    std::vector<Index> entries;
};

inline double balance(const std::vector<Index>& shares) {
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    if (sum == 0) return 1;
    return static_cast<double>(*std::max_element(shares.begin(), shares.end())) *
           static_cast<double>(shares.size()) / sum;
}

inline Expected expect_of_vertices(Index n, const Entries& entries, const std::vector<Index>& part,
                                   Index parts) {
    Expected result;
    result.vertices.resize(parts);
    result.entries.resize(parts);
    for (Index v = 0; v < n; ++v) ++result.vertices[part[v]];
    std::multiset<std::pair<Index, Index>> places;
    std::set<std::pair<Index, Index>> reads;
    std::set<Index> boundary;
    Index above = 0;
    for (const Entry& entry : entries) {
        places.insert({entry.row, entry.col});
        ++result.entries[part[entry.row]];
        if (part[entry.row] == part[entry.col]) continue;
        ++result.quality.cut_entries;
        above += entry.row < entry.col ? 1 : 0;
        reads.insert({part[entry.row], entry.col});
        boundary.insert(entry.row);
        boundary.insert(entry.col);
    }
    const bool symmetric = std::all_of(places.begin(), places.end(), [&](const auto& place) {
        return places.count(place) == places.count({place.second, place.first});
    });
    result.quality.edge_cut = symmetric ? above : result.quality.cut_entries;
    result.quality.communication_volume = static_cast<Index>(reads.size());
    result.quality.boundary_vertices = static_cast<Index>(boundary.size());
    result.quality.vertex_balance = balance(result.vertices);
    result.quality.entry_balance = balance(result.entries);
    return result;
}

inline void expect_same(const PartitionQuality& a, const PartitionQuality& b) {
    EXPECT_EQ(a.edge_cut, b.edge_cut);
    EXPECT_EQ(a.cut_entries, b.cut_entries);
    EXPECT_EQ(a.communication_volume, b.communication_volume);
    EXPECT_EQ(a.boundary_vertices, b.boundary_vertices);
    EXPECT_DOUBLE_EQ(a.vertex_balance, b.vertex_balance);
    EXPECT_DOUBLE_EQ(a.entry_balance, b.entry_balance);
}

} // namespace tropic::testing
