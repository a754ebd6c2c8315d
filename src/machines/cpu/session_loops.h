// Loops of the runtime's own on the threads of a session: those that its kernels run on, which are
// awake.
#pragma once

#include <algorithm>

#include "machines/cpu/session.h"

namespace tropic::cpu {

/// Calls body(begin, end) on pieces of [0, count) of `grain` elements, in parallel.
template <class Body>
void session_ranges(Session& session, Index count, Index grain, const Body& body) {
    session.loops.each((count + grain - 1) / grain, [&](std::int64_t piece) {
        body(piece * grain, std::min(count, (piece + 1) * grain));
    });
}

} // namespace tropic::cpu
