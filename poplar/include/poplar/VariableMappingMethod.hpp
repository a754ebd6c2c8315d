#pragma once

#include <ostream>

namespace poplar {

/// How a new variable is spread over the tiles: not at all, or in equal consecutive parts.
enum class VariableMappingMethod { NONE, LINEAR };

std::ostream& operator<<(std::ostream& os, VariableMappingMethod method);

} // namespace poplar
