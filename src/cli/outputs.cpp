#include "cli/outputs.h"

#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "graph/files/follow_links.h"
#include "tropic/error.h"

namespace tropic::cli {

namespace {

/// The file behind a path, links followed; nothing for a device or a pipe, which keeps no content
/// that could be lost.
std::string file_behind(const std::string& path) {
    namespace fs = std::filesystem;
    if (is_standard_output(path)) return "standard output";
    std::error_code error;
    if (fs::exists(path, error) && !fs::is_regular_file(path, error)) return {};
    // Links that lead nowhere are complained of by whoever writes.
    const fs::path file = follow_links(path).value_or(path);
    return fs::weakly_canonical(fs::absolute(file, error), error).string();
}

} // namespace

bool is_standard_output(std::string_view path) {
    return path == "-" || path == "/dev/stdout";
}

void check_outputs(const std::vector<OutputFile>& files, bool json) {
    std::map<std::string, std::string> taken;
    for (const auto& [option, path] : files) {
        if (path.empty()) continue;
        if (json && is_standard_output(path)) {
            throw Error({.code = ErrorCode::usage,
                         .message = fmt::format("{} and the report of --json would both go to "
                                                "standard output",
                                                option),
                         .hint = "write to a file, or leave --json out"});
        }
        const std::string file = file_behind(path);
        if (file.empty()) continue;
        const auto [other, first] = taken.emplace(file, option);
        if (first) continue;
        throw Error({.code = ErrorCode::usage,
                     .message = fmt::format("{} and {} would both be written to {}", other->second,
                                            option, path),
                     .hint = "give each a file of its own"});
    }
}

} // namespace tropic::cli
