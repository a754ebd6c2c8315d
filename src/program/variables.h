// What a checked program wants from outside and leaves behind.
#pragma once

#include <string>
#include <vector>

#include "language/program.h"

namespace tropic::program {

/// The names of what is read, in the order of the statements, each once.
std::vector<std::string> inputs_of(const language::Program& program);

/// Where the first of them that has that name is read; nowhere if none has.
language::Place place_of_input(const language::Program& program, const std::string& input);

/// Variables that are assigned but that no statement uses: the results of a program that does not
/// say what its results are.
std::vector<language::VariableId> unused_variables(const language::Program& program);

} // namespace tropic::program
