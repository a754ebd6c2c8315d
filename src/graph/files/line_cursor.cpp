#include "graph/files/line_cursor.h"

#include <fmt/format.h>

namespace tropic {

std::string quoted(std::string_view field) {
    if (field.empty()) return "the end of the line";
    constexpr std::size_t longest = 40;
    std::string text;
    for (const char c : field.substr(0, longest)) {
        text +=
            static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f ? '.' : c;
    }
    return fmt::format("'{}{}'", text, field.size() > longest ? "..." : "");
}

void LineCursor::fail(ErrorCode code, const char* at, std::string message, std::string accepted,
                      std::string hint) const {
    const char* first = at;
    while (first != begin_ && first[-1] != '\n') --first;
    const char* last = at;
    while (last < end_ && *last != '\n') ++last;
    throw Error({.code = code,
                 .message = std::move(message),
                 .file = *file_,
                 .line = line_,
                 .column = at - first + 1,
                 .source_line = std::string(first, std::min<std::ptrdiff_t>(last - first, 4096)),
                 .accepted = std::move(accepted),
                 .hint = std::move(hint)});
}

void LineCursor::fail_number(const char* start, std::string_view what, char separator,
                             std::string_view accepted) const {
    const char* stop = start;
    while (!is_blank(*stop) && *stop != separator) ++stop;
    const std::string_view found(start, static_cast<std::size_t>(stop - start));
    fail(ErrorCode::syntax, start, fmt::format("expected {}, found {}", what, quoted(found)),
         std::string(accepted));
}

void LineCursor::fail_range_text(const char* start, std::string_view what, const std::string& low,
                                 const std::string& high) const {
    const char* stop = start;
    while (static_cast<unsigned char>(*stop - '0') < 10 || *stop == '-' || *stop == '+') ++stop;
    const std::string_view found(start, static_cast<std::size_t>(stop - start));
    fail(ErrorCode::range, start, fmt::format("{} {} is out of range", what, found),
         fmt::format("{} to {}", low, high));
}

void LineCursor::fail_nan(const char* start, std::string_view what) const {
    fail(ErrorCode::range, start, fmt::format("{} is not a number (NaN)", what),
         "a finite number or inf", "remove the entry, or give it a value");
}

} // namespace tropic
