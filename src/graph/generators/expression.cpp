#include "graph/generators/expression.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <string>

namespace tropic::generators {

namespace {

bool starts_a_word(std::string_view text) {
    const char c = text.front();
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

Argument parse_argument(std::string_view text, Index column) {
    Argument argument{.column = column, .value_column = column};
    const auto equals = text.find('=');
    if (equals != std::string_view::npos) {
        argument.kind = ArgumentKind::pair;
        argument.key = text.substr(0, equals);
        argument.value = text.substr(equals + 1);
        argument.value_column = column + static_cast<Index>(equals) + 1;
    } else if (starts_a_word(text)) {
        argument.kind = ArgumentKind::flag;
        argument.key = text;
    } else {
        argument.value = text;
    }
    return argument;
}

/// All of `text` as decimal digits.
bool parse_digits(std::string_view text, Index& value, bool& too_large) noexcept {
    if (text.empty() || text.front() < '0' || text.front() > '9') return false;
    const char* end = text.data() + text.size();
    const auto [stop, code] = std::from_chars(text.data(), end, value);
    if (stop != end) return false;
    too_large = code == std::errc::result_out_of_range;
    return !too_large;
}

/// base^exponent * factor.
bool scaled_power(Index factor, Index base, Index exponent, Index& value,
                  bool& too_large) noexcept {
    value = factor;
    if (base <= 1 || factor == 0) {
        if (base == 0 && exponent > 0) value = 0;
        return true;
    }
    for (Index i = 0; i < exponent; ++i) {
        if (__builtin_mul_overflow(value, base, &value)) {
            too_large = true;
            return false;
        }
    }
    return true;
}

/// Insertions, deletions, replacements and swaps of neighbours between the two.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1);
    std::vector<std::size_t> above(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(above.begin(), above.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = std::min(row[j], before[j - 2] + 1);
            }
        }
        std::swap(before, above);
        std::swap(above, row);
    }
    return above[b.size()];
}

} // namespace

void fail(std::string_view text, Index column, std::string message, std::string accepted,
          std::string hint) {
    throw Error(Diagnostic{.code = ErrorCode::usage,
                           .message = std::move(message),
                           .line = 1,
                           .column = column,
                           .source_line = std::string(text),
                           .accepted = std::move(accepted),
                           .hint = std::move(hint)});
}

Expression parse_expression(std::string_view text) {
    Expression expression{.text = text, .name = text.substr(0, text.find(':')), .arguments = {}};
    if (expression.name.size() == text.size()) {
        fail(text, static_cast<Index>(text.size()) + 1,
             "a generator expression has a colon behind the generator's name",
             "name:arguments, such as kron:16");
    }
    const auto begin = expression.name.size() + 1;
    if (begin == text.size()) return expression;
    for (auto at = begin;;) {
        const auto end = std::min(text.find(',', at), text.size());
        const auto column = static_cast<Index>(at) + 1;
        if (end == at) {
            fail(text, column, "there is an empty argument here",
                 "arguments separated by single commas");
        }
        expression.arguments.push_back(parse_argument(text.substr(at, end - at), column));
        if (end == text.size()) return expression;
        at = end + 1;
    }
}

bool parse_whole(std::string_view text, Index& value, bool& too_large) noexcept {
    too_large = false;
    if (text.empty()) return false;
    const auto mark = text.find_first_of("^eE");
    if (mark != std::string_view::npos) {
        Index left = 0;
        Index right = 0;
        if (!parse_digits(text.substr(0, mark), left, too_large)) return false;
        if (!parse_digits(text.substr(mark + 1), right, too_large)) return false;
        return text[mark] == '^' ? scaled_power(1, left, right, value, too_large)
                                 : scaled_power(left, 10, right, value, too_large);
    }
    Index exponent = 0;
    switch (text.back()) {
    case 'k':
    case 'K':
        exponent = 3;
        break;
    case 'M':
        exponent = 6;
        break;
    case 'G':
        exponent = 9;
        break;
    default:
        return parse_digits(text, value, too_large);
    }
    Index number = 0;
    return parse_digits(text.substr(0, text.size() - 1), number, too_large) &&
           scaled_power(number, 10, exponent, value, too_large);
}

bool parse_real(std::string_view text, double& value) noexcept {
    const char* end = text.data() + text.size();
    const auto [stop, code] = std::from_chars(text.data(), end, value);
    return code == std::errc{} && stop == end && std::isfinite(value);
}

std::string_view nearest_name(std::string_view name,
                              const std::vector<std::string_view>& candidates) {
    std::string_view best;
    // A name much longer than any candidate is no misspelling, and not worth a large table.
    if (name.size() > 32) return best;
    std::size_t least = name.size() <= 3 ? 2 : 3;
    for (const std::string_view candidate : candidates) {
        const std::size_t distance = edit_distance(name, candidate);
        if (distance < least || (!name.empty() && best.empty() && candidate.starts_with(name))) {
            least = std::min(least, distance);
            best = candidate;
        }
    }
    return best;
}

} // namespace tropic::generators
