// Breadth-first search as repeated products: the frontier is a vector of ones, a product with the
// adjacency matrix reaches its neighbours, and those not met before are the next frontier.
#pragma once

#include <vector>

#include "common/experiment.h"
#include "common/matrix.h"

namespace tile_example {

struct BfsResult {
    Timings timings;
    std::vector<unsigned> distance; ///< by row of the shuffled matrix; UINT_MAX: not reached
    unsigned levels = 0;            ///< products made, the last of which reached nothing new
};

/// `source` is a vertex of the file.
BfsResult run_bfs(const Matrix& matrix, std::size_t source, const Options& options);

/// The distances found with a queue.
std::vector<unsigned> plain_bfs(const Matrix& matrix, std::size_t source);

} // namespace tile_example
