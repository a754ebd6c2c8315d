#include "tropic/error.h"

#include <fmt/format.h>

#include "support/printable.h"

namespace tropic {

namespace {

/// Source lines are shown around the column, never longer than a terminal is wide.
constexpr std::size_t shown_width = 96;

void append_source(std::string& out, const Diagnostic& d) {
    const std::string_view line = d.source_line;
    auto column = static_cast<std::size_t>(d.column > 0 ? d.column - 1 : 0);
    if (column > line.size()) column = line.size();
    std::size_t begin = 0;
    if (column > shown_width - 16) begin = column - (shown_width - 16);
    const auto within_letter = [&](std::size_t at) { return (line[at] & '\xc0') == '\x80'; };
    if (begin > 0) {
        while (begin < column && within_letter(begin)) ++begin;
    }
    const Printable before = printable(line.substr(begin, column - begin), shown_width);
    const Printable behind = printable(line.substr(column), shown_width - before.width);
    const std::string number = std::to_string(d.line);
    out += fmt::format("\n  {} | {}{}", number, before.text, behind.text);
    if (d.column > 0) {
        out += fmt::format("\n  {:{}} | {:{}}^", "", number.size(), "", before.width);
    }
}

} // namespace

std::string_view name_of(ErrorCode code) noexcept {
    switch (code) {
    case ErrorCode::usage:
        return "usage";
    case ErrorCode::not_found:
        return "not found";
    case ErrorCode::io:
        return "io";
    case ErrorCode::syntax:
        return "syntax";
    case ErrorCode::range:
        return "range";
    case ErrorCode::inconsistent:
        return "inconsistent";
    case ErrorCode::truncated:
        return "truncated";
    case ErrorCode::unsupported:
        return "unsupported";
    case ErrorCode::out_of_memory:
        return "out of memory";
    case ErrorCode::corrupt:
        return "corrupt";
    case ErrorCode::cancelled:
        return "cancelled";
    case ErrorCode::internal:
        break;
    }
    return "internal";
}

std::string to_text(const Diagnostic& d) {
    std::string out;
    if (!d.file.empty()) {
        out += printable(d.file).text;
        if (d.line > 0) out += fmt::format(":{}", d.line);
        if (d.line > 0 && d.column > 0) out += fmt::format(":{}", d.column);
        out += ": ";
    }
    out += d.message;
    if (d.line > 0 && !d.source_line.empty()) append_source(out, d);
    if (!d.accepted.empty()) out += "\n  accepted: " + d.accepted;
    if (!d.hint.empty()) out += "\n  try: " + d.hint;
    return out;
}

Error::Error(Diagnostic diagnostic) : Error(std::vector{std::move(diagnostic)}) {}

Error::Error(std::vector<Diagnostic> diagnostics, std::int64_t left_out)
    : diagnostics_(std::move(diagnostics)), left_out_(left_out) {
    if (diagnostics_.empty()) diagnostics_.emplace_back();
    for (const Diagnostic& diagnostic : diagnostics_) {
        if (!text_.empty()) text_ += '\n';
        text_ += to_text(diagnostic);
    }
    if (left_out_ > 0) text_ += fmt::format("\n{} more", left_out_);
}

Error::Error(ErrorCode code, std::string message, std::string hint)
    : Error(Diagnostic{.code = code, .message = std::move(message), .hint = std::move(hint)}) {}

} // namespace tropic
