// Vertex programs as what they stand for: a loop that folds messages along edges and applies them.
#pragma once

#include "language/algorithm/syntax.h"
#include "language/diagnostics.h"

namespace tropic::language::algorithm {

/// The function that does what the vertex program says; names that end in a dot are its own.
syntax::Function rewritten(const syntax::Function& program, Diagnostics& diagnostics);

} // namespace tropic::language::algorithm
