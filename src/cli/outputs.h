// The files that a command is asked to write.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tropic::cli {

struct OutputFile {
    std::string option; ///< what asks for it: "--map"
    std::string path;   ///< empty: it is not asked for
};

bool is_standard_output(std::string_view path);

/// Refuses, before there is anything to write, two files on one path, of which only the later would
/// be left, and a file on standard output beside a report in JSON.
void check_outputs(const std::vector<OutputFile>& files, bool json);

} // namespace tropic::cli
