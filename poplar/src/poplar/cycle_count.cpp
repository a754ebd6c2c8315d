// Cycles counted on the device, and control registers.
#include <poplar/CSRFunctions.hpp>
#include <poplar/CycleCount.hpp>

#include "core.h"
#include "machines/tile/program.h"

namespace poplar {

namespace {

namespace tile = tropic::tile;

Tensor counter(Graph& graph, unsigned tile, const DebugContext& debugContext,
               const char* default_name) {
    const std::string name = debugContext.getPathName();
    const Tensor t = graph.addVariable(UNSIGNED_INT, {2}, name.empty() ? default_name : name);
    graph.setTileMapping(t, tile);
    return t;
}

} // namespace

Tensor cycleCount(Graph& graph, program::Sequence& prog, unsigned tile, SyncType,
                  const DebugContext& debugContext) {
    const Tensor t = counter(graph, tile, debugContext, "cycleCount");
    auto node = std::make_shared<tile::Program>();
    node->kind = tile::ProgramKind::count_cycles;
    node->name = debugContext.getPathName();
    node->tensors = {t.view()};
    node->children = {prog.node()};
    prog = program::Sequence({program::Program(std::move(node))});
    return t;
}

Tensor cycleCount(Graph& graph, program::Sequence& prog, unsigned tile,
                  const DebugContext& debugContext) {
    return cycleCount(graph, prog, tile, SyncType::INTERNAL, debugContext);
}

Tensor cycleStamp(Graph& graph, program::Sequence& prog, unsigned tile, SyncType,
                  const DebugContext& debugContext) {
    const Tensor t = counter(graph, tile, debugContext, "cycleStamp");
    auto node = std::make_shared<tile::Program>();
    node->kind = tile::ProgramKind::cycle_stamp;
    node->name = debugContext.getPathName();
    node->tensors = {t.view()};
    prog.add(program::Program(std::move(node)));
    return t;
}

Tensor cycleStamp(Graph& graph, program::Sequence& prog, unsigned tile,
                  const DebugContext& debugContext) {
    return cycleStamp(graph, prog, tile, SyncType::INTERNAL, debugContext);
}

void setFloatingPointBehaviour(Graph&, program::Sequence&, const FloatingPointBehaviour&,
                               const DebugContext&) {}
void setFloatingPointBehaviour(Graph&, const Tensor&, program::Sequence&,
                               const FloatingPointBehaviour&, const DebugContext&) {}

void setStochasticRounding(Graph&, program::Sequence&, bool enable, const DebugContext&) {
    if (enable) throw unsupported_error("rounding is to nearest: stochastic rounding is not there");
}

} // namespace poplar
