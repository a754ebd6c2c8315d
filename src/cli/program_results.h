// What a program left behind: described, and written to files.
#pragma once

#include <string>
#include <vector>

#include "cli/json_output.h"
#include "tropic/program.h"

namespace tropic::cli {

/// Writes a result: matrices in the format of the suffix, vectors as matrices of one column,
/// numbers as text. Returns what the format could not say.
std::vector<std::string> write_result(const RunResult& result, const std::string& name,
                                      const std::string& file, const Context& context);

/// Writes a line.
void write_text(const std::string& text, const std::string& file, const Context& context);

/// A line for each result: a number, or what a tensor is like.
std::string results_text(const RunResult& result);
Json describe_results(const RunResult& result);

} // namespace tropic::cli
