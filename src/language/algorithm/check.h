// The checker of algorithms: syntax tree to a checked algorithm, or everything that is wrong.
#pragma once

#include <string>
#include <vector>

#include "language/algorithm/algorithm.h"
#include "language/algorithm/syntax.h"
#include "language/diagnostics.h"

namespace tropic::language::algorithm {

/// The function of that name (empty: `main`, or else the first); throws Error with all mistakes.
Algorithm check_algorithm(std::string text, std::string file_name, const std::string& function);

/// The functions of a text that can be run, in its order.
std::vector<std::string> functions_of(std::string text, std::string file_name);

/// The syntax tree as text.
std::string print_algorithm_tree(std::string text, std::string file_name);

} // namespace tropic::language::algorithm
