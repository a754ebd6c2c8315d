// Random points in the unit square: point i of a seed.
#pragma once

#include "graph/generators/random.h"
#include "tropic/types.h"

namespace tropic::generators {

struct Point {
    double x;
    double y;
};

inline Point point_at(const Random& random, Index i) noexcept {
    const auto number = 2 * static_cast<std::uint64_t>(i);
    return {unit_real(random.at(number)), unit_real(random.at(number + 1))};
}

} // namespace tropic::generators
