// The vertices that reductions are made of.
#pragma once

#include <string>

#include <poplar/Graph.hpp>
#include <popops/OperationDef.hpp>

namespace popops {

/// Columns of a matrix, row after row in `in` (`rows` of them), to one element each of `out`, by
/// all workers.
std::string column_vertex(poplar::Graph& graph, Operation op, const poplar::Type& from,
                          const poplar::Type& to);

/// A vector `in` to one element `out`, by one worker.
std::string vector_vertex(poplar::Graph& graph, Operation op, const poplar::Type& from,
                          const poplar::Type& to);

} // namespace popops
