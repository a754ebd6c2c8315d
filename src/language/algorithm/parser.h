// Text of an algorithm to its syntax tree.
#pragma once

#include "language/algorithm/syntax.h"
#include "language/diagnostics.h"

namespace tropic::language::algorithm {

/// Whether the text is an algorithm: functions with typed parameters and named results, as opposed
/// to the programs of tensors that start with `main`.
bool is_algorithm(const Source& source);

/// What can be made of the text; mistakes are in `diagnostics`.
syntax::Tree parse(const Source& source, Diagnostics& diagnostics);

} // namespace tropic::language::algorithm
