// Sizes that nothing in the program can tell.
#pragma once

#include "language/diagnostics.h"
#include "language/program.h"

namespace tropic::language {

/// Reports tensors that are filled before the text says how large they are. What depends on how
/// often a loop runs is left to the compiler.
void check_sizes(const Program& program, Diagnostics& diagnostics);

} // namespace tropic::language
