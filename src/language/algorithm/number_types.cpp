#include "language/algorithm/number_types.h"

#include <charconv>

#include <fmt/format.h>

#include "language/algorithm/syntax.h"
#include "language/algorithm/types.h"
#include "language/element_types.h"

namespace tropic::language::algorithm {

std::optional<Type> type_of_numbers(const std::string& element, int lanes) {
    const auto number = parse_type_word(element);
    if (!number || lanes < 1 || lanes > syntax::most_lanes) return std::nullopt;
    Type type = scalar_of(*number);
    type.lanes = lanes;
    return type;
}

std::optional<Type> parse_type_of_numbers(const std::string& text) {
    const std::size_t bracket = text.find('[');
    if (bracket == std::string::npos) return type_of_numbers(text, 1);
    int lanes = 0;
    const char* const end = text.data() + text.size() - 1;
    const auto [rest, error] = std::from_chars(text.data() + bracket + 1, end, lanes);
    if (error != std::errc() || rest != end || *end != ']' || lanes < 2) return std::nullopt;
    return type_of_numbers(text.substr(0, bracket), lanes);
}

std::string no_type_of_numbers(std::string_view name, std::string_view given) {
    return fmt::format("'{}' stands for a type of numbers, not for '{}'", name, given);
}

std::string accepted_types_of_numbers() {
    return fmt::format("bool, int8 to int64, uint8 to uint64, int, float, double; 2 to {} lanes of "
                       "them, such as float[4]",
                       syntax::most_lanes);
}

} // namespace tropic::language::algorithm
