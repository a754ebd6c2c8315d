// Results that are one number, or the lanes of one, shown as elements of vectors are.
#pragma once

#include <string>

#include "cli/json_output.h"
#include "tropic/algorithm.h"

namespace tropic::cli {

/// "3", "true", "none", "inf", "(0.5 2)". Vertices have the ids that they are to be shown by.
std::string scalar_text(const AlgorithmVariable& variable, const RunResult& result);

/// What is no vertex and what is infinite is null; lanes are a list.
Json scalar_json(const AlgorithmVariable& variable, const RunResult& result);

} // namespace tropic::cli
