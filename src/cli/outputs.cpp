#include "cli/outputs.h"

#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "graph/files/byte_sink.h"
#include "graph/files/follow_links.h"
#include "graph/files/reader.h"
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

/// Pipes and devices are opened when there is something to write: a pipe's reader may come late.
bool is_made_anew(const std::string& path) {
    namespace fs = std::filesystem;
    std::error_code error;
    if (is_standard_output(path)) return false;
    const fs::file_status status = fs::status(path, error);
    return !fs::exists(status) || fs::is_regular_file(status) || fs::is_directory(status);
}

} // namespace

bool is_standard_output(std::string_view path) {
    return path == "-" || path == "/dev/stdout";
}

void check_outputs(const std::vector<OutputFile>& files, bool json, const Context& context) {
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
    for (const auto& [option, path] : files) {
        // Begun and not committed: nothing is left of it.
        if (!path.empty() && is_made_anew(path)) create_file(path, true, context);
    }
}

void require_not_read(const std::vector<OutputFile>& files,
                      const std::vector<std::string>& inputs) {
    namespace fs = std::filesystem;
    for (const auto& [option, path] : files) {
        std::error_code error;
        if (path.empty() || !fs::is_regular_file(path, error)) continue;
        for (const std::string& input : inputs) {
            if (!fs::equivalent(path, input, error)) continue;
            throw Error(
                {.code = ErrorCode::usage,
                 .message = fmt::format("{} would be written over the input {}", option, input),
                 .hint = "write to another file"});
        }
    }
}

void require_graph_form(const std::string& file, std::string_view what, std::string_view also,
                        std::string hint) {
    if (format_to_write(file)) {
        static_cast<void>(format_of_output(file, {}));
        return;
    }
    throw Error(
        {.code = ErrorCode::usage,
         .message = fmt::format("the suffix of {} names no form that {} can have", file, what),
         .accepted = fmt::format("{}{}, text also with .gz .xz .zst", writable_suffixes(), also),
         .hint = std::move(hint)});
}

} // namespace tropic::cli
