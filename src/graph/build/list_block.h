// Sizes that the ways into and out of lists share.
#pragma once

#include "tropic/types.h"

namespace tropic::building {

/// Entries in a block of a list made from a tensor: large enough to be cheap, small enough that
/// giving back one after the other keeps the peak low.
inline constexpr Index list_block = 1 << 18;

} // namespace tropic::building
