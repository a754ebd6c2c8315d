#pragma once

#include <poplar/Graph.hpp>

namespace popops {

/// Adds the codelets that the operations here use. Once for a graph.
void addCodelets(poplar::Graph& graph);

} // namespace popops
