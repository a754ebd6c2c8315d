// Where the variables of a checked program have values: what a loop is the first to assign has one
// behind the loop only if there is something it is where the loop does not run.
#pragma once

#include <functional>
#include <set>

#include "language/program.h"

namespace tropic::language {

/// What the statements assign, those in loops as well, and do not forget: in the order of the text.
std::vector<VariableId> assigned_in(const std::vector<Statement>& statements);

/// The first of the statements, those in loops as well, that gives the variable a value; or null.
const Statement* first_assignment(const std::vector<Statement>& statements, VariableId id);

/// The variables that have a value when the program ends. Whatever is used without one, because its
/// size is known in a loop only, is handed to `missing` with the place of its use.
std::set<VariableId> follow_values(const Program& program,
                                   const std::function<void(VariableId, Place)>& missing);

} // namespace tropic::language
