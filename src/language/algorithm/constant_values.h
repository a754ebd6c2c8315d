// What a number that is known when a text is checked is in each type: as if the program computed
// it.
#pragma once

#include <optional>
#include <string>

#include "language/algorithm/types.h"

namespace tropic::language::algorithm {

/// The number that these bits are in a variable of the type, which may be narrower than they.
std::int64_t wrapped(std::int64_t bits, const Type& type);

/// The nearest number that a type of reals has.
double rounded(double number, const Type& type);

/// A constant as a number of a type of reals, rounded once.
double real_value(const Expression& constant, const Type& type);

/// Whether a type of integers has the integer that a constant is.
bool fits(const Expression& constant, const Type& type);

/// An integer constant as people write it.
std::string integer_text(const Expression& constant);

/// The number that a formula of numbers is, if it is one and can be told: a constant, or infinity.
/// Integers of a type that the text says wrap, as they do when the program runs.
std::optional<Expression> worked_out(const Expression& e);

/// Whether it is a constant of type uint64 that no int64 holds: its `integer` is below 0.
bool is_beyond_int64(const Expression& e);

} // namespace tropic::language::algorithm
