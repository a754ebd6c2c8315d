// Generated edges as plain vectors, and simple checks on them that share no code with the library.
#pragma once

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include "graph/generators/registry.h"

namespace tropic::testing {

using Entry = std::tuple<Index, Index, double>;

/// What generate() would build, as a list: in list order, duplicates not yet merged.
struct Edges {
    Index vertices = 0;
    generators::GeneratedEdges info;
    std::vector<Entry> entries;
};

inline Edges edges_of(std::string_view expression, const Context& context = {},
                      const generators::Layout& layout = {}, std::uint64_t seed = 1) {
    Edges edges;
    edges.info = generators::generate_edges(expression, {.seed = seed}, context, layout);
    edges.vertices = edges.info.list.shape[0];
    for (const CoordinateBlock& block : edges.info.list.blocks) {
        for (Index e = 0; e < block.size(); ++e) {
            edges.entries.emplace_back(block.coordinates[0].index_at(e),
                                       block.coordinates[1].index_at(e), block.values.value_at(e));
        }
    }
    return edges;
}

/// The entries sorted, and merged if that is the rule to build with.
inline std::vector<Entry> built(const Edges& edges) {
    std::vector<Entry> entries = edges.entries;
    std::sort(entries.begin(), entries.end());
    if (edges.info.duplicates == Duplicates::first) {
        entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
    }
    return entries;
}

/// Empty if all is well with an undirected simple graph, else what is wrong.
inline std::string simple_faults(const Edges& edges) {
    if (edges.info.kind != EdgeKind::undirected) return "not undirected";
    std::map<std::pair<Index, Index>, double> seen;
    for (const auto& [u, v, w] : built(edges)) {
        const std::string name = std::to_string(u) + "-" + std::to_string(v);
        if (u < 0 || v < 0 || u >= edges.vertices || v >= edges.vertices) return name + " outside";
        if (u == v) return name + " is a self loop";
        if (!seen.emplace(std::pair(u, v), w).second) return name + " comes twice";
    }
    for (const auto& [edge, w] : seen) {
        const auto back = seen.find({edge.second, edge.first});
        if (back == seen.end()) return "a direction is missing";
        if (back->second != w) return "directions differ in weight";
    }
    return "";
}

inline std::vector<Index> degrees_of(const Edges& edges) {
    std::vector<Index> degrees(edges.vertices);
    for (const auto& [u, v, w] : built(edges)) ++degrees[u];
    return degrees;
}

/// Connected components by union-find.
inline Index components(const Edges& edges) {
    std::vector<Index> parent(edges.vertices);
    std::iota(parent.begin(), parent.end(), Index{0});
    const auto root = [&](Index v) {
        while (parent[v] != v) v = parent[v] = parent[parent[v]];
        return v;
    };
    Index count = edges.vertices;
    for (const auto& [u, v, w] : edges.entries) {
        const Index a = root(u);
        const Index b = root(v);
        if (a == b) continue;
        parent[a] = b;
        --count;
    }
    return count;
}

/// FNV-1a over the built entries.
inline std::uint64_t fingerprint(const Edges& edges) {
    std::uint64_t hash = 0xcbf29ce484222325;
    const auto add = [&](const void* data, std::size_t size) {
        for (std::size_t i = 0; i < size; ++i) {
            hash = (hash ^ static_cast<const unsigned char*>(data)[i]) * 0x100000001b3;
        }
    };
    add(&edges.vertices, sizeof edges.vertices);
    for (const auto& [u, v, w] : built(edges)) {
        add(&u, sizeof u);
        add(&v, sizeof v);
        add(&w, sizeof w);
    }
    return hash;
}

} // namespace tropic::testing
