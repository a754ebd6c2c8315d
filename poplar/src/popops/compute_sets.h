// Operations as parts of compute sets, which is what the others are made of.
#pragma once

#include <vector>

#include <poplar/Graph.hpp>
#include <popops/Expr.hpp>

namespace popops {

/// Adds the vertices that compute an expression into `out`; a tensor of the expression that is
/// `out` is changed in place.
void add_map(poplar::Graph& graph, const expr::Expr& expr, const std::vector<poplar::Tensor>& ts,
             const poplar::Tensor& out, poplar::ComputeSet cs);

} // namespace popops
