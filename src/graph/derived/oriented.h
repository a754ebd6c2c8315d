// A simple graph with its vertices renumbered by descending degree and every edge kept once, from
// the end of lower degree to the other: no row is longer than the square root of twice the entries,
// which bounds what counting triangles costs.
#pragma once

#include "tropic/tensor.h"

namespace tropic::derived {

struct Oriented {
    Tensor csr;   ///< pattern, strictly lower, rows sorted
    Array old_of; ///< int32 or int64
};

/// `csr` is symmetric, sorted, without loops and duplicates.
Oriented orient(const Tensor& csr, const Context& context);

} // namespace tropic::derived
