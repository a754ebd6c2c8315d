// Runs another program to its end.
#pragma once

#include <string>
#include <vector>

namespace tropic::tile::codelets {

struct ProcessResult {
    int status = 0;     ///< as a shell has it: 128 and the signal if one ended it
    std::string output; ///< what it wrote to its error stream
};

/// Throws Error if it cannot be started.
ProcessResult run_process(const std::vector<std::string>& command);

} // namespace tropic::tile::codelets
