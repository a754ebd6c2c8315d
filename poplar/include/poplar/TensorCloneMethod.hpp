#pragma once

#include <string>

namespace poplar {

/// How a clone's elements are ordered in memory, and whether aliases stay aliases.
enum class TensorCloneMethod {
    PRESERVE_ORDER_AND_ALIASES,
    PRESERVE_ORDER_UNLESS_ALIASES,
    CREATE_NEW_ORDER,
    GATHER_AND_PRESERVE_TILE_ORDER_AND_ALIASES,
};

std::string toString(TensorCloneMethod method);

} // namespace poplar
