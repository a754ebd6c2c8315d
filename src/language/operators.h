// What the operators of semirings, monoids and element-wise expressions are called, and how they
// treat entries.
#pragma once

#include <optional>
#include <string_view>

#include "language/program.h"

namespace tropic::language {

/// By any of its names in programs: "+", "plus", "min"...
std::optional<Operator> parse_operator(std::string_view name) noexcept;

/// All names, for messages.
inline constexpr std::string_view operator_names = "+ - * min max first second any pair | &";

/// Where an element-wise use of it has a value.
Meeting meeting_of(Operator op) noexcept;

} // namespace tropic::language
