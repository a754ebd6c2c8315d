// Graphs that algorithms give as results, in the ids of the graphs that they were made of.
#pragma once

#include <map>
#include <string>

#include "tropic/algorithm.h"

namespace tropic::cli {

/// `first` is the graph whose vertices those of the algorithm are, or null; `graphs` are all by
/// name.
Graph made_graph(const AlgorithmVariable& variable, const Tensor& tensor, const Graph* first,
                 const std::map<std::string, Graph>& graphs);

/// "1 2: 5, 1 3: 2, ... 9 in all": the first edges, in a line.
std::string edges_preview(const Graph& graph);

} // namespace tropic::cli
