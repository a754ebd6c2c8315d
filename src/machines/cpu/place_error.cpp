#include "machines/cpu/place_error.h"

#include <charconv>

namespace tropic::cpu {

namespace {

/// The line of that number, without its end.
std::string line_of(std::string_view text, std::int64_t number) {
    for (std::int64_t line = 1; line < number; ++line) {
        const auto end = text.find('\n');
        if (end == text.npos) return {};
        text.remove_prefix(end + 1);
    }
    return std::string(text.substr(0, text.find('\n')));
}

} // namespace

void fail_in(const std::string& file, std::string_view text, const char* place, ErrorCode code,
             std::string message, std::string hint) {
    Diagnostic diagnostic{
        .code = code, .message = std::move(message), .file = file, .hint = std::move(hint)};
    const std::string_view words = place == nullptr ? "" : place;
    const auto line = words.find_first_of("0123456789");
    const auto column = words.find_last_of(' ');
    if (line != words.npos && column != words.npos && column > line) {
        std::from_chars(words.data() + line, words.data() + words.size(), diagnostic.line);
        std::from_chars(words.data() + column + 1, words.data() + words.size(), diagnostic.column);
        diagnostic.source_line = line_of(text, diagnostic.line);
    }
    throw Error(std::move(diagnostic));
}

} // namespace tropic::cpu
