// Whether a matrix equals its transpose, found by meeting the mirrors of all entries instead of
// building the transpose.
#pragma once

#include "tropic/tensor.h"

namespace tropic {

struct Symmetry {
    bool pattern = true;
    bool values = true; ///< never without `pattern`
};

/// For a square csr (or csc) matrix with sorted rows. Where coordinates are stored several times,
/// the mirrored ones must be stored as often, with the same values in any order; values are the
/// same if they compare equal or are both NaN.
Symmetry symmetry_of(const Tensor& matrix, const Context& context);

/// Only the pattern, at the first asymmetry the answer is there.
bool pattern_symmetric(const Tensor& matrix, const Context& context);

} // namespace tropic
