// Numbers of the command line that algorithms are given.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "tropic/algorithm.h"

namespace tropic::cli {

/// "12", "-3.5" or "1e6"; nothing if the text is none of these.
std::optional<Argument> parse_number(const std::string& text);

/// "true" or "false", or a number, of which 1 and 0 are these.
std::optional<Argument> parse_truth(const std::string& text);

/// Runs a check of what the command line says, whatever the graph is: a number out of its range,
/// an Error(range) where a program gives it, is a mistake of the command line here.
void check_command_line(const std::function<void()>& check);

} // namespace tropic::cli
