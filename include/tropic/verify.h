// Independent checks of what algorithms computed: each by another method than the algorithm's, one
// after the other and without haste. A wrong result is no Error: the verdict says what is wrong,
// with vertices named by the ids of the graph's file. Results are arrays of any numeric type with
// an element for every vertex (or what the function says). Entries come row by row, columns
// ascending, as algorithms give them, however the graph is stored. A vertex that is not there, or a
// graph that is not square where one is wanted, is an Error.
#pragma once

#include <span>
#include <string>

#include "tropic/graph.h"

namespace tropic {

struct Verdict {
    std::string method;    ///< how it was checked: "a serial queue"...
    std::string complaint; ///< the first thing that is wrong; empty if nothing is

    bool correct() const noexcept { return complaint.empty(); }
};

namespace verify {

/// Numbers of edges from `source`; below 0 where there is no path.
Verdict bfs_levels(const Graph& graph, Index source, const Array& level,
                   const Context& context = {});
/// Parents on shortest paths; the source is its own, below 0 where there is no path.
Verdict bfs_parents(const Graph& graph, Index source, const Array& parent,
                    const Context& context = {});
Verdict reachability(const Graph& graph, Index source, const Array& reached,
                     const Context& context = {});
/// Numbers of shortest paths, 0 where there is none.
Verdict path_counts(const Graph& graph, Index source, const Array& paths,
                    const Context& context = {});

/// Least sums of edge values; the largest value of the type, or infinity, where there is no path.
Verdict shortest_paths(const Graph& graph, Index source, const Array& distance,
                       const Context& context = {});
/// Row by row, for every source.
Verdict all_shortest_paths(const Graph& graph, const Array& distances, const Context& context = {});

/// The same label for vertices joined by a path in any direction: the least of them.
Verdict components(const Graph& graph, const Array& component, const Context& context = {});
/// The same label for vertices that reach each other: the least of them.
Verdict strong_components(const Graph& graph, const Array& component, const Context& context = {});

/// Ranks that one more round changes by at most `slack` in all. `source` below 0: jumps go
/// anywhere; else they go back to it.
Verdict pagerank(const Graph& graph, const Array& rank, double damping, Index source, double slack,
                 const Context& context = {});
Verdict hits(const Graph& graph, const Array& hub, const Array& authority, double slack,
             const Context& context = {});
/// `alpha` 0: 0.85 over the largest in-degree.
Verdict katz(const Graph& graph, const Array& centrality, double alpha, double slack,
             const Context& context = {});
/// Summed over `sources` and multiplied by `scale`.
Verdict betweenness(const Graph& graph, std::span<const Index> sources, double scale,
                    const Array& centrality, const Context& context = {});
Verdict closeness(const Graph& graph, const Array& centrality, const Context& context = {});

Verdict triangles(const Graph& graph, std::int64_t count, const Context& context = {});
Verdict clustering(const Graph& graph, const Array& coefficient, const Context& context = {});
Verdict core_numbers(const Graph& graph, const Array& core, const Context& context = {});
/// For every entry of a simple undirected graph: its triangles in the k-truss, below 0 outside it.
Verdict truss(const Graph& graph, int k, const Array& support, const Context& context = {});
/// For every entry of a simple undirected graph.
Verdict jaccard(const Graph& graph, const Array& similarity, const Context& context = {});

/// `both`: neighbours count along edges in both directions.
Verdict label_propagation(const Graph& graph, int rounds, bool both, const Array& label,
                          const Context& context = {});
/// Groups named by their least vertex, each within one component, of this modularity, which is not
/// less than that of vertices on their own. The graph must be undirected; loops count twice.
Verdict communities(const Graph& graph, const Array& community, double modularity,
                    const Context& context = {});
Verdict independent_set(const Graph& graph, const Array& member, const Context& context = {});
/// Colours from 0, at most the largest degree.
Verdict colouring(const Graph& graph, const Array& colour, const Context& context = {});
/// The other end of a vertex's edge, below 0 where it has none.
Verdict matching(const Graph& graph, const Array& partner, const Context& context = {});
/// The edges from[v], to[v], wherever from[v] is not below 0, are a spanning forest of least value,
/// and `total` is that value. Direction does not count.
Verdict spanning_forest(const Graph& graph, const Array& from, const Array& to, double total,
                        const Context& context = {});
/// The place of every vertex in an order in which edges lead forwards.
Verdict topological_order(const Graph& graph, const Array& position, const Context& context = {});

/// y = A x; `x` empty: ones.
Verdict product(const Graph& graph, const Array& x, const Array& y, const Context& context = {});
/// C = A B, of csr matrices.
Verdict product(const Tensor& a, const Tensor& b, const Tensor& c, const Context& context = {});
/// `lanes` numbers for every row and column: their products are off the entries by `error` (root
/// of the mean square), and every number is finite.
Verdict factors(const Graph& ratings, const Array& user, const Array& item, int lanes, double error,
                const Context& context = {});
/// Counts that add up to the entries, by topic and in all, and none negative.
Verdict topics(const Graph& counts, const Array& document, const Array& word, const Array& topic,
               int lanes, const Context& context = {});
/// `node` (three numbers each) and `edge` after `rounds` from nodes `start` and the graph's values.
Verdict mesh_update(const Graph& graph, const Array& start, int rounds, const Array& node,
                    const Array& edge, const Context& context = {});

} // namespace verify

} // namespace tropic
