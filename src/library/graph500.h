// The Graph500 benchmark (specification 2.0): kernel 1 builds a graph from a list of edges, kernel
// 2 searches it breadth-first and kernel 3 by shortest paths, each from 64 random vertices; every
// tree is validated against the list.
#pragma once

#include <functional>
#include <vector>

#include "tropic/context.h"
#include "tropic/graph.h"

namespace tropic::library {

struct Graph500Options {
    int scale = 16;
    int edge_factor = 16;
    int keys = 64;
    std::uint64_t seed = 1;
    bool paths = true; ///< kernel 3
    double delta = 0;  ///< of kernel 3; 0: by the edge values
    /// Told after each search: which kernel (2 or 3), how many searches of it are done.
    std::function<void(int kernel, int done)> progress = {};
};

/// One search.
struct Graph500Search {
    Index key = 0;
    double seconds = 0;
    double validate_seconds = 0;
    Index edges = 0; ///< of the list that join vertices of the tree, loops and duplicates included
};

struct Graph500Result {
    double generation_seconds = 0;
    /// With what the first search of each kernel brings into the form it wants, which stays so.
    double construction_seconds = 0;
    Index vertices = 0;
    Index edges = 0;   ///< of the list
    Index entries = 0; ///< of the graph
    std::vector<Graph500Search> bfs;
    std::vector<Graph500Search> sssp;
};

/// Values from 0 up to 1 in single precision, none of them rounded up to 1, as the specification
/// wants them.
Array in_single_precision(const Array& values, const Context& context);

/// Throws Error(internal) naming the rule of the specification that a tree breaks, Error(range) if
/// no vertex has an edge to another one.
Graph500Result run_graph500(const Graph500Options& options, const Context& context = {});

/// The list of edges, for validation: ends, and values where there are any.
struct EdgeTuples {
    Array from;
    Array to;
    Array values;
};

/// What is wrong with a tree by the rules of the specification, or nothing. `distance` empty:
/// levels count. `edges` becomes the number of tuples inside the tree.
std::string validate_tree(const EdgeTuples& tuples, Index vertices, Index root, const Array& parent,
                          const Array& distance, Index& edges, const Context& context);

} // namespace tropic::library
