#include "language/algorithm/constant_values.h"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "language/element_types.h"

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

/// Numbers of the text are what they are, and not what they wrap around to.
bool leaves_int64(Operation operation, const std::vector<Expression>& operands) {
    std::int64_t result = 0;
    const std::int64_t left = operands[0].integer;
    const std::int64_t right = operands[1].integer;
    if (operation == Operation::add) return __builtin_add_overflow(left, right, &result);
    if (operation == Operation::subtract) return __builtin_sub_overflow(left, right, &result);
    return operation == Operation::multiply && __builtin_mul_overflow(left, right, &result);
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

} // namespace

std::int64_t wrapped(std::int64_t bits, const Type& type) {
    if (type.vertex) return bits;
    if (type.element == ElementType::boolean) return bits != 0 ? 1 : 0;
    const auto unused = static_cast<int>(64 - 8 * size_of(type.element));
    const auto high = static_cast<std::int64_t>(static_cast<std::uint64_t>(bits) << unused);
    const bool is_signed = holds_integer(type.element, -1);
    return is_signed ? high >> unused
                     : static_cast<std::int64_t>(static_cast<std::uint64_t>(high) >> unused);
}

double rounded(double number, const Type& type) {
    return type.element == ElementType::float32 ? static_cast<float>(number) : number;
}

double real_value(const Expression& constant, const Type& type) {
    if (is_float(constant.type.element)) return rounded(constant.number, type);
    const auto nearest = [&](auto integer) -> double {
        if (type.element == ElementType::float32) return static_cast<float>(integer);
        return static_cast<double>(integer);
    };
    return is_beyond_int64(constant) ? nearest(static_cast<std::uint64_t>(constant.integer))
                                     : nearest(constant.integer);
}

bool fits(const Expression& constant, const Type& type) {
    if (is_beyond_int64(constant)) return type.element == ElementType::uint64;
    return holds_integer(type.element, constant.integer);
}

std::string integer_text(const Expression& constant) {
    return is_beyond_int64(constant)
               ? fmt::format("{}", static_cast<std::uint64_t>(constant.integer))
               : fmt::format("{}", constant.integer);
}

bool is_beyond_int64(const Expression& e) {
    return e.kind == Expression::Kind::constant && e.type.element == ElementType::uint64 &&
           e.integer < 0;
}

std::optional<Expression> worked_out(const Expression& e) {
    using Kind = Expression::Kind;
    const bool is_one_number = e.type.is_scalar() && e.type.lanes == 1 && e.type.record < 0;
    if (!is_one_number) return std::nullopt;
    if (e.kind == Kind::constant || e.kind == Kind::infinity) return e;
    const bool negated = e.kind == Kind::negate;
    const bool converted = e.kind == Kind::convert;
    if (!negated && !converted && e.kind != Kind::binary) return std::nullopt;
    std::vector<Expression> operands;
    for (const Expression& operand : e.operands) {
        auto known = worked_out(operand);
        if (!known) return std::nullopt;
        operands.push_back(std::move(*known));
    }
    const auto is_number = [](const Expression& operand) { return operand.kind == Kind::constant; };
    if (negated && operands[0].kind == Kind::infinity) return e;
    if (!std::ranges::all_of(operands, is_number)) return std::nullopt;
    const bool real = is_float(e.type.element);
    if (!real && is_float(operands[0].type.element)) return std::nullopt;
    Expression result = constant_of(0, e.type, e.place);
    result.typed = e.typed || std::ranges::any_of(operands, &Expression::typed);
    if (real) {
        const Type wide = scalar_of(ElementType::float64);
        std::optional<double> number;
        if (negated || converted) {
            number = (negated ? -1 : 1) * real_value(operands[0], e.type);
        } else {
            number =
                joined(e.operation, real_value(operands[0], wide), real_value(operands[1], wide));
        }
        if (!number) return std::nullopt;
        result.number = rounded(*number, e.type);
        return result;
    }
    std::optional<std::int64_t> integer;
    if (negated) integer = joined(Operation::subtract, e.type, 0, operands[0].integer);
    else if (converted) integer = wrapped(operands[0].integer, e.type);
    else if (result.typed || !leaves_int64(e.operation, operands)) {
        integer = joined(e.operation, e.type, operands[0].integer, operands[1].integer);
    }
    if (!integer) return std::nullopt;
    result.integer = *integer;
    result.number = static_cast<double>(*integer);
    return result;
}

} // namespace tropic::language::algorithm
