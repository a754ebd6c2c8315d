#include "graph/files/fields.h"

#include <charconv>

#include <fmt/format.h>

#include "support/counted.h"

namespace tropic {

namespace {

std::string_view field_at(const char* start, char separator) {
    const char* stop = start;
    while (!ends_field(*stop, separator)) ++stop;
    return {start, static_cast<std::size_t>(stop - start)};
}

/// How a message names what stands at `start`.
std::string found(const char* start, std::string_view text) {
    const bool ended = *start == '\n' || *start == '\r';
    return text.empty() && !ended ? "an empty field" : quoted(text);
}

/// Advice about the kind of number does not help where there is none, or where quotes are in the
/// way.
std::string hint_at(std::string_view text, std::string_view hint) {
    if (text.empty()) return {};
    return std::string(is_quoted_number(text) ? unquote_hint : hint);
}

/// An optional sign and digits.
bool is_whole(std::string_view text) {
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_real(std::string_view text) {
    if (!text.empty() && text.front() == '+') text.remove_prefix(1);
    double value = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error != std::errc::invalid_argument && stop == text.data() + text.size();
}

/// The value of a whole number; false if it does not fit.
template <class T> bool whole_value(std::string_view text, T& value) {
    if (text.front() == '+') text.remove_prefix(1);
    return std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc{};
}

} // namespace

Index slow_id(LineCursor& cursor, const IdField& field) {
    const char* start = cursor.position();
    const std::string_view text = field_at(start, field.separator);
    Index value = 0;
    if (!is_whole(text) || !whole_value(text, value)) fail_id(cursor, start, field);
    cursor.move_to(start + text.size());
    return value;
}

void fail_id(const LineCursor& cursor, const char* start, const IdField& field) {
    const std::string_view text = field_at(start, field.separator);
    std::string accepted = fmt::format("a whole number from {} to {}", field.low, field.high);
    if (field.high < field.low) accepted = "no ids at all: the header says there are no vertices";
    if (!is_whole(text)) {
        cursor.fail(ErrorCode::syntax, start,
                    fmt::format("expected {}, found {}", field.what, found(start, text)),
                    std::move(accepted), hint_at(text, field.text_hint));
    }
    Index value = 0;
    const bool fits = whole_value(text, value);
    std::string hint;
    if (text.front() == '-') hint = "ids are never negative: check how the file was made";
    else if (fits && value == 0 && field.low == 1)
        hint = "ids count from 1 here: add 1 to every id if the file counts from 0";
    else if (field.high < std::numeric_limits<Index>::max()) hint = field.range_hint;
    cursor.fail(ErrorCode::range, start,
                fmt::format("{} {} is out of range", field.what, text.substr(0, 40)),
                std::move(accepted), std::move(hint));
}

Index slow_weight(LineCursor& cursor, const WeightField& field) {
    const char* start = cursor.position();
    const std::string_view text = field_at(start, field.separator);
    Index value = 0;
    if (!is_whole(text) || !whole_value(text, value)) {
        std::uint64_t large = 0;
        if (field.reals && is_whole(text) && whole_value(text, large)) {
            throw WidenValue{ElementType::uint64};
        }
        if (field.reals && is_real(text)) throw WidenValue{ElementType::float64};
        fail_weight(cursor, start, field);
    }
    cursor.move_to(start + text.size());
    return value;
}

std::uint64_t slow_unsigned_weight(LineCursor& cursor, const WeightField& field) {
    const char* start = cursor.position();
    const std::string_view text = field_at(start, field.separator);
    std::uint64_t value = 0;
    if (!is_whole(text) || !whole_value(text, value)) {
        if (field.reals && is_real(text)) throw WidenValue{ElementType::float64};
        fail_weight(cursor, start, field);
    }
    cursor.move_to(start + text.size());
    return value;
}

void fail_weight(const LineCursor& cursor, const char* start, const WeightField& field) {
    const std::string_view text = field_at(start, field.separator);
    std::string hint = hint_at(text, field.hint);
    if (!is_whole(text)) {
        cursor.fail(ErrorCode::syntax, start,
                    fmt::format("expected {}, found {}", field.what, found(start, text)),
                    field.reals ? "a number" : "a whole number", std::move(hint));
    }
    cursor.fail(
        ErrorCode::range, start,
        fmt::format("{} {} is out of range", field.what, text.substr(0, 40)),
        fmt::format("a whole number from {} to {}", field.low, std::numeric_limits<Index>::max()),
        std::move(hint));
}

void RoundedWeights::look_closely(std::string_view text, double value, Index line) {
    if (!is_whole(text)) return;
    const std::string exact = fmt::format("{:.0f}", std::abs(value));
    const std::size_t digits = std::min(text.find_first_not_of("+-0"), text.size());
    if (text.substr(digits) == exact) return;
    if (count_++ > 0) return;
    line_ = line;
    first_ = quoted(text);
    became_ = fmt::format("{}{}", value < 0 ? "-" : "", exact.substr(0, 40));
}

void RoundedWeights::include(const RoundedWeights& later) {
    if (count_ == 0) *this = later;
    else count_ += later.count_;
}

void RoundedWeights::warn(std::string_view things, std::vector<std::string>& warnings) const {
    if (count_ == 0) return;
    warnings.push_back(fmt::format(
        "{} {} rounded to float64, for no 64-bit integer type holds all {}: the first, {} on "
        "line {}, became {}",
        counted(count_, fmt::format("whole {}", things)), count_ == 1 ? "was" : "were", things,
        first_, line_, became_));
}

void expect_line_end(LineCursor& cursor, std::string_view line_shape) {
    cursor.skip_blanks();
    if (cursor.at_line_end()) [[likely]]
        return;
    cursor.fail(ErrorCode::syntax, cursor.position(),
                fmt::format("expected the end of the line, found {}", quoted(cursor.field())),
                fmt::format("lines of the form \"{}\"", line_shape));
}

HeaderLine::HeaderLine(const TextFile& file, std::string_view line)
    : text_(line), line_(file.line_number()) {
    std::size_t at = 0;
    for (;;) {
        at = text_.find_first_not_of(" \t\r", at);
        if (at == std::string::npos) break;
        const std::size_t stop = std::min(text_.find_first_of(" \t\r", at), text_.size());
        fields_.emplace_back(at, stop - at);
        at = stop;
    }
}

void HeaderLine::fail(const TextFile& file, std::size_t i, ErrorCode code, std::string message,
                      std::string accepted, std::string hint) const {
    const std::size_t at = i < fields_.size() ? fields_[i].first : text_.size();
    file.fail(code, line_, static_cast<Index>(at) + 1, text_, std::move(message),
              std::move(accepted), std::move(hint));
}

Index HeaderLine::number(const TextFile& file, std::size_t i, std::string_view what, Index low,
                         Index high, std::string_view shape) const {
    const std::string_view text = i < fields_.size() ? field(i) : std::string_view{};
    if (!is_whole(text)) {
        fail(file, i, ErrorCode::syntax, fmt::format("expected {}, found {}", what, quoted(text)),
             fmt::format("a header \"{}\"", shape));
    }
    Index value = 0;
    if (!whole_value(text, value) || value < low || value > high) {
        fail(file, i, ErrorCode::range,
             fmt::format("{} {} is out of range", what, text.substr(0, 40)),
             fmt::format("a whole number from {} to {}", low, high));
    }
    return value;
}

void check_count(const TextFile& file, const HeaderLine& header, std::size_t i,
                 std::string_view things, Index promised, Index found) {
    if (found == promised) return;
    const bool short_of = found < promised;
    header.fail(file, i, short_of ? ErrorCode::truncated : ErrorCode::inconsistent,
                fmt::format("the header promises {}, and the file has {}",
                            counted(promised, things), found),
                fmt::format("as many {} as the header says", things),
                short_of ? "get the file again if it was cut off, or correct the header"
                         : "correct the header");
}

} // namespace tropic
