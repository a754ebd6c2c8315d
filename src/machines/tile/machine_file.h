// Machines described in a file: a line `base = gc200` to begin with, then `parameter = value` for
// what differs; `#` begins a comment.
#pragma once

#include <string>

#include "machines/tile/machine.h"

namespace tropic::tile {

/// As many as the largest pods have.
inline constexpr std::uint32_t most_chips = 256;

/// Throws Error with the line that is wrong.
Machine read_machine_file(const std::string& path);

/// Throws Error unless the machine can be built: tiles, memory, clock, widths.
void check_machine(const Machine& machine);

} // namespace tropic::tile
