// From the text of a program to the checked program, or to everything that is wrong with it.
#pragma once

#include "language/program.h"

namespace tropic::language {

struct CheckOptions {
    /// Names of main's variables whose final values are wanted: Program::outputs.
    std::vector<std::string> outputs = {};
};

/// Throws tropic::Error with all mistakes found, up to a limit; `file_name` is used in messages.
Program check_program(std::string text, std::string file_name, const CheckOptions& options = {});

/// The syntax tree, indented; throws tropic::Error if the text has none.
std::string print_tree(std::string text, std::string file_name);

} // namespace tropic::language
