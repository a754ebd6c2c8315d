// One value of any element type, and what the operators of the language do to it. Arithmetic is
// that of the element type itself: a float32 sum is rounded to float32, an int8 sum wraps.
#pragma once

#include <iosfwd>

#include "language/program.h"
#include "tropic/error.h"

namespace tropic::reference {

/// `real` counts for floating-point types, `integer` (uint64 as its bits) for all others.
struct Number {
    double real = 0;
    std::int64_t integer = 0;
};

Number make_number(ElementType type, double value);
Number make_number(ElementType type, std::int64_t value);

/// As an index or a count; a real loses its fraction.
std::int64_t to_integer(const Number& number, ElementType type);

bool is_zero(const Number& number, ElementType type);

/// Both operands and the result are of `type`.
Number apply(language::Operator op, const Number& left, const Number& right, ElementType type);
Number negate(const Number& number, ElementType type);

/// Reals become integers by dropping the fraction, and bools by comparing with zero.
Number convert(const Number& number, ElementType from, ElementType to);

/// As C++ streams print doubles; integers in full.
void print(std::ostream& out, const Number& number, ElementType type);

} // namespace tropic::reference
