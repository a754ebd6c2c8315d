// Whether a contestant's answer is right, found by Tropic's serial verifiers; triangles are
// compared between contestants.
#pragma once

#include "../peers/contestant.h"

namespace tropic::bench {

/// Empty, or what is wrong.
std::string complaint_about(const Answer& answer, const Task& task, const BenchGraph& graph);

} // namespace tropic::bench
