// Whether two graphs from two files mean the same by their rows and columns.
#pragma once

#include "tropic/graph.h"

namespace tropic::cli {

/// The first place at which dimension `d` of one graph and dimension `e` of the other, which have
/// the same size, have different ids; -1 if there is none. Counting from 0 and from 1, as formats
/// do, makes no difference; the names that edge lists give do.
Index first_other_id(const Graph& a, int d, const Graph& b, int e);

} // namespace tropic::cli
