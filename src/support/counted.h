// Counts in messages, right for one: "1 vertex", "2 vertices".
#pragma once

#include <string>
#include <string_view>

#include "tropic/types.h"

namespace tropic {

/// The count with its noun, which is given in the plural.
std::string counted(Index count, std::string_view things);

} // namespace tropic
