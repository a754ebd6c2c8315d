// Walks over checked algorithms.
#pragma once

#include <functional>

#include "language/algorithm/algorithm.h"

namespace tropic::language::algorithm {

/// `visit` for the expression and everything below it, reductions included, the outermost first.
void for_each_expression(const Expression& expression,
                         const std::function<void(const Expression&)>& visit);
void for_each_expression(Expression& expression, const std::function<void(Expression&)>& visit);

/// The same for all expressions of a statement, those of statements inside it included.
void for_each_expression(const Statement& statement,
                         const std::function<void(const Expression&)>& visit);
void for_each_expression(Statement& statement, const std::function<void(Expression&)>& visit);

/// Every statement of the list and those inside them, the outermost first.
void for_each_statement(const std::vector<Statement>& list,
                        const std::function<void(const Statement&)>& visit);
void for_each_statement(std::vector<Statement>& list, const std::function<void(Statement&)>& visit);

/// Whether the expression reads the scalar (or local).
bool mentions(const Expression& expression, VariableId scalar);

/// Whether working it out changes something: it must be done once, however often its value is used.
bool does_something(const Expression& expression);

/// The expression with every read of the scalar replaced.
Expression replaced(const Expression& expression, VariableId scalar, const Expression& by);

/// A copy that shares nothing with the expression, reductions included.
Expression deep_copy(const Expression& expression);
Statement deep_copy(const Statement& statement);

} // namespace tropic::language::algorithm
