// Control registers. The model computes as the host does: what cannot differ is accepted, the rest
// is refused.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

namespace poplar {

struct FloatingPointBehaviour {
    FloatingPointBehaviour(bool inv = true, bool div0 = true, bool oflo = true, bool esr = true,
                           bool nanoo = true)
        : inv(inv), div0(div0), oflo(oflo), esr(esr), nanoo(nanoo) {}
    bool inv;
    bool div0;
    bool oflo;
    bool esr;
    bool nanoo;
};

/// Exceptions are not modelled and rounding is to nearest: adds nothing to the program.
void setFloatingPointBehaviour(Graph& graph, program::Sequence& prog,
                               const FloatingPointBehaviour& behaviour,
                               const DebugContext& debugContext = {});
void setFloatingPointBehaviour(Graph& graph, const Tensor& t, program::Sequence& prog,
                               const FloatingPointBehaviour& behaviour,
                               const DebugContext& debugContext = {});
/// Turning it on is refused with unsupported_error.
void setStochasticRounding(Graph& graph, program::Sequence& prog, bool enable,
                           const DebugContext& debugContext = {});

} // namespace poplar
