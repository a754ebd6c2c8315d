// Memory by tile. What a program may find again later is always live; what it always writes before
// it reads, and what arrives by exchange, shares memory with what is live at other times.
#pragma once

#include "machines/tile/executable.h"

namespace tropic::tile {

/// Fills `memory` and `memory_items` of the executable's profile.
void plan_memory(Executable& executable);

/// Throws TileError naming the fullest tiles, and the largest things on them, if a tile has less
/// memory than it needs.
void check_memory(const Executable& executable);

} // namespace tropic::tile
