#include "reference/number.h"

#include <algorithm>
#include <cmath>
#include <ostream>

namespace tropic::reference {

namespace {

template <class T> T get(const Number& number) {
    if constexpr (std::is_floating_point_v<T>) return static_cast<T>(number.real);
    else if constexpr (std::is_same_v<T, bool>) return number.integer != 0;
    else return static_cast<T>(number.integer);
}

template <class T> Number put(T value) {
    if constexpr (std::is_floating_point_v<T>) return {static_cast<double>(value), 0};
    else return {0, static_cast<std::int64_t>(value)};
}

/// Integers are computed on as unsigned ones of 64 bits, which wrap, and cut to size.
template <class T> T arithmetic(language::Operator op, T a, T b) {
    using Wide = std::conditional_t<std::is_floating_point_v<T>, T, std::uint64_t>;
    const auto left = static_cast<Wide>(a);
    const auto right = static_cast<Wide>(b);
    if (op == language::Operator::add) return static_cast<T>(left + right);
    if (op == language::Operator::subtract) return static_cast<T>(left - right);
    return static_cast<T>(left * right);
}

template <class T> T divide(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) return a / b;
    else throw Error(ErrorCode::internal, "integers were divided without becoming reals first");
}

template <class T> T operate(language::Operator op, T a, T b) {
    using language::Operator;
    const auto truth = [](bool value) { return static_cast<T>(value ? 1 : 0); };
    switch (op) {
    case Operator::add:
    case Operator::subtract:
    case Operator::multiply:
        return arithmetic(op, a, b);
    case Operator::divide:
        return divide(a, b);
    case Operator::minimum:
        return b < a ? b : a;
    case Operator::maximum:
        return a < b ? b : a;
    case Operator::first:
    case Operator::any:
        return a;
    case Operator::second:
        return b;
    case Operator::pair:
        return truth(true);
    case Operator::logical_or:
        return truth(a != T{} || b != T{});
    case Operator::logical_and:
        return truth(a != T{} && b != T{});
    }
    throw Error(ErrorCode::internal, "an operator the reference does not know");
}

/// What a real becomes as an integer of type T: the nearest one towards zero that T has.
template <class T> T truncate(double value) {
    if (std::isnan(value)) return T{};
    const auto low = static_cast<double>(std::numeric_limits<T>::min());
    const double above = std::ldexp(1.0, std::numeric_limits<T>::digits);
    if (value < low) return std::numeric_limits<T>::min();
    if (value >= above) return std::numeric_limits<T>::max();
    return static_cast<T>(value);
}

} // namespace

Number make_number(ElementType type, double value) {
    return convert({value, 0}, ElementType::float64, type);
}

Number make_number(ElementType type, std::int64_t value) {
    return convert({0, value}, ElementType::int64, type);
}

std::int64_t to_integer(const Number& number, ElementType type) {
    return convert(number, type, ElementType::int64).integer;
}

bool is_zero(const Number& number, ElementType type) {
    return is_float(type) ? number.real == 0 : number.integer == 0;
}

Number apply(language::Operator op, const Number& left, const Number& right, ElementType type) {
    return visit_type(type, [&](auto tag) {
        using T = typename decltype(tag)::type;
        return put<T>(operate<T>(op, get<T>(left), get<T>(right)));
    });
}

Number negate(const Number& number, ElementType type) {
    if (is_float(type)) return {-number.real, 0};
    return apply(language::Operator::subtract, {}, number, type);
}

Number convert(const Number& number, ElementType from, ElementType to) {
    return visit_type(from, [&](auto from_tag) {
        using From = typename decltype(from_tag)::type;
        const From value = get<From>(number);
        return visit_type(to, [&](auto to_tag) {
            using To = typename decltype(to_tag)::type;
            if constexpr (std::is_same_v<To, bool>) return put<To>(value != From{});
            else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
                return put<To>(truncate<To>(value));
            } else return put<To>(static_cast<To>(value));
        });
    });
}

void print(std::ostream& out, const Number& number, ElementType type) {
    if (is_float(type)) out << number.real;
    else if (type == ElementType::uint64) out << static_cast<std::uint64_t>(number.integer);
    else out << number.integer;
}

} // namespace tropic::reference
