// Types of algorithms: making them, naming them, joining them.
#pragma once

#include <string>

#include "language/algorithm/algorithm.h"

namespace tropic::language::algorithm {

Type scalar_of(ElementType element);
Type truth_type();
Type vertex_type(SpaceId space = 0);

/// The scalar that an element of such a vector, sparse or table is.
Type element_of(const Type& type);

bool is_truth(const Type& type);
bool is_real(const Type& type);
bool is_number(const Type& type); ///< no record, no set...; truths count
bool same_scalar(const Type& a, const Type& b);

/// "int32", "vertex", "float32[4]", "vector<float64>", "set"...
std::string name_of(const Type& type, const Algorithm& algorithm);

std::string_view name_of(Operation operation) noexcept;
std::string_view name_of(Function function) noexcept;

/// Whether the outcome is a truth although the operands are numbers.
bool is_comparison(Operation operation) noexcept;

Expression constant_of(std::int64_t value, const Type& type, Place place = {});
Expression real_of(double value, Place place = {});
Expression truth_of(bool value, Place place = {});
Expression unknown_at(Place place);
Expression read_of(const Algorithm& algorithm, VariableId variable, Place place = {});
Expression binary_of(Operation operation, Expression left, Expression right);
Expression not_of(Expression truth);
Expression element_at(const Algorithm& algorithm, VariableId variable, Expression index,
                      Place place = {});
Expression member_at(VariableId variable, Expression index, Place place = {});
Expression negation_of(Expression value);

bool is_constant(const Expression& expression, std::int64_t value);
/// Whether both are the same number, written down.
bool same_literal(const Expression& a, const Expression& b);

/// Whether it is 0, false, or lanes of nothing else.
bool is_zero(const Expression& expression);
inline bool is_true(const Expression& expression) {
    return is_truth(expression.type) && is_constant(expression, 1);
}

/// a && b, where what is always true is left out; true of none.
Expression conjunction(std::vector<Expression> conditions);

/// The parts that `&&` joins.
void split_conjunction(Expression condition, std::vector<Expression>& parts);

} // namespace tropic::language::algorithm
