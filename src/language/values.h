// Where the variables of a checked program have values: what a loop is the first to assign has one
// behind the loop only if there is something it is where the loop does not run.
#pragma once

#include <functional>

#include "language/program.h"

namespace tropic::language {

/// For each variable that the statements assign, those in loops as well, and do not forget: the
/// first of them that does.
std::vector<const Statement*> first_assignments(const std::vector<Statement>& statements);

/// By variable: whether it has a value when the program ends. Whatever is used without one, because
/// its size is known in a loop only, is handed to `missing` with the place of its use.
std::vector<bool> follow_values(const Program& program,
                                const std::function<void(VariableId, Place)>& missing);

} // namespace tropic::language
