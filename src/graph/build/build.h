// Building with the cutting of the work laid open, for tests that want every boundary.
#pragma once

#include "graph/build/entry_source.h"
#include "graph/build/keys.h"
#include "tropic/coordinates.h"

namespace tropic::building {

Tensor build_tuned(CoordinateList list, const Format& format, Duplicates duplicates,
                   const Tuning& tuning, const Context& context, BuildReport* report);

/// A matrix with `rows` in the outer and `cols` in the inner level (csr, or csc seen from its side)
/// whose keys, row above column, come from `source`. `shape` and `format` are only passed on.
Tensor build_csr(EntrySource<std::uint64_t>& source, Index rows, Index cols,
                 std::vector<Index> shape, const Format& format, ElementType value_type,
                 Duplicates duplicates, const Tuning& tuning, const Context& context,
                 BuildReport* report);

} // namespace tropic::building
