// The graphs of the kernel benchmark.
#pragma once

#include <memory>

#include "../peers/contestant.h"

namespace tropic::bench {

/// A graph in Tropic's form and in the neutral one, which points to it.
struct LoadedGraph {
    std::unique_ptr<Graph> graph;
    BenchGraph neutral;
};

/// Integer weights 1..255 where the expression does not say its own (a road's are lengths).
LoadedGraph load_bench_graph(const std::string& expression);

/// The largest weight that such a graph can have.
std::int64_t largest_weight_of(const std::string& expression);

/// Sources that have edges, the same for every contestant; `count` of them for each of `runs`.
std::vector<Task> make_tasks(Kernel kernel, const BenchGraph& graph, int runs);

} // namespace tropic::bench
