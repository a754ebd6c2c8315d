#include "graph/files/line_cursor.h"

#include <cmath>

#include <fmt/format.h>

#include "support/printable.h"

namespace tropic {

std::string quoted(std::string_view field) {
    if (field.empty()) return "the end of the line";
    constexpr std::size_t widest = 40;
    const Printable shown = printable(field, widest);
    return fmt::format("'{}{}'", shown.text, shown.bytes < field.size() ? "..." : "");
}

bool is_quoted_number(std::string_view field) noexcept {
    if (field.size() < 2 || field[0] != '"') return false;
    return is_digit(field[1]) || field[1] == '-' || field[1] == '+' || field[1] == '.';
}

namespace {

/// Whether a decimal number that fits no floating-point type is too large, not too small: whether
/// its first digit other than zero stands left of the decimal point once the exponent is applied.
bool is_too_large(std::string_view number) {
    Index exponent = 0;
    if (const auto e = number.find_first_of("eE"); e != number.npos) {
        std::string_view written = number.substr(e + 1);
        const bool shrinks = written.starts_with('-');
        if (shrinks || written.starts_with('+')) written.remove_prefix(1);
        const auto [stop, error] =
            std::from_chars(written.data(), written.data() + written.size(), exponent);
        if (error != std::errc{}) return !shrinks;
        if (shrinks) exponent = -exponent;
        number = number.substr(0, e);
    }
    const auto point = std::min(number.find('.'), number.size());
    const auto first = number.find_first_of("123456789");
    if (first == number.npos) return false;
    const auto place = static_cast<Index>(point) - static_cast<Index>(first);
    return exponent > -place;
}

} // namespace

template <class T> T LineCursor::long_real(std::string_view what, char separator) {
    const char* start = p_;
    const char* from = *start == '+' && start[1] != '-' ? start + 1 : start;
    T value{};
    const auto [stop, error] = std::from_chars(from, end_, value);
    if (stop == from || !(is_blank(*stop) || *stop == separator)) {
        fail_number(start, what, separator, "a number");
    }
    p_ = stop;
    const std::string_view text(from, static_cast<std::size_t>(stop - from));
    const bool digits_only = text.find_first_of("nN") == text.npos;
    if (error == std::errc::result_out_of_range || (std::isinf(value) && digits_only)) {
        if (is_too_large(text)) fail_overflow(start, what);
        const bool is_zero = text.substr(0, text.find_first_of("eE")).find_first_of("123456789") ==
                             std::string_view::npos;
        if (!is_zero) fail_underflow(start, what);
        return text.starts_with('-') ? -T{0} : T{0};
    }
    if (std::isnan(value)) fail_nan(start, what);
    return value;
}

template float LineCursor::long_real<float>(std::string_view, char);
template double LineCursor::long_real<double>(std::string_view, char);

void LineCursor::fail_overflow(const char* start, std::string_view what) const {
    fail(ErrorCode::range, start,
         fmt::format("{} {} is too large for a floating-point number", what,
                     quoted(field_at(start))),
         "finite numbers up to about 1.8e308 (3.4e38 for float32), or inf");
}

void LineCursor::fail_underflow(const char* start, std::string_view what) const {
    fail(ErrorCode::range, start,
         fmt::format("{} {} is too small for a floating-point number", what,
                     quoted(field_at(start))),
         "0, or numbers from about 4.9e-324 on (1.4e-45 for float32)",
         "write 0 if that is near enough");
}

void LineCursor::fail(ErrorCode code, const char* at, std::string message, std::string accepted,
                      std::string hint) const {
    const char* first = at;
    while (first != begin_ && first[-1] != '\n') --first;
    // What is wrong behind a carriage return that should have ended the line is no fault of its
    // own.
    for (const char* p = first; p < at; ++p) {
        if (*p != '\r' || p[1] == '\r' || p[1] == '\n') continue;
        at = p;
        code = ErrorCode::syntax;
        message = lone_return;
        accepted = lone_return_accepted;
        hint = lone_return_hint;
    }
    const char* last = at;
    while (last < end_ && *last != '\n') ++last;
    if (last > at && last[-1] == '\r') --last;
    throw Error({.code = code,
                 .message = std::move(message),
                 .file = *file_,
                 .line = line_,
                 .column = at - first + 1,
                 .source_line = std::string(
                     first, std::min<std::size_t>(last - first, shown_bytes(at - first + 1))),
                 .accepted = std::move(accepted),
                 .hint = std::move(hint)});
}

void LineCursor::fail_number(const char* start, std::string_view what, char separator,
                             std::string_view accepted) const {
    const char* stop = start;
    while (!is_blank(*stop) && *stop != separator) ++stop;
    const std::string_view found(start, static_cast<std::size_t>(stop - start));
    fail(ErrorCode::syntax, start, fmt::format("expected {}, found {}", what, quoted(found)),
         std::string(accepted), std::string(is_quoted_number(found) ? unquote_hint : ""));
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
