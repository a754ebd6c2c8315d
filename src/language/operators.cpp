#include "language/operators.h"

#include <array>
#include <utility>

namespace tropic::language {

std::string_view name_of(Operator op) noexcept {
    switch (op) {
    case Operator::add:
        return "+";
    case Operator::subtract:
        return "-";
    case Operator::multiply:
        return "*";
    case Operator::divide:
        return "/";
    case Operator::minimum:
        return "min";
    case Operator::maximum:
        return "max";
    case Operator::first:
        return "first";
    case Operator::second:
        return "second";
    case Operator::any:
        return "any";
    case Operator::pair:
        return "pair";
    case Operator::logical_or:
        return "|";
    case Operator::logical_and:
        break;
    }
    return "&";
}

std::optional<Operator> parse_operator(std::string_view name) noexcept {
    using enum Operator;
    static constexpr std::array<std::pair<std::string_view, Operator>, 17> table = {{
        {"+", add},
        {"plus", add},
        {"-", subtract},
        {"minus", subtract},
        {"*", multiply},
        {"times", multiply},
        {"x", multiply},
        {"min", minimum},
        {"max", maximum},
        {"first", first},
        {"second", second},
        {"any", any},
        {"pair", pair},
        {"|", logical_or},
        {"lor", logical_or},
        {"&", logical_and},
        {"land", logical_and},
    }};
    for (const auto& [known, op] : table) {
        if (known == name) return op;
    }
    return std::nullopt;
}

Meeting meeting_of(Operator op) noexcept {
    switch (op) {
    case Operator::add:
    case Operator::subtract:
    case Operator::minimum:
    case Operator::maximum:
    case Operator::any:
    case Operator::logical_or:
        return Meeting::either;
    default:
        return Meeting::both;
    }
}

} // namespace tropic::language
