// The last word on a checked algorithm: what code generators want to know about loops and graphs.
#pragma once

#include "language/algorithm/algorithm.h"

namespace tropic::language::algorithm {

/// Marks elements of the member whose turn it is, drops locals that nobody reads, and fills in what
/// loops gather and grow, whose edges they follow, and how graphs are used.
void annotate(Algorithm& algorithm);

} // namespace tropic::language::algorithm
