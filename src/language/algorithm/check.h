// From the text of an algorithm to the checked algorithm, or to everything that is wrong with it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "language/algorithm/algorithm.h"

namespace tropic::language::algorithm {

struct CheckOptions {
    /// Which function: none means the one named like the file, else `main`, else the first.
    std::string function = {};
    /// What types that the text declares stand for instead: {"weight", "double"}.
    std::map<std::string, std::string> types = {};
    /// Join loops, hoist what a loop does not change, reuse buffers.
    bool optimise = true;
};

/// Throws tropic::Error with all mistakes found, up to a limit; `file_name` is used in messages.
Algorithm check_algorithm(std::string text, std::string file_name,
                          const CheckOptions& options = {});

inline Algorithm check_algorithm(std::string text, std::string file_name,
                                 const std::string& function) {
    return check_algorithm(std::move(text), std::move(file_name),
                           CheckOptions{.function = function});
}

/// Checks all functions of a text, also those that the one to be run does not call.
std::vector<std::string> check_text(std::string text, std::string file_name);

/// The functions of a text that can be run, in its order; throws if the text has no syntax tree.
std::vector<std::string> functions_of(std::string text, std::string file_name);

/// The syntax tree, indented; throws tropic::Error if the text has none.
std::string print_algorithm_tree(std::string text, std::string file_name);

} // namespace tropic::language::algorithm
