// Matrices with far more rows or columns than entries, worked on without the empty ones.
#pragma once

#include "tropic/tensor.h"

namespace tropic::building {

struct Squeezed {
    Tensor matrix;
    Array row_ids = {}; ///< int64, ascending: the rows that stayed; empty if none was dropped
    Array col_ids = {};
    Index dropped_rows = 0; ///< negative where a few rows got the numbers of more columns
    Index dropped_cols = 0;
};

/// Whether row i and column i are the same thing. Then they stay so, and go only where both are
/// empty.
enum class Numbering : std::uint8_t { alike, apart };

/// A matrix that lists its rows (coo, dcsr, dcsc) and is mostly empty rows or columns comes back
/// without those, a csr or csc matrix numbered apart without empty columns (rows) if it is mostly
/// those, every other matrix as it is. The order of what stays is kept, and with it sortedness,
/// symmetry, loops and duplicates.
Squeezed squeeze_if_hypersparse(const Tensor& matrix, Numbering numbering, const Context& context);

/// A matrix in the shape of `squeezed.matrix`, any format that lists what was squeezed, in the
/// original shape again.
Tensor unsqueezed(const Tensor& matrix, const Squeezed& squeezed, const Context& context);

} // namespace tropic::building
