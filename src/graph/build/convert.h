// Steps of conversion that transposing and the transforms use as well.
#pragma once

#include "tropic/context.h"
#include "tropic/tensor.h"

namespace tropic::building {

/// csr, csc.
bool is_csr_like(const Format& format);

/// The transpose with the same arrays: what is csr becomes csc and the other way round.
Tensor relabelled_transpose(const Tensor& matrix);

/// The same csr (csc) matrix as csc (csr), sorted.
Tensor with_sides_exchanged(const Tensor& matrix, const Context& context);

} // namespace tropic::building
