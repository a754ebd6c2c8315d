// The body of a coordinate file: one entry a line, "row column" or "row column value", counted from
// 1. Mirrored entries follow the ones they mirror.
#include <fmt/format.h>

#include "graph/files/matrix_market_body.h"
#include "support/counted.h"

namespace tropic::matrix_market {

namespace {

template <class Crd, class V> struct Entries : Piece {
    Scratch<Crd> rows;
    Scratch<Crd> cols;
    Scratch<V> values;
    Index mirrored = 0;
    Index upper = 0;
};

/// Where the next entry goes: raw pointers, so that a loop over lines keeps them in registers.
template <class Crd, class V, bool Mirror> struct Cursor {
    Crd* rows;
    Crd* cols;
    V* values;
    Index upper = 0;
    Index mirrored = 0;
    bool negate;

    void put(std::uint64_t row, std::uint64_t col, V value) {
        *rows++ = static_cast<Crd>(row);
        *cols++ = static_cast<Crd>(col);
        if constexpr (!std::is_same_v<V, NoValue>) *values++ = value;
        if constexpr (Mirror) {
            upper += row < col;
            if (row == col) return;
            ++mirrored;
            *rows++ = static_cast<Crd>(col);
            *cols++ = static_cast<Crd>(row);
            if constexpr (!std::is_same_v<V, NoValue>) {
                *values++ = negate ? static_cast<V>(-value) : value;
            }
        }
    }
};

template <class Crd, class V> class Parser {
  public:
    static constexpr bool has_values = !std::is_same_v<V, NoValue>;

    Parser(const Header& header, const Reading& reading, const Context& context)
        : skew_(header.symmetry == Symmetry::skew_symmetric),
          mirror_(header.symmetry != Symmetry::general),
          rows_(static_cast<std::uint64_t>(header.rows)),
          cols_(static_cast<std::uint64_t>(header.cols)), limits_(header, reading),
          context_(context) {}

    void operator()(const TextBlock& block, Entries<Crd, V>& out) const {
        out.start(block);
        out.rows.clear();
        out.cols.clear();
        out.values.clear();
        out.mirrored = out.upper = 0;
        // Lines are rarely shorter than this; what does not fit grows.
        const Index lines = static_cast<Index>(block.text.size()) / (has_values ? 12 : 8) + 1;
        reserve(out, mirror_ ? 2 * lines : lines);
        if (mirror_) parse<true>(block, out);
        else parse<false>(block, out);
    }

  private:
    template <bool Mirror> void parse(const TextBlock& block, Entries<Crd, V>& out) const {
        const auto fast = [&](const char*& p, const char* end) {
            return fast_run<Mirror>(p, end, out);
        };
        const auto careful = [&](LineCursor& cursor) { careful_line<Mirror>(cursor, out); };
        constexpr std::string_view extra_hint =
            has_values ? ""
                       : "write real or integer for pattern in the banner if entries have values";
        parse_lines(block, out, fast, careful, extra_hint);
    }

    /// Lines "row column value" with single blanks, of numbers that are in range.
    template <bool Mirror>
    Index fast_run(const char*& at, const char* end, Entries<Crd, V>& out) const {
        constexpr Index most = Mirror ? 2 : 1;
        const char* p = at;
        const std::uint64_t rows = rows_;
        const std::uint64_t cols = cols_;
        const bool skew = skew_;
        const Limits<V> limits = limits_;
        Index lines = 0;
        while (p < end) {
            reserve(out, out.rows.size() + most);
            const Index room = (out.rows.capacity() - out.rows.size()) / most;
            auto to = cursor_at<Mirror>(out);
            Index done = 0;
            for (; done < room && p < end; ++done) {
                const char* q = p;
                std::uint64_t row = 0;
                std::uint64_t col = 0;
                V value{};
                if (scan_digits(q, end, row) > 18 || row - 1 >= rows || *q != ' ') break;
                ++q;
                if (scan_digits(q, end, col) > 18 || col - 1 >= cols) break;
                if constexpr (has_values) {
                    if (*q != ' ') break;
                    ++q;
                    if (!fast_value(q, end, limits, value)) break;
                }
                if (*q == '\r') ++q;
                if (*q != '\n' || (Mirror && skew && row == col)) break;
                to.put(row - 1, col - 1, value);
                p = q + 1;
            }
            advance(out, to);
            lines += done;
            if (done < room) break;
        }
        at = p;
        return lines;
    }

    /// Any line that is an entry.
    template <bool Mirror> void careful_line(LineCursor& cursor, Entries<Crd, V>& out) const {
        const std::uint64_t row = index(cursor, "a row", "row", rows_);
        cursor.skip_blanks();
        const char* at = cursor.position();
        const std::uint64_t col = index(cursor, "a column", "column", cols_);
        V value{};
        if constexpr (has_values) {
            cursor.skip_blanks();
            value = careful_value(cursor, limits_);
        }
        if (Mirror && skew_ && row == col) {
            cursor.fail(ErrorCode::inconsistent, at,
                        fmt::format("entry ({}, {}) is on the diagonal, where a skew-symmetric "
                                    "matrix is zero",
                                    row, col),
                        "entries below the diagonal",
                        "drop the entry, or write 'general' in the banner");
        }
        reserve(out, out.rows.size() + 2);
        auto to = cursor_at<Mirror>(out);
        to.put(row - 1, col - 1, value);
        advance(out, to);
    }

    std::uint64_t index(LineCursor& cursor, std::string_view what, std::string_view name,
                        std::uint64_t size) const {
        const char* at = cursor.position();
        const std::string_view text = cursor.field();
        constexpr Index low = std::numeric_limits<Index>::min();
        constexpr Index high = std::numeric_limits<Index>::max();
        std::uint64_t found = std::numeric_limits<std::uint64_t>::max();
        try {
            found = static_cast<std::uint64_t>(cursor.integer<Index>(what, low, high));
        } catch (const Error& error) {
            // More than 64 bits hold is outside like any other; what is no number is not.
            if (error.code() != ErrorCode::range) throw;
        }
        if (found - 1 >= size) {
            cursor.fail(
                ErrorCode::range, at,
                fmt::format("{} {} is outside the {} x {} matrix that the size line announces",
                            name, text.substr(0, 40), rows_, cols_),
                size == 0 ? "no entries at all" : fmt::format("{}s 1 to {}", name, size),
                found == 0
                    ? "Matrix Market counts from 1; a list that counts from 0 is an edge list"
                    : "correct the entry or the size line");
        }
        return found;
    }

    template <bool Mirror> Cursor<Crd, V, Mirror> cursor_at(Entries<Crd, V>& out) const {
        const Index at = out.rows.size();
        return {.rows = out.rows.data() + at,
                .cols = out.cols.data() + at,
                .values = has_values ? out.values.data() + at : nullptr,
                .negate = skew_};
    }

    template <bool Mirror>
    static void advance(Entries<Crd, V>& out, const Cursor<Crd, V, Mirror>& to) {
        const Index size = to.rows - out.rows.data();
        out.rows.resize(size);
        out.cols.resize(size);
        if (has_values) out.values.resize(size);
        out.upper += to.upper;
        out.mirrored += to.mirrored;
    }

    void reserve(Entries<Crd, V>& out, Index size) const {
        out.rows.reserve(size, context_);
        out.cols.reserve(size, context_);
        if constexpr (has_values) out.values.reserve(size, context_);
    }

    bool skew_;
    bool mirror_;
    std::uint64_t rows_;
    std::uint64_t cols_;
    Limits<V> limits_;
    const Context& context_;
};

template <class Crd, class V>
Index read_typed(TextFile& file, const Header& header, const Reading& reading,
                 FileContent& content) {
    CoordinateCollector collector(content.list, 2, file.context());
    LineCount count(file, header);
    Index mirrored = 0;
    Index upper = 0;
    const Parser<Crd, V> parser(header, reading, file.context());
    try {
        parse_blocks_into<Entries<Crd, V>>(
            file, "reading", parser, [&](const Entries<Crd, V>& entries) {
                count.add(entries);
                const std::array<const void*, 2> coordinates = {entries.rows.data(),
                                                                entries.cols.data()};
                collector.append(coordinates, entries.values.data(), entries.rows.size());
                mirrored += entries.mirrored;
                upper += entries.upper;
            });
    } catch (const TooNarrow& narrow) {
        return narrow.line;
    }
    count.check_end();
    collector.finish();
    if (upper > 0) {
        content.warnings.push_back(
            fmt::format("{} {} above the diagonal of a {} matrix, which lists those below "
                        "it; {} mirrored, too",
                        counted(upper, "entries"), upper == 1 ? "lies" : "lie",
                        name_of(header.symmetry), upper == 1 ? "it was" : "they were"));
    }
    content.steps.push_back({"read matrix market",
                             {{"entries in file", count.lines()},
                              {"mirrored", mirrored},
                              {"entries", collector.entries()}}});
    return 0;
}

} // namespace

Index read_coordinates(TextFile& file, const Header& header, const Reading& reading,
                       FileContent& content) {
    CoordinateList& list = content.list;
    list.shape = {header.rows, header.cols};
    list.index_type = index_type_for(std::max(header.rows, header.cols));
    list.value_type = reading.type;
    return visit_index(list.index_type, [&](auto index_tag) {
        using Crd = typename decltype(index_tag)::type;
        if (reading.type == ElementType::pattern) {
            return read_typed<Crd, NoValue>(file, header, reading, content);
        }
        return visit_type(reading.type, [&](auto value_tag) {
            using V = typename decltype(value_tag)::type;
            return read_typed<Crd, V>(file, header, reading, content);
        });
    });
}

} // namespace tropic::matrix_market
