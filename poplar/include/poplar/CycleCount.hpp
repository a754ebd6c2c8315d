// Cycles as a program on the device counts them.
#pragma once

#include <string>

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/SyncType.hpp>

namespace poplar {

/// Wraps `prog` so that each run counts its cycles. The result is two UNSIGNED_INT elements on
/// `tile`: the low and the high word.
Tensor cycleCount(Graph& graph, program::Sequence& prog, unsigned tile, SyncType syncType,
                  const DebugContext& debugContext = {});
Tensor cycleCount(Graph& graph, program::Sequence& prog, unsigned tile,
                  const DebugContext& debugContext = {});

/// Adds reading the cycle counter to the end of `prog`.
Tensor cycleStamp(Graph& graph, program::Sequence& prog, unsigned tile, SyncType syncType,
                  const DebugContext& debugContext = {});
Tensor cycleStamp(Graph& graph, program::Sequence& prog, unsigned tile,
                  const DebugContext& debugContext = {});

} // namespace poplar
