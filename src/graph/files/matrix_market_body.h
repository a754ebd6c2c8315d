// The body of a Matrix Market file as lines of entries: what its coordinate and array readers have
// in common. A piece of text is parsed by a fast path that handles lines as programs write them;
// any other line is parsed by a LineCursor, which is tolerant where the format is and precise where
// it is not.
#pragma once

#include <charconv>
#include <cmath>

#include "graph/files/coordinate_collector.h"
#include "graph/files/line_cursor.h"
#include "graph/files/matrix_market.h"

namespace tropic::matrix_market {

/// Stands for the value of an entry without one.
struct NoValue {};

/// The limits of values of a type: what a mirrored value with its sign changed must fit, too.
template <class V> struct Limits {
    V low = std::numeric_limits<V>::lowest();
    V high = std::numeric_limits<V>::max();
    bool skew;
    Reading reading;

    Limits(const Header& header, const Reading& how)
        : skew(header.symmetry == Symmetry::skew_symmetric), reading(how) {
        if constexpr (std::is_integral_v<V> && std::is_signed_v<V>) {
            if (skew) low = static_cast<V>(-high);
        }
    }
};
template <> struct Limits<NoValue> {
    Limits(const Header&, const Reading&) {}
};

/// Thrown by what meets a value that only a wider type holds, and through the pipeline to end it.
struct TooNarrow {
    Index line;
};

/// For a whole number at `at` that does not fit the type guessed: throws TooNarrow if a wider one
/// is to be tried, else an error that says what is wrong with it.
[[noreturn]] void fail_misfit(const LineCursor& cursor, const char* at, bool skew,
                              const Reading& reading);

/// Reads a value in its usual form; false, with `p` anywhere, if it needs a closer look.
template <class V>
inline bool fast_value(const char*& p, const char* end, const Limits<V>& limits, V& value) {
    if constexpr (std::is_same_v<V, NoValue>) {
        return true;
    } else if constexpr (std::is_floating_point_v<V>) {
        if (scan_short_real(p, end, value)) return true;
        const auto [stop, error] = std::from_chars(p, end, value);
        p = stop;
        return error == std::errc{} && std::isfinite(value);
    } else {
        const bool negative = *p == '-';
        if (negative) ++p;
        std::uint64_t digits = 0;
        const auto count = scan_digits(p, end, digits);
        if (count == 0 || count > 18) return false;
        const auto number =
            negative ? -static_cast<std::int64_t>(digits) : static_cast<std::int64_t>(digits);
        if constexpr (std::is_same_v<V, bool>) {
            value = number != 0;
            return number == 0 || number == 1;
        } else {
            value = static_cast<V>(number);
            return std::cmp_greater_equal(number, limits.low) &&
                   std::cmp_less_equal(number, limits.high);
        }
    }
}

/// Reads a value or throws.
template <class V> V careful_value(LineCursor& cursor, const Limits<V>& limits) {
    constexpr std::string_view what = "a value";
    if constexpr (std::is_same_v<V, NoValue>) return {};
    else if constexpr (std::is_floating_point_v<V>) {
        return advised(
            [&] { return cursor.real<V>(what); },
            "use a decimal point; write pattern in the banner if entries have no values");
    } else if constexpr (std::is_same_v<V, bool>) return cursor.integer<int>(what, 0, 1) != 0;
    else {
        const char* const at = cursor.position();
        try {
            return advised(
                [&] { return cursor.integer<V>(what, limits.low, limits.high); },
                "write real in the banner for fractions, pattern if entries have no values");
        } catch (const Error& error) {
            if (error.code() != ErrorCode::range || !limits.reading.guessed) throw;
            fail_misfit(cursor, at, limits.skew, limits.reading);
        }
    }
}

/// What a parser found in a piece of text, up to an error if there was one.
struct Piece {
    TextBlock block;
    Index lines = 0;       ///< entries as the size line counts them
    Index narrow_line = 0; ///< that of a value for which a wider type is to be tried; 0: none
    std::exception_ptr error;

    void start(const TextBlock& next) {
        block = next;
        lines = 0;
        narrow_line = 0;
        error = nullptr;
    }
};

/// Compares the lines found with the lines announced.
class LineCount {
  public:
    LineCount(TextFile& file, const Header& header) : file_(file), header_(header) {}

    /// Throws what is wrong with the piece, TooNarrow if a value did not fit; the first line too
    /// many comes before any error in it or behind it, whatever the pieces are.
    void add(const Piece& piece);

    /// Throws if lines are missing at the end.
    void check_end() const;

    Index lines() const noexcept { return lines_; }

  private:
    TextFile& file_;
    const Header& header_;
    Index lines_ = 0;
};

/// Parses all lines of a block: `fast(p, end)` moves over as many whole lines as it can and returns
/// how many; `careful(cursor)` parses the entry at which it stopped, up to the line end, or throws.
template <class Fast, class Careful>
void parse_lines(const TextBlock& block, Piece& piece, const Fast& fast, const Careful& careful,
                 std::string_view extra_hint = {}) {
    const char* p = block.text.data();
    const char* const end = p + block.text.size();
    LineCursor cursor(block);
    Index line = block.first_line;
    try {
        while (true) {
            const Index run = fast(p, end);
            piece.lines += run;
            line += run;
            if (p >= end) break;
            cursor.move_to(p, line);
            cursor.skip_blanks();
            if (!cursor.at_line_end() && cursor.peek() != '%') {
                careful(cursor);
                cursor.skip_blanks();
                if (!cursor.at_line_end()) {
                    cursor.fail(ErrorCode::syntax, cursor.position(),
                                "text behind the entry: " + quoted(cursor.field()),
                                "one entry a line", std::string(extra_hint));
                }
                ++piece.lines;
            }
            cursor.next_line();
            ++line;
            p = cursor.position();
        }
    } catch (const TooNarrow& narrow) {
        piece.narrow_line = narrow.line;
    } catch (const Error& error) {
        if (error.diagnostic().line == 0) throw;
        piece.error = std::current_exception();
    }
}

} // namespace tropic::matrix_market
