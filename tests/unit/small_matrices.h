// Small matrices for tests, made straight from lists of entries without any library code but
// Tensor, and a random source of such lists.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "tropic/graph.h"

namespace tropic::testing {

struct Entry {
    Index row;
    Index col;
    double value = 1;
};
using Entries = std::vector<Entry>;

inline Array index_array(const std::vector<Index>& values, ElementType type) {
    Array array = Array::allocate(type, static_cast<Index>(values.size()), {}, "test");
    visit_index(type, [&](auto tag) {
        using T = typename decltype(tag)::type;
        std::transform(values.begin(), values.end(), array.mutable_as<T>().begin(),
                       [](Index value) { return static_cast<T>(value); });
    });
    return array;
}

inline Array value_array(const Entries& entries, ElementType type) {
    Array array = Array::allocate(type, static_cast<Index>(entries.size()), {}, "test");
    if (type == ElementType::pattern) return array;
    visit_type(type, [&](auto tag) {
        using T = typename decltype(tag)::type;
        std::transform(entries.begin(), entries.end(), array.mutable_as<T>().begin(),
                       [](const Entry& entry) { return static_cast<T>(entry.value); });
    });
    return array;
}

inline bool same_place(const Entry& a, const Entry& b) {
    return a.row == b.row && a.col == b.col;
}

/// Row by row; sorted by column as well if asked, equal ones in list order.
inline Entries in_rows(const Entries& entries, bool sorted = true) {
    std::vector<std::size_t> order(entries.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const Entry& left = entries[a];
        const Entry& right = entries[b];
        if (left.row != right.row) return left.row < right.row;
        if (sorted && left.col != right.col) return left.col < right.col;
        return a < b;
    });
    Entries result;
    for (const std::size_t e : order) result.push_back(entries[e]);
    return result;
}

struct Layout {
    ElementType type = ElementType::pattern;
    ElementType index = ElementType::int32;
    ElementType position = ElementType::int32;
    bool sorted = true;
};

inline Tensor csr(Index rows, Index cols, const Entries& list, const Layout& layout = {}) {
    const Entries entries = in_rows(list, layout.sorted);
    const Entries ordered = in_rows(list);
    const bool unique =
        std::adjacent_find(ordered.begin(), ordered.end(), same_place) == ordered.end();
    std::vector<Index> pos(static_cast<std::size_t>(rows) + 1);
    std::vector<Index> crd;
    for (const Entry& entry : entries) {
        ++pos[entry.row + 1];
        crd.push_back(entry.col);
    }
    std::partial_sum(pos.begin(), pos.end(), pos.begin());
    std::vector<Level> levels(2);
    levels[1] = {LevelKind::compressed, index_array(pos, layout.position),
                 index_array(crd, layout.index)};
    return {{rows, cols}, Format::csr(), std::move(levels), value_array(entries, layout.type),
            unique,       layout.sorted};
}

inline Tensor coo(Index rows, Index cols, const Entries& list, const Layout& layout = {}) {
    const Entries entries = in_rows(list);
    std::vector<Index> row_of;
    std::vector<Index> col_of;
    for (const Entry& entry : entries) {
        row_of.push_back(entry.row);
        col_of.push_back(entry.col);
    }
    std::vector<Level> levels(2);
    levels[0] = {LevelKind::compressed,
                 index_array({0, static_cast<Index>(entries.size())}, layout.position),
                 index_array(row_of, layout.index)};
    levels[1] = {LevelKind::singleton, {}, index_array(col_of, layout.index)};
    const bool unique =
        std::adjacent_find(entries.begin(), entries.end(), same_place) == entries.end();
    return {{rows, cols}, Format::coo(), std::move(levels), value_array(entries, layout.type),
            unique,       true};
}

inline Tensor dcsr(Index rows, Index cols, const Entries& list, const Layout& layout = {}) {
    const Entries entries = in_rows(list);
    std::vector<Index> stored;
    std::vector<Index> pos = {0};
    std::vector<Index> crd;
    for (const Entry& entry : entries) {
        if (stored.empty() || stored.back() != entry.row) {
            stored.push_back(entry.row);
            pos.push_back(pos.back());
        }
        ++pos.back();
        crd.push_back(entry.col);
    }
    std::vector<Level> levels(2);
    levels[0] = {LevelKind::compressed,
                 index_array({0, static_cast<Index>(stored.size())}, layout.position),
                 index_array(stored, layout.index)};
    levels[1] = {LevelKind::compressed, index_array(pos, layout.position),
                 index_array(crd, layout.index)};
    const bool unique =
        std::adjacent_find(entries.begin(), entries.end(), same_place) == entries.end();
    return {
        {rows, cols}, Format::dcsr(), std::move(levels), value_array(entries, layout.type), unique,
        true};
}

inline Entries mirrored(Entries entries) {
    for (Entry& entry : entries) std::swap(entry.row, entry.col);
    return entries;
}

inline Tensor csc(Index rows, Index cols, const Entries& list, const Layout& layout = {}) {
    const Tensor transposed = csr(cols, rows, mirrored(list), layout);
    return {{rows, cols},        Format::csc(),       transposed.levels(),
            transposed.values(), transposed.unique(), transposed.sorted()};
}

inline Graph graph_of(Tensor tensor, EdgeKind kind = EdgeKind::directed) {
    Graph graph;
    graph.name = "test";
    graph.tensor = std::move(tensor);
    graph.kind = kind;
    graph.ids.resize(2);
    return graph;
}

/// The two directed entries of every edge of a grid of vertices.
inline Entries grid_edges(Index width, Index height) {
    Entries entries;
    for (Index y = 0; y < height; ++y) {
        for (Index x = 0; x < width; ++x) {
            const Index v = y * width + x;
            if (x + 1 < width) entries.insert(entries.end(), {{v, v + 1}, {v + 1, v}});
            if (y + 1 < height) entries.insert(entries.end(), {{v, v + width}, {v + width, v}});
        }
    }
    return entries;
}

/// Entries with a few duplicates, loops and mirrored pairs among them; small integer values.
inline Entries random_entries(Index rows, Index cols, Index count, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto below = [&](Index limit) {
        return static_cast<Index>(random() % static_cast<std::uint64_t>(limit));
    };
    Entries entries;
    while (static_cast<Index>(entries.size()) < count) {
        const Entry entry = {below(rows), below(cols), static_cast<double>(below(9) - 2)};
        entries.push_back(entry);
        if (rows == cols && below(3) == 0) entries.push_back({entry.col, entry.row, entry.value});
        if (below(8) == 0) entries.push_back({entry.row, entry.col, 3});
    }
    return entries;
}

} // namespace tropic::testing
