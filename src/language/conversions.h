// Explicit conversions between element types, and arithmetic on constants.
#pragma once

#include "language/program.h"

namespace tropic::language {

Expression integer_constant(std::int64_t value, Place place);
Expression real_constant(double value, Place place);

/// The labels of a value, each once: A[i, i] has the one label i.
std::vector<LabelId> distinct_labels(const Expression& expression);

/// `value` as that type: itself, a converted constant, or a cast around it.
Expression converted(Expression value, ElementType type);

/// Whether a constant is a value of that type: 3.5 is no int32, 0.1 is a float32.
bool fits(const Expression& constant, ElementType type);

/// Gives both operands one type. A constant follows the other operand where it fits.
void agree(Expression& left, Expression& right);

/// The result of an operation on two constants of one type; none if it has no value there.
std::optional<Expression> folded(Operator op, Place place, const Expression& left,
                                 const Expression& right);

} // namespace tropic::language
