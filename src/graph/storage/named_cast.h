// Casting values of which somebody knows what they belong to.
#pragma once

#include <functional>
#include <string>

#include "tropic/array.h"

namespace tropic {

/// As cast(array, type, context); `name` says of the element that does not fit what it is of, such
/// as "the edge from 5 to 7".
Array cast(const Array& array, ElementType type, const Context& context,
           const std::function<std::string(Index)>& name);

} // namespace tropic
