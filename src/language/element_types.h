// Which element type the result of an operation has.
#pragma once

#include <optional>
#include <string_view>

#include "tropic/types.h"

namespace tropic::language {

/// "double", "float", "int" of programs, or any name of a type that elements can have.
std::optional<ElementType> parse_type_word(std::string_view word) noexcept;

/// The type both can be converted to: the wider one; signed where one is; float64 for a float32 and
/// an integer that float32 cannot hold.
ElementType common_type(ElementType a, ElementType b) noexcept;

/// A signed type that holds what `type` holds, as far as there is one.
ElementType signed_type(ElementType type) noexcept;

/// The type of a scalar of the language that holds such elements: int64 or float64.
ElementType scalar_type(ElementType type) noexcept;

/// Whether the integer is a value of the type (exactly, for floats).
bool holds_integer(ElementType type, std::int64_t value) noexcept;

} // namespace tropic::language
