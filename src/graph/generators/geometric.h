// The default radius of random geometric graphs, for the generator and its tests.
#pragma once

#include "tropic/types.h"

namespace tropic::generators {

/// 0.55 sqrt(ln n / n) from exact operations only; n at least 1.
double default_radius(Index n) noexcept;

} // namespace tropic::generators
