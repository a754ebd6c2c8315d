// Paths: searches from a vertex, between all vertices, orders and trees. Vertices are positions
// 0 .. n - 1 of the graph, not ids of its file: `graph.ids` leads there and back. Results are
// handles on what the algorithm computed, not copies.
#pragma once

#include "tropic/algorithms/call.h"

namespace tropic {

enum class BfsMethod : std::uint8_t {
    levels,       ///< fills BfsResult::level
    parents,      ///< fills BfsResult::parent
    reachability, ///< fills BfsResult::reached
    path_counts,  ///< fills BfsResult::paths and level
};

struct BfsOptions {
    Index source = 0;
    BfsMethod method = BfsMethod::levels;
    /// path_counts: throw Error(range) where there are 2^53 paths or more, instead of
    /// rounding.
    bool exact = true;
    CallOptions call = {};
};

struct BfsResult {
    Array level;   ///< int32: the number of edges from the source, -1 where there is no path
    Array parent;  ///< int32 (int64 in large graphs): the vertex before, -1 where there is none
    Array reached; ///< bool
    Array paths;   ///< float64: the number of shortest paths
    CallReport report;
};

/// Breadth-first search along the stored entries. Throws Error(range) if there is no such source.
BfsResult bfs(const PreparedGraph& graph, const BfsOptions& options, const Context& context = {});

enum class SsspMethod : std::uint8_t {
    delta_stepping, ///< edge values of at least 0
    bellman_ford,   ///< any edge values, but no circle of negative length
};

struct SsspOptions {
    Index source = 0;
    SsspMethod method = SsspMethod::delta_stepping;
    /// delta_stepping: the width of a step; 0: by the edge values. bellman_ford has none.
    double delta = 0;
    /// Fills SsspResult::parent; delta_stepping needs edge values above 0 for that.
    bool parents = false;
    CallOptions call = {};
};

struct SsspResult {
    /// int32 or int64 for integer values, whichever every path fits into; float32 or float64 for
    /// others, and float64, rounded, where whole lengths may not fit int64. The largest value of
    /// the type, or infinity, where there is no path.
    Array distance;
    /// int32 (int64 in large graphs): the vertex before, on a shortest path; the source is its own.
    /// -1 where there is no path.
    Array parent;
    CallReport report;
};

/// Shortest paths by the sum of edge values; edges without values count 1. Throws Error(range) for
/// values that the method does not allow, Error(usage) for a `delta` with bellman_ford.
SsspResult sssp(const PreparedGraph& graph, const SsspOptions& options,
                const Context& context = {});

enum class ApspMethod : std::uint8_t {
    by_source,      ///< edge values of at least 0
    floyd_warshall, ///< any edge values, but no circle of negative length
};

struct ApspOptions {
    ApspMethod method = ApspMethod::by_source;
    CallOptions call = {};
};

struct ApspResult {
    Array distances; ///< n rows of n, typed as SsspResult::distance
    CallReport report;
};

ApspResult apsp(const PreparedGraph& graph, const ApspOptions& options = {},
                const Context& context = {});

struct TopologicalSortOptions {
    CallOptions call = {};
};

struct TopologicalSortResult {
    Array position; ///< int64: the place of every vertex
    Array level;    ///< int32: the number of edges of a longest path to it
    CallReport report;
};

/// Throws Error(range) if the graph has a circle.
TopologicalSortResult topological_sort(const PreparedGraph& graph,
                                       const TopologicalSortOptions& options = {},
                                       const Context& context = {});

enum class SpanningTreeMethod : std::uint8_t { boruvka, prim };

struct SpanningTreeOptions {
    SpanningTreeMethod method = SpanningTreeMethod::boruvka;
    CallOptions call = {};
};

struct SpanningTreeResult {
    Array from;       ///< an edge of the forest for every vertex that is not a root; -1 for roots
    Array to;         ///< its other end
    double total = 0; ///< the sum of the values of the edges
    Index trees = 0;  ///< single vertices included
    CallReport report;
};

/// A minimum spanning forest; directions do not count.
SpanningTreeResult spanning_tree(const PreparedGraph& graph,
                                 const SpanningTreeOptions& options = {},
                                 const Context& context = {});

} // namespace tropic
