// Searches from one vertex, serial and by the book.
#pragma once

#include "verify/adjacency.h"

namespace tropic::verify {

/// Numbers of edges from the source, -1 where there is no path; a queue.
std::vector<Index> queue_levels(const Adjacency& rows, Index source, const Context& context);

/// Least sums of values, infinity where there is no path; Dijkstra with a binary heap. Values must
/// not be negative.
std::vector<double> heap_distances(const Adjacency& rows, Index source, const Context& context);

} // namespace tropic::verify
