// The least and the greatest value of a graph's edges, which graphs remember.
#pragma once

#include "language/algorithm/algorithm.h"

namespace tropic::language::algorithm {

/// The graph A of min[i, j](A[i, j]), or max; -1 if the fold is something else.
VariableId extreme_graph(const Algorithm& algorithm, const Reduction& fold);

} // namespace tropic::language::algorithm
