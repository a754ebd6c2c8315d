// Sorting short rows of column indices without branches: every index finds its place by counting
// the smaller ones, many comparisons to an instruction.
#pragma once

#include <cstdint>
#include <span>

#include "tropic/types.h"

namespace tropic::building {

/// Rows up to this length are sorted by counting, longer ones by std::sort.
inline constexpr Index short_row = 32;

/// Sorts every row of `crd`; row r ends before ends[r], where the next begins.
void sort_rows(std::int32_t* crd, std::span<const std::uint32_t> ends);
void sort_rows(std::int64_t* crd, std::span<const std::uint32_t> ends);

} // namespace tropic::building
