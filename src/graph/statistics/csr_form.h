// Any matrix seen as csr, with as little copying as its format allows.
#pragma once

#include "tropic/tensor.h"

namespace tropic {

/// The matrix in csr with rows sorted by column, duplicates kept in their order. A sorted csr
/// matrix is returned as it is; coo and dcsr share their columns and values with the result and
/// only positions are made; the rest is converted.
Tensor sorted_csr(const Tensor& matrix, const Context& context);

/// The rows of a csr matrix (or the columns of a csc matrix) sorted by their coordinates, equal
/// ones in their old order.
Tensor sort_rows(const Tensor& matrix, const Context& context);

} // namespace tropic
