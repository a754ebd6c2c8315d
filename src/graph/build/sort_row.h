// Sorting a short row of column indices without branches: every index finds its place by counting
// the smaller ones, sixteen comparisons in a few vector instructions.
#pragma once

#include <algorithm>
#include <limits>

#include "tropic/types.h"

namespace tropic::building {

/// Rows up to this length are worth counting in.
inline constexpr Index short_row = 32;

/// Sorts count <= Lanes elements.
template <int Lanes, class Crd> void sort_by_rank(Crd* row, Index count) {
    Crd elements[Lanes];
    Crd rank[Lanes] = {};
    std::fill_n(elements, Lanes, std::numeric_limits<Crd>::max());
    std::copy_n(row, count, elements);
    for (Index j = 0; j < count; ++j) {
        const Crd one = row[j];
        for (int i = 0; i < Lanes; ++i) rank[i] += one < elements[i] ? 1 : 0;
    }
    Crd sum = 0;
    for (Index i = 0; i < count; ++i) {
        row[rank[i]] = elements[i];
        sum += rank[i];
    }
    // Equal elements have claimed the same place, and their ranks add up to less.
    if (sum == static_cast<Crd>(count * (count - 1) / 2)) return;
    std::sort(elements, elements + count);
    std::copy_n(elements, count, row);
}

template <class Crd> void sort_row(Crd* row, Index count) {
    if (count < 2) return;
    if (count <= 8) sort_by_rank<8>(row, count);
    else if (count <= 16) sort_by_rank<16>(row, count);
    else if (count <= 24) sort_by_rank<24>(row, count);
    else if (count <= short_row) sort_by_rank<short_row>(row, count);
    else std::sort(row, row + count);
}

} // namespace tropic::building
