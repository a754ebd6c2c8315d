// The banner, the comments behind it and the size line.
#include <array>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "graph/files/line_cursor.h"
#include "graph/files/matrix_market.h"
#include "support/counted.h"
#include "support/nearest.h"

namespace tropic::matrix_market {

namespace {

constexpr std::string_view example_banner = "%%MatrixMarket matrix coordinate real general";

struct Word {
    std::string_view text;
    Index column;
};

std::vector<Word> words_of(std::string_view line) {
    std::vector<Word> words;
    std::size_t at = 0;
    while (true) {
        at = line.find_first_not_of(" \t\r", at);
        if (at == line.npos) return words;
        const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
        words.push_back({line.substr(at, end - at), static_cast<Index>(at) + 1});
        at = end;
    }
}

bool same(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, [](char x, char y) {
        const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : int{c}; };
        return lower(x) == lower(y);
    });
}

/// One word of the banner, told by its place in it.
class Banner {
  public:
    Banner(const TextFile& file, std::string_view line)
        : file_(file), line_(line), words_(words_of(line)) {}

    /// Which of `accepted` stands at `place`.
    std::size_t choose(std::size_t place, std::string_view what,
                       std::span<const std::string_view> accepted) const {
        const std::string list = fmt::format("{}", fmt::join(accepted, ", "));
        if (place >= words_.size()) {
            fail(ErrorCode::syntax, static_cast<Index>(line_.size()) + 1,
                 fmt::format("the banner ends before its {}", what), list,
                 fmt::format("a whole banner is {}", example_banner));
        }
        const Word& word = words_[place];
        for (std::size_t i = 0; i < accepted.size(); ++i) {
            if (same(word.text, accepted[i])) return i;
        }
        if (same(word.text, "complex")) {
            fail(ErrorCode::unsupported, word.column, "complex matrices are not read", list,
                 "write the real part or the magnitudes as a real matrix");
        }
        if (same(word.text, "hermitian")) {
            fail(ErrorCode::unsupported, word.column, "hermitian matrices are not read", list,
                 "for real values 'symmetric' says the same");
        }
        const std::string_view guess = nearest(word.text, accepted);
        fail(ErrorCode::syntax, word.column,
             fmt::format("the {} {} is unknown", what, quoted(word.text)), list,
             guess.empty() ? "" : fmt::format("did you mean '{}'?", guess));
    }

    void expect_end(std::size_t place) const {
        if (place >= words_.size()) return;
        fail(ErrorCode::syntax, words_[place].column,
             fmt::format("the banner goes on with {}", quoted(words_[place].text)),
             fmt::format("five words, such as {}", example_banner));
    }

    [[noreturn]] void fail_at(std::size_t place, std::string message, std::string accepted,
                              std::string hint = {}) const {
        fail(ErrorCode::inconsistent, words_[place].column, std::move(message), std::move(accepted),
             std::move(hint));
    }

  private:
    [[noreturn]] void fail(ErrorCode code, Index column, std::string message, std::string accepted,
                           std::string hint = {}) const {
        file_.fail(code, file_.line_number(), column, line_, std::move(message),
                   std::move(accepted), std::move(hint));
    }

    const TextFile& file_;
    std::string_view line_;
    std::vector<Word> words_;
};

void read_banner(const TextFile& file, std::string_view line, Header& header) {
    constexpr std::array<std::string_view, 1> objects = {"matrix"};
    constexpr std::array<std::string_view, 2> layouts = {"coordinate", "array"};
    constexpr std::array<std::string_view, 4> fields = {"real", "integer", "pattern", "double"};
    constexpr std::array<std::string_view, 3> symmetries = {"general", "symmetric",
                                                            "skew-symmetric"};
    const Banner banner(file, line);
    banner.choose(1, "object", objects);
    header.layout = static_cast<Layout>(banner.choose(2, "layout", layouts));
    const std::size_t field = banner.choose(3, "field", fields);
    header.field = static_cast<Field>(field == 3 ? 0 : field);
    header.symmetry = static_cast<Symmetry>(banner.choose(4, "symmetry", symmetries));
    banner.expect_end(5);
    if (header.field == Field::pattern && header.layout == Layout::array) {
        banner.fail_at(3, "an array lists values, and a pattern has none",
                       "array with real or integer, or coordinate with pattern");
    }
    if (header.field == Field::pattern && header.symmetry == Symmetry::skew_symmetric) {
        banner.fail_at(4, "a pattern has no values that could change their sign when mirrored",
                       "pattern with general or symmetric");
    }
}

/// The type of a "%%GraphBLAS type int8_t" comment, if the line is one.
void read_type_comment(const TextFile& file, std::string_view line, Header& header) {
    const std::vector<Word> words = words_of(line);
    if (words.size() < 3 || !same(words[0].text, "%%GraphBLAS") || !same(words[1].text, "type")) {
        return;
    }
    std::string_view name = words[2].text;
    if (name.ends_with("_t")) name.remove_suffix(2);
    ElementType type{};
    if (words.size() > 3 || !parse_element_type(name, type) || type == ElementType::pattern) {
        file.fail(ErrorCode::unsupported, file.line_number(), words[2].column, line,
                  fmt::format("the element type {} is not offered",
                              quoted(line.substr(static_cast<std::size_t>(words[2].column) - 1))),
                  "bool, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, "
                  "float, double");
    }
    header.type = type;
}

/// The next line that is neither blank nor a comment; false at the end.
bool next_content_line(TextFile& file, std::string_view& line, Header& header) {
    while (file.next_line(line)) {
        const std::size_t first = line.find_first_not_of(" \t\r");
        if (first == line.npos) continue;
        if (line[first] != '%') return true;
        read_type_comment(file, line, header);
    }
    return false;
}

