#pragma once

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <popops/ElementWise.hpp>

namespace popops {

/// A += scale * B.
inline void scaledAddTo(poplar::Graph& graph, poplar::Tensor A, poplar::Tensor B, float scaleB,
                        poplar::program::Sequence& prog,
                        const poplar::DebugContext& debugContext = {},
                        const poplar::OptionFlags& options = {}) {
    mapInPlace(graph, expr::_1 + expr::_2 * expr::Const(scaleB), {A, B}, prog, debugContext,
               options);
}
inline void scaledAddTo(poplar::Graph& graph, poplar::Tensor A, poplar::Tensor B,
                        poplar::Tensor scaleB, poplar::program::Sequence& prog,
                        const poplar::DebugContext& debugContext = {},
                        const poplar::OptionFlags& options = {}) {
    mapInPlace(graph, expr::_1 + expr::_2 * expr::_3, {A, B, scaleB}, prog, debugContext, options);
}

} // namespace popops
