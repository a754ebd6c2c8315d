// Constants of the text: numbers that are worked out when it is checked.
#include <algorithm>
#include <type_traits>

#include <fmt/format.h>

#include "language/algorithm/checker.h"
#include "language/algorithm/constant_values.h"

namespace tropic::language::algorithm {

namespace {

/// Of numbers that have the type of the result; nothing of what cannot be divided.
template <class Integer>
std::optional<std::int64_t> joined(Operation operation, Integer left, Integer right) {
    const auto a = static_cast<std::uint64_t>(left);
    const auto b = static_cast<std::uint64_t>(right);
    switch (operation) {
    case Operation::add:
        return static_cast<std::int64_t>(a + b);
    case Operation::subtract:
        return static_cast<std::int64_t>(a - b);
    case Operation::multiply:
        return static_cast<std::int64_t>(a * b);
    case Operation::divide:
    case Operation::remainder:
        if (right == 0) return std::nullopt;
        if (std::is_signed_v<Integer> && right == static_cast<Integer>(-1)) {
            return operation == Operation::divide ? static_cast<std::int64_t>(0 - a) : 0;
        }
        return static_cast<std::int64_t>(operation == Operation::divide ? left / right
                                                                        : left % right);
    case Operation::minimum:
        return static_cast<std::int64_t>(std::min(left, right));
    case Operation::maximum:
        return static_cast<std::int64_t>(std::max(left, right));
    default:
        return std::nullopt;
    }
}

/// Integers wrap, as they do when the program runs.
std::optional<std::int64_t> joined(Operation operation, const Type& type, std::int64_t left,
                                   std::int64_t right) {
    const auto both =
        type.element == ElementType::uint64
            ? joined(operation, static_cast<std::uint64_t>(left), static_cast<std::uint64_t>(right))
            : joined(operation, left, right);
    if (!both) return std::nullopt;
    return wrapped(*both, type);
}

std::optional<double> joined(Operation operation, double left, double right) {
    switch (operation) {
    case Operation::add:
        return left + right;
    case Operation::subtract:
        return left - right;
    case Operation::multiply:
        return left * right;
    case Operation::divide:
        return left / right;
    case Operation::minimum:
        return std::min(left, right);
    case Operation::maximum:
        return std::max(left, right);
    default:
        return std::nullopt;
    }
}

/// The number that a formula of numbers is, if it is one.
std::optional<Expression> worked_out(const Expression& e) {
    using Kind = Expression::Kind;
    const bool is_one_number = e.type.is_scalar() && e.type.lanes == 1 && e.type.record < 0;
    if (!is_one_number) return std::nullopt;
    if (e.kind == Kind::constant || e.kind == Kind::infinity) return e;
    std::vector<Expression> operands;
    for (const Expression& operand : e.operands) {
        auto known = worked_out(operand);
        if (!known) return std::nullopt;
        operands.push_back(std::move(*known));
    }
    const auto is_number = [](const Expression& operand) { return operand.kind == Kind::constant; };
    if (e.kind == Kind::negate && operands[0].kind == Kind::infinity) return e;
    if (!std::ranges::all_of(operands, is_number)) return std::nullopt;
    const bool real = is_float(e.type.element);
    if (!real && is_float(operands[0].type.element)) return std::nullopt;
    const bool negated = e.kind == Kind::negate;
    if (real) {
        Expression result = constant_of(0, e.type, e.place);
        const Type wide = scalar_of(ElementType::float64);
        std::optional<double> number;
        if (negated || e.kind == Kind::convert) {
            number = (negated ? -1 : 1) * real_value(operands[0], e.type);
        } else if (e.kind == Kind::binary) {
            number =
                joined(e.operation, real_value(operands[0], wide), real_value(operands[1], wide));
        }
        if (!number) return std::nullopt;
        result.number = rounded(*number, e.type);
        return result;
    }
    std::optional<std::int64_t> integer;
    if (negated) integer = joined(Operation::subtract, e.type, 0, operands[0].integer);
    else if (e.kind == Kind::convert) integer = wrapped(operands[0].integer, e.type);
    else if (e.kind == Kind::binary) {
        integer = joined(e.operation, e.type, operands[0].integer, operands[1].integer);
    }
    if (!integer) return std::nullopt;
    return constant_of(*integer, e.type, e.place);
}

} // namespace

/// In the order of the text: a constant may be made of those before it.
void Checker::add_constants() {
    for (const syntax::Function& function : tree_.functions) {
        if (function.kind != syntax::Function::Kind::constant) continue;
        const Expression value = scalar(*function.value, "a number");
        std::optional<Expression> number;
        if (value.type.is_known()) number = worked_out(value);
        if (value.type.is_known() && !number) {
            report(ErrorCode::inconsistent, function.value->place,
                   fmt::format("'{}' is no constant", function.name.text),
                   {.accepted = "numbers, constants that stand before it, + - * / %, min, max"});
        }
        if (!number) number = unknown_at(function.name.place);
        constants_.try_emplace(function.name.text,
                               Symbol{.value = std::make_shared<const Expression>(*number)});
    }
}

} // namespace tropic::language::algorithm
