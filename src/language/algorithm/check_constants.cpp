// Constants of the text: numbers that are worked out when it is checked.
#include <cmath>

#include <fmt/format.h>

#include "language/algorithm/checker.h"

namespace tropic::language::algorithm {

namespace {

/// Integers wrap, as they do when the program runs; nothing of what cannot be divided.
std::optional<std::int64_t> joined(Operation operation, std::int64_t left, std::int64_t right) {
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
        if (right == -1) {
            return operation == Operation::divide ? static_cast<std::int64_t>(0 - a) : 0;
        }
        return operation == Operation::divide ? left / right : left % right;
    case Operation::minimum:
        return std::min(left, right);
    case Operation::maximum:
        return std::max(left, right);
    default:
        return std::nullopt;
    }
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
    const bool number = e.type.is_scalar() && e.type.lanes == 1 && e.type.record < 0;
    if (!number) return std::nullopt;
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
    const auto as_real = [](const Expression& operand) {
        return is_float(operand.type.element) ? operand.number
                                              : static_cast<double>(operand.integer);
    };
    Expression result = constant_of(0, e.type, e.place);
    if (e.kind == Kind::negate || e.kind == Kind::convert) {
        const double sign = e.kind == Kind::negate ? -1 : 1;
        if (!real && is_float(operands[0].type.element)) return std::nullopt;
        result.number = sign * as_real(operands[0]);
        result.integer = e.kind == Kind::negate
                             ? *joined(Operation::subtract, 0, operands[0].integer)
                             : operands[0].integer;
        return result;
    }
    if (e.kind != Kind::binary) return std::nullopt;
    if (real) {
        const auto both = joined(e.operation, as_real(operands[0]), as_real(operands[1]));
        if (!both) return std::nullopt;
        result.number = *both;
    } else {
        const auto both = joined(e.operation, operands[0].integer, operands[1].integer);
        if (!both || is_float(operands[0].type.element)) return std::nullopt;
        result.integer = *both;
    }
    return result;
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
