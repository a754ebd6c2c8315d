// Sparse matrix times vector on a grid of tiles: every block multiplies its piece of the vector,
// then the partial results of each row of blocks are added up.
#pragma once

#include <vector>

#include "common/experiment.h"
#include "common/matrix.h"

namespace tile_example {

struct SpmvOptions {
    unsigned rounds = 1;      ///< y = A x, again and again, each result the next vector
    bool own_reducer = false; ///< the codelet beside this program, not the library's reduction
};

struct SpmvResult {
    Timings timings;
    std::vector<float> vector; ///< in the order of the shuffled matrix
};

/// Starts from a vector of ones.
SpmvResult run_spmv(const Matrix& matrix, const SpmvOptions& spmv, const Options& options);

/// The largest difference from the same in double precision, relative to the element (or to one,
/// if that is larger).
double spmv_error(const Matrix& matrix, unsigned rounds, const std::vector<float>& vector);

} // namespace tile_example