void read_sizes(TextFile& file, std::string_view line, Header& header) {
    constexpr Index most = std::numeric_limits<Index>::max();
    const TextBlock block{line, file.line_number(), &file.name()};
    LineCursor cursor(block);
    const auto next = [&](std::string_view what) {
        cursor.skip_blanks();
        return advised([&] { return cursor.integer<Index>(what, 0, most); },
                       header.layout == Layout::coordinate
                           ? "a size line is 'rows columns entries', separated by blanks"
                           : "the size line of an array is 'rows columns', separated by blanks");
    };
    header.size_line = file.line_number();
    header.rows = next("the number of rows");
    header.cols = next("the number of columns");
    if (header.layout == Layout::coordinate) header.entries = next("the number of entries");
    cursor.skip_blanks();
    if (!cursor.at_line_end()) {
        cursor.fail(ErrorCode::syntax, cursor.position(),
                    fmt::format("the size line goes on with {}", quoted(cursor.field())),
                    header.layout == Layout::coordinate ? "three numbers: rows, columns, entries"
                                                        : "two numbers: rows, columns");
    }
    if (header.symmetry != Symmetry::general && header.rows != header.cols) {
        file.fail(ErrorCode::inconsistent, header.size_line, 1, line,
                  fmt::format("a {} matrix is square, and this one has {} and {}",
                              name_of(header.symmetry), counted(header.rows, "rows"),
                              counted(header.cols, "columns")),
                  "as many rows as columns", "correct the sizes, or write 'general' in the banner");
    }
    if (header.layout == Layout::coordinate) return;
    // An array announces its entries by its sizes.
    Index product = 0;
    const Index n = header.rows;
    bool overflow = false;
    if (header.symmetry == Symmetry::general) {
        overflow = __builtin_mul_overflow(n, header.cols, &product);
    } else {
        const Index diagonal = header.symmetry == Symmetry::symmetric ? 1 : -1;
        overflow = n == most || __builtin_mul_overflow(n, n + diagonal, &product);
        product /= 2;
    }
    if (overflow) {
        file.fail(ErrorCode::range, header.size_line, 1, line,
                  fmt::format("an array of {} x {} has more elements than can be counted",
                              header.rows, header.cols),
                  "sizes whose product is below 2^63");
    }
    header.entries = product;
}

/// A file without a banner tells by the columns of its first entry whether it has values. The file
/// is left behind its size line.
void guess_field(TextFile& file, Header& header) {
    std::string_view line;
    Header ignored;
    const bool has_entry = next_content_line(file, line, ignored);
    const std::size_t columns = has_entry ? words_of(line).size() : 2;
    header.field = columns <= 2 ? Field::pattern : Field::real;
    file.rewind();
    while (file.line_number() < header.size_line && file.next_line(line)) {
    }
}

} // namespace

std::string_view name_of(Layout layout) noexcept {
    return layout == Layout::coordinate ? "coordinate" : "array";
}

std::string_view name_of(Field field) noexcept {
    if (field == Field::real) return "real";
    return field == Field::integer ? "integer" : "pattern";
}

std::string_view name_of(Symmetry symmetry) noexcept {
    if (symmetry == Symmetry::general) return "general";
    return symmetry == Symmetry::symmetric ? "symmetric" : "skew-symmetric";
}

Header read_header(TextFile& file) {
    Header header;
    std::string_view line;
    const auto fail_without_sizes = [&] {
        file.fail(ErrorCode::truncated, file.line_number(), 0, {},
                  "the file ends before its size line",
                  header.layout == Layout::coordinate ? "a line 'rows columns entries'"
                                                      : "a line 'rows columns'",
                  "the file may be cut short");
    };
    bool found = file.next_line(line);
    while (found && line.find_first_not_of(" \t\r") == line.npos) found = file.next_line(line);
    if (!found) fail_without_sizes();
    const std::vector<Word> words = words_of(line);
    const bool has_banner = same(words[0].text, "%%MatrixMarket");
    if (has_banner) {
        read_banner(file, line, header);
        found = next_content_line(file, line, header);
    } else if (line[static_cast<std::size_t>(words[0].column) - 1] == '%') {
        constexpr std::array<std::string_view, 1> banner = {"%%MatrixMarket"};
        if (!nearest(words[0].text, banner).empty()) {
            file.fail(ErrorCode::syntax, file.line_number(), words[0].column, line,
                      fmt::format("the banner begins with {}", quoted(words[0].text)),
                      std::string(example_banner), "did you mean '%%MatrixMarket'?");
        }
        found = next_content_line(file, line, header);
    }
    if (!found) fail_without_sizes();
    if (!has_banner && words_of(line).size() != 3) {
        file.fail(ErrorCode::syntax, file.line_number(), 1, line,
                  "no Matrix Market banner, and no size line of three numbers in its place",
                  fmt::format("a first line such as {}", example_banner),
                  "if this is another format, name it with --format");
    }
    read_sizes(file, line, header);
    if (!has_banner) {
        guess_field(file, header);
        header.warnings.push_back(
            fmt::format("no banner line: read as coordinate {} general", name_of(header.field)));
    }
    if (header.type && header.symmetry == Symmetry::skew_symmetric && !is_signed(*header.type)) {
        throw Error({.code = ErrorCode::inconsistent,
                     .message = fmt::format("the values of a skew-symmetric matrix change their "
                                            "sign when mirrored, and {} has none",
                                            tropic::name_of(*header.type)),
                     .file = file.name(),
                     .accepted = "a signed element type"});
    }
    return header;
}

} // namespace tropic::matrix_market
