// The least and the largest value of a matrix, and how large they are together: what decides the
// type in which sums of them fit.
#pragma once

#include "tropic/tensor.h"

namespace tropic {

struct ValueRange {
    double least = 1;
    double largest = 1;
    double total = 0; ///< of their sizes, without signs
};

/// NaN of all three where a value is none. Of a pattern, ones; of no entries, zeros.
ValueRange value_range_of(const Tensor& matrix, const Context& context);

} // namespace tropic
