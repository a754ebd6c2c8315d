// Matrices with far more rows or columns than entries, seen without the empty ones.
#pragma once

#include "tropic/tensor.h"

namespace tropic {

struct Squeezed {
    Tensor matrix;
    Index dropped_rows = 0;
    Index dropped_cols = 0;
};

/// A sorted coo or dcsr matrix that is mostly empty rows or columns comes back without those (a
/// square one without the vertices that have neither), a rectangular csr matrix without empty
/// columns if it is mostly those, every other matrix as it is. The order of
/// what stays is kept, and with it sortedness, symmetry, loops and duplicates.
Squeezed squeeze_if_hypersparse(const Tensor& matrix, const Context& context);

} // namespace tropic
