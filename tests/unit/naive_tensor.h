// A tensor as anybody would write it down: a list of coordinates with values. The oracle of the
// tests of building and reshaping; slow and simple on purpose.
#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include "tropic/coordinates.h"

namespace tropic::naive {

struct Entry {
    std::vector<Index> at;
    double value = 1;
    bool operator==(const Entry&) const = default;
};

using Entries = std::vector<Entry>;

/// Sorted by coordinates in the given order of dimensions; entries at equal ones stay in order.
inline Entries sorted(const Entries& entries, const std::vector<int>& order) {
    std::vector<std::size_t> by(entries.size());
    for (std::size_t e = 0; e < by.size(); ++e) by[e] = e;
    std::sort(by.begin(), by.end(), [&](std::size_t a, std::size_t b) {
        for (const int d : order) {
            if (entries[a].at[d] != entries[b].at[d]) return entries[a].at[d] < entries[b].at[d];
        }
        return a < b;
    });
    Entries result;
    for (const std::size_t e : by) result.push_back(entries[e]);
    return result;
}

/// Sorted entries with equal coordinates combined.
inline Entries merged(const Entries& entries, Duplicates rule) {
    Entries result;
    for (const Entry& entry : entries) {
        if (rule == Duplicates::keep || result.empty() || result.back().at != entry.at) {
            result.push_back(entry);
            continue;
        }
        double& value = result.back().value;
        if (rule == Duplicates::sum) value += entry.value;
        if (rule == Duplicates::min) value = std::min(value, entry.value);
        if (rule == Duplicates::max) value = std::max(value, entry.value);
        if (rule == Duplicates::last) value = entry.value;
    }
    return result;
}

/// Walks the levels from the definition of the format: what is stored, in storage order.
inline void walk(const Tensor& tensor, int level, Index position, std::vector<Index>& at,
                 Entries& out) {
    if (level == tensor.rank()) {
        out.push_back({at, tensor.values().value_at(position)});
        return;
    }
    const Level& l = tensor.level(level);
    const int d = tensor.format().order[level];
    if (l.kind == LevelKind::dense) {
        for (Index c = 0; c < tensor.dim(d); ++c) {
            at[d] = c;
            walk(tensor, level + 1, position * tensor.dim(d) + c, at, out);
        }
        return;
    }
    const bool single = l.kind == LevelKind::singleton;
    const Index begin = single ? position : l.pos.index_at(position);
    const Index end = single ? position + 1 : l.pos.index_at(position + 1);
    for (Index child = begin; child < end; ++child) {
        at[d] = l.crd.index_at(child);
        walk(tensor, level + 1, child, at, out);
    }
}

inline Entries entries_of(const Tensor& tensor) {
    Entries out;
    std::vector<Index> at(static_cast<std::size_t>(tensor.rank()));
    walk(tensor, 0, 0, at, out);
    return out;
}

/// Small whole values, so that they fit and sums are exact in every type.
inline Entries random_entries(const std::vector<Index>& shape, Index count, bool pattern,
                              std::mt19937_64& random) {
    Entries entries(static_cast<std::size_t>(count));
    for (Entry& entry : entries) {
        for (const Index extent : shape) {
            entry.at.push_back(static_cast<Index>(random() % static_cast<std::uint64_t>(extent)));
        }
        entry.value = pattern ? 1 : static_cast<double>(1 + random() % 5);
    }
    return entries;
}

/// The list of the entries in blocks of `block` of them.
inline CoordinateList list_of(const std::vector<Index>& shape, const Entries& entries,
                              ElementType index_type, ElementType value_type, Index block) {
    CoordinateList list;
    list.shape = shape;
    list.index_type = index_type;
    list.value_type = value_type;
    const auto count = static_cast<Index>(entries.size());
    for (Index begin = 0; begin < count; begin += block) {
        const Index size = std::min(block, count - begin);
        CoordinateBlock made;
        for (std::size_t d = 0; d < shape.size(); ++d) {
            std::vector<std::int64_t> wide;
            for (Index e = 0; e < size; ++e) wide.push_back(entries[begin + e].at[d]);
            made.coordinates.push_back(
                cast(Array::copy_of<std::int64_t>(wide, {}, "test"), index_type, {}));
        }
        std::vector<double> values;
        for (Index e = 0; e < size; ++e) values.push_back(entries[begin + e].value);
        made.values = cast(Array::copy_of<double>(values, {}, "test"), value_type, {});
        list.blocks.push_back(std::move(made));
    }
    return list;
}

} // namespace tropic::naive
