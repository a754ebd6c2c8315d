#include "language/conversions.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "language/element_types.h"

namespace tropic::language {

namespace {

bool is_constant(const Expression& expression) {
    return expression.kind == Expression::Kind::constant;
}

/// Both forms of the value are always set, so that a reader may take either.
Expression constant(ElementType type, double number, std::int64_t integer, Place place) {
    Expression result;
    result.place = place;
    result.element = type;
    result.number = number;
    result.integer = integer;
    return result;
}

std::optional<Expression> folded_integers(Operator op, Place place, std::int64_t a,
                                          std::int64_t b) {
    std::int64_t result = 0;
    switch (op) {
    case Operator::add:
        if (__builtin_add_overflow(a, b, &result)) return std::nullopt;
        break;
    case Operator::subtract:
        if (__builtin_sub_overflow(a, b, &result)) return std::nullopt;
        break;
    case Operator::multiply:
        if (__builtin_mul_overflow(a, b, &result)) return std::nullopt;
        break;
    case Operator::minimum:
        result = std::min(a, b);
        break;
    case Operator::maximum:
        result = std::max(a, b);
        break;
    default:
        return std::nullopt;
    }
    return integer_constant(result, place);
}

std::optional<Expression> folded_reals(Operator op, Place place, double a, double b) {
    switch (op) {
    case Operator::add:
        return real_constant(a + b, place);
    case Operator::subtract:
        return real_constant(a - b, place);
    case Operator::multiply:
        return real_constant(a * b, place);
    case Operator::divide:
        return real_constant(a / b, place);
    default:
        return std::nullopt;
    }
}

} // namespace

Expression integer_constant(std::int64_t value, Place place) {
    return constant(ElementType::int64, static_cast<double>(value), value, place);
}

Expression real_constant(double value, Place place) {
    const bool whole = std::abs(value) < 9e18;
    return constant(ElementType::float64, value, whole ? static_cast<std::int64_t>(value) : 0,
                    place);
}

std::vector<LabelId> distinct_labels(const Expression& expression) {
    std::vector<LabelId> labels;
    for (const LabelId label : expression.labels) {
        if (std::ranges::find(labels, label) == labels.end()) labels.push_back(label);
    }
    return labels;
}

bool fits(const Expression& constant, ElementType type) {
    if (!is_float(constant.element)) {
        return type == ElementType::float64 || holds_integer(type, constant.integer);
    }
    if (type == ElementType::float64) return true;
    if (type == ElementType::float32) {
        return !std::isfinite(constant.number) ||
               std::abs(constant.number) <= std::numeric_limits<float>::max();
    }
    return static_cast<double>(constant.integer) == constant.number &&
           holds_integer(type, constant.integer);
}

Expression converted(Expression value, ElementType type) {
    if (value.element == type) return value;
    if (is_constant(value) && fits(value, type)) {
        value.element = type;
        return value;
    }
    Expression cast;
    cast.kind = Expression::Kind::cast;
    cast.place = value.place;
    cast.element = type;
    cast.labels = distinct_labels(value);
    cast.operands.push_back(std::move(value));
    return cast;
}

void agree(Expression& left, Expression& right) {
    // A real constant stays real beside integers, even if it is a whole number: 2.0 * A.
    const auto follows = [](const Expression& constant, const Expression& other) {
        return is_constant(constant) && !is_constant(other) && fits(constant, other.element) &&
               (!is_float(constant.element) || is_float(other.element));
    };
    if (follows(left, right)) left = converted(std::move(left), right.element);
    else if (follows(right, left)) right = converted(std::move(right), left.element);
    const ElementType type = common_type(left.element, right.element);
    left = converted(std::move(left), type);
    right = converted(std::move(right), type);
}

std::optional<Expression> folded(Operator op, Place place, const Expression& left,
                                 const Expression& right) {
    if (!is_constant(left) || !is_constant(right) || left.element != right.element) {
        return std::nullopt;
    }
    if (left.element == ElementType::int64) {
        return folded_integers(op, place, left.integer, right.integer);
    }
    if (left.element != ElementType::float64) return std::nullopt;
    return folded_reals(op, place, left.number, right.number);
}

} // namespace tropic::language
