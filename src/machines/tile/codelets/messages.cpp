#include "machines/tile/codelets/messages.h"

#include <fstream>
#include <iterator>
#include <regex>

#include <fmt/format.h>

#include "tropic/error.h"

namespace tropic::tile::codelets {

namespace {

constexpr std::size_t most_shown = 10;

/// The line a message is about, of the source itself or of a header it includes.
std::string source_line(const SourceText& source, const std::string& file, std::int64_t line) {
    if (line <= 0) return {};
    if (file == source.name) {
        return std::string(line_of(source.text, static_cast<std::size_t>(line)));
    }
    std::ifstream in(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    return std::string(line_of(text, static_cast<std::size_t>(line)));
}

[[noreturn]] void throw_all(std::vector<Diagnostic> found) {
    const std::size_t more = found.size() > most_shown ? found.size() - most_shown : 0;
    found.resize(found.size() - more);
    throw Error(std::move(found), static_cast<std::int64_t>(more));
}

} // namespace

void throw_compiler_errors(const SourceText& source, std::string_view output, int status) {
    static const std::regex line_pattern(R"(^(.*?):(\d+):(\d+): (?:fatal )?error: (.*)$)");
    std::vector<Diagnostic> found;
    std::string text(output);
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        const std::string line = text.substr(start, end - start);
        start = end + 1;
        std::smatch parts;
        if (!std::regex_match(line, parts, line_pattern)) continue;
        Diagnostic diagnostic;
        diagnostic.code = ErrorCode::syntax;
        diagnostic.file = parts[1];
        diagnostic.line = std::stoll(parts[2]);
        diagnostic.column = std::stoll(parts[3]);
        diagnostic.message = parts[4];
        diagnostic.source_line = source_line(source, diagnostic.file, diagnostic.line);
        found.push_back(std::move(diagnostic));
    }
    if (found.empty()) {
        throw Error(ErrorCode::syntax, fmt::format("codelets {} cannot be compiled (status {}): {}",
                                                   source.name, status, text));
    }
    throw_all(std::move(found));
}

void throw_problems(const SourceText& source, const nlohmann::json& problems) {
    std::vector<Diagnostic> found;
    for (const nlohmann::json& problem : problems) {
        Diagnostic diagnostic;
        diagnostic.code = ErrorCode::unsupported;
        diagnostic.file = problem.at("file").get<std::string>();
        if (diagnostic.file.empty()) diagnostic.file = source.name;
        diagnostic.line = problem.at("line").get<std::int64_t>();
        diagnostic.column = problem.at("column").get<std::int64_t>();
        diagnostic.message = problem.at("message").get<std::string>();
        diagnostic.hint = problem.at("hint").get<std::string>();
        diagnostic.source_line = source_line(source, diagnostic.file, diagnostic.line);
        found.push_back(std::move(diagnostic));
    }
    throw_all(std::move(found));
}

} // namespace tropic::tile::codelets
