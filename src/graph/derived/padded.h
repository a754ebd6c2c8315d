// Arrays that compiled code may read a little beyond their end.
#pragma once

#include "tropic/array.h"

namespace tropic::derived {

/// Whether the 64 bytes behind the last element can be read.
bool is_padded(const Array& array);

/// The array, or a copy of it that is padded.
Array padded(const Array& array, const Context& context);

} // namespace tropic::derived
