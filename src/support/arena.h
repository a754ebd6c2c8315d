// The oneTBB side of a context, for the files that run its threads.
#pragma once

#include <tbb/task_arena.h>

#include "tropic/context.h"

namespace tropic {

/// The arena of the context's threads.
tbb::task_arena& arena_of(const Context& context);

} // namespace tropic
