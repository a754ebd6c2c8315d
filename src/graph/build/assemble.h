// Any stack of levels from sorted coordinates.
#pragma once

#include <vector>

#include "tropic/context.h"
#include "tropic/tensor.h"

namespace tropic::building {

/// Entries in ascending level order: coordinates[level][entry].
struct SortedEntries {
    std::vector<Index> shape;
    std::vector<Array> coordinates;
    Array values;
    bool unique = true;
};

/// Throws Error(unsupported) unless every level can stand where it stands: a singleton needs a
/// sparse level above it; Error(usage) if order is not a permutation of the dimensions.
void require_buildable(const Format& format, int rank);

/// Builds the levels; arrays that a level can use as they are are not copied. Missing elements of a
/// dense innermost level are zero. Throws Error(inconsistent) if equal coordinates meet there.
Tensor assemble(SortedEntries entries, const Format& format, const Context& context);

/// Throws Error(out_of_memory) if the positions or values that the dense levels of the format call
/// for do not fit the context's limit, naming the sparse format to take instead.
void require_room(const std::vector<Index>& shape, const Format& format, Index entries,
                  ElementType values, const Context& context);

} // namespace tropic::building
