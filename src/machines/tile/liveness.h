// When each variable holds something that is read again.
#pragma once

#include <cstdint>
#include <vector>

#include "machines/tile/executable.h"

namespace tropic::tile {

/// A variable's life: always, never, or from one position of one unit to another. Units are the
/// functions, then the programs; positions count the steps of a unit in the order of the text.
struct Life {
    static constexpr std::int32_t unused = -1;
    std::int32_t unit = unused;
    bool always = false;
    std::int64_t first = 0;
    std::int64_t last = 0;
};

/// Where each step stands, and what it needs to know of what surrounds it.
struct Position {
    std::int32_t unit = -1;
    std::int64_t at = 0;
};

struct Liveness {
    std::vector<Life> variables;
    std::vector<Position> steps;
    std::vector<std::int64_t> unit_sizes;
};

Liveness find_liveness(const Executable& executable);

} // namespace tropic::tile
