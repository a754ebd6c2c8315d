// Waiting for whoever is at the other end of a pipe, so that an interrupt ends it: a thread that is
// blocked in the system would learn of one only if the signal came to this very thread, after it
// was blocked.
#pragma once

#include "tropic/context.h"

namespace tropic {

/// Until the descriptor can be read from (POLLIN) or written to (POLLOUT), or its other end has
/// gone. Throws Error(cancelled) once that was asked for.
void wait_ready(int descriptor, short event, const Context& context);

/// A short while. Throws Error(cancelled) once that was asked for.
void wait_a_little(const Context& context);

} // namespace tropic
