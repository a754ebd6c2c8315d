// Walks through the lines and fields of a text block and turns fields into numbers; every failure
// names file, line, column, what was found and what is accepted.
#pragma once

#include <charconv>
#include <cstring>
#include <string>
#include <utility>

#include "graph/files/number_scan.h"
#include "graph/files/text_file.h"

namespace tropic {

/// The field as it is quoted in a message: short, printable, "the end of the line" if empty.
std::string quoted(std::string_view field);

/// A number between quotes, as spreadsheets and R write them, and what to do about it.
bool is_quoted_number(std::string_view field) noexcept;
inline constexpr std::string_view unquote_hint =
    "numbers in quotes are not read: remove the quotes first, with tr -d '\"'";

/// What is wrong with a carriage return that no line feed follows, and what to do about it.
inline constexpr std::string_view lone_return = "a carriage return that does not end the line";
inline constexpr std::string_view lone_return_accepted = "lines that end with LF or CRLF";
inline constexpr std::string_view lone_return_hint =
    "if lines end like this, as on old Macs: tr '\\r' '\\n'; if not, remove it: tr -d '\\r'";

class LineCursor {
  public:
    explicit LineCursor(const TextBlock& block)
        : p_(block.text.data()), end_(p_ + block.text.size()), begin_(p_), line_(block.first_line),
          file_(block.file) {}

    /// Behind the last line of the block.
    bool done() const noexcept { return p_ >= end_; }
    Index line() const noexcept { return line_; }
    const char* position() const noexcept { return p_; }
    const char* end() const noexcept { return end_; }
    void move_to(const char* position) noexcept { p_ = position; }
    /// To the start of the line with that number.
    void move_to(const char* position, Index line) noexcept {
        p_ = position;
        line_ = line;
    }
    char peek() const noexcept { return *p_; }

    void skip_blanks() noexcept {
        while (*p_ == ' ' || *p_ == '\t' || *p_ == '\r') ++p_;
    }
    /// Call after skip_blanks.
    bool at_line_end() const noexcept { return *p_ == '\n'; }

    /// Moves to the start of the next line, over whatever is left of this one.
    void next_line() noexcept {
        if (*p_ != '\n') p_ = static_cast<const char*>(std::memchr(p_, '\n', end_ - p_ + 1));
        ++p_;
        ++line_;
    }

    /// The text up to the next blank or line end.
    std::string_view field() const noexcept { return field_at(p_); }

    /// Reads a whole number in [low, high] that ends with a blank, the line end or `separator`.
    template <class T> T integer(std::string_view what, T low, T high, char separator = ' ') {
        const char* start = p_;
        const bool negative = *p_ == '-';
        if (negative || *p_ == '+') ++p_;
        std::uint64_t value = 0;
        const auto count = scan_digits(p_, end_, value);
        if (count == 0 || !(is_blank(*p_) || *p_ == separator)) [[unlikely]] {
            fail_number(start, what, separator, "a whole number");
        }
        if (count > 18) [[unlikely]]
            return long_integer(start, what, low, high);
        const auto number =
            negative ? -static_cast<std::int64_t>(value) : static_cast<std::int64_t>(value);
        if (!in_range(number, low, high)) [[unlikely]]
            fail_range(start, what, low, high);
        return static_cast<T>(number);
    }

    /// Reads a decimal number (infinities as inf; NaN is refused, as is a number that is too large
    /// for the type, or so small that it would become 0).
    template <class T> T real(std::string_view what, char separator = ' ') {
        const char* start = p_;
        if (*p_ == '+' && p_[1] != '-') ++p_;
        T value{};
        if (scan_short_real(p_, end_, value) && (is_blank(*p_) || *p_ == separator)) [[likely]] {
            return value;
        }
        p_ = start;
        return long_real<T>(what, separator);
    }

    /// An error at `at`, which must be in this block (the current line, or the one a number began
    /// on).
    [[noreturn]] void fail(ErrorCode code, const char* at, std::string message,
                           std::string accepted = {}, std::string hint = {}) const;

  private:
    static std::string_view field_at(const char* p) noexcept {
        const char* q = p;
        while (!is_blank(*q)) ++q;
        return {p, static_cast<std::size_t>(q - p)};
    }
    static bool is_blank(char c) noexcept {
        return c == ' ' || c == '\t' || c == '\r' || c == '\n';
    }
    template <class T> static bool in_range(std::int64_t number, T low, T high) noexcept {
        return std::cmp_greater_equal(number, low) && std::cmp_less_equal(number, high);
    }
    template <class T> T long_integer(const char* start, std::string_view what, T low, T high) {
        T value{};
        const char* from = *start == '+' ? start + 1 : start;
        const auto [stop, error] = std::from_chars(from, end_, value);
        if (error != std::errc{} || value < low || value > high) fail_range(start, what, low, high);
        return value;
    }
    template <class T>
    [[noreturn]] void fail_range(const char* start, std::string_view what, T low, T high) const {
        fail_range_text(start, what, std::to_string(low), std::to_string(high));
    }
    template <class T> T long_real(std::string_view what, char separator);
    [[noreturn]] void fail_number(const char* start, std::string_view what, char separator,
                                  std::string_view accepted) const;
    [[noreturn]] void fail_range_text(const char* start, std::string_view what,
                                      const std::string& low, const std::string& high) const;
    [[noreturn]] void fail_nan(const char* start, std::string_view what) const;
    [[noreturn]] void fail_overflow(const char* start, std::string_view what) const;
    [[noreturn]] void fail_underflow(const char* start, std::string_view what) const;

    const char* p_;
    const char* end_;
    const char* begin_;
    Index line_;
    const std::string* file_;
};

/// What `read` reads; if that is no number at all, the error advises `hint` unless it knows better.
template <class Read> auto advised(const Read& read, std::string_view hint) {
    try {
        return read();
    } catch (const Error& error) {
        if (error.code() != ErrorCode::syntax) throw;
        Diagnostic diagnostic = error.diagnostic();
        if (diagnostic.hint.empty()) diagnostic.hint = hint;
        throw Error(std::move(diagnostic));
    }
}

} // namespace tropic
