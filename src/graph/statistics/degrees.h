// Degrees of the dimension a matrix is not compressed along.
#pragma once

#include "tropic/tensor.h"

namespace tropic {

/// Entries of every column of a csr matrix (of every row of a csc matrix).
Array inner_degrees(const Tensor& matrix, const Context& context);

} // namespace tropic
