// Types of numbers by their words: what the name of a type may stand for.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "language/algorithm/algorithm.h"

namespace tropic::language::algorithm {

/// So many lanes of what the word says; nothing if there are no such numbers.
std::optional<Type> type_of_numbers(const std::string& element, int lanes);

/// "float", "float[4]".
std::optional<Type> parse_type_of_numbers(const std::string& text);

/// That a name is to stand for something else: "'weight' stands for a type of numbers, not for
/// 'vector'".
std::string no_type_of_numbers(std::string_view name, std::string_view given);
/// What it may stand for.
std::string accepted_types_of_numbers();

} // namespace tropic::language::algorithm
