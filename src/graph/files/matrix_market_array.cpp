// The body of an array file: the values of a dense matrix column by column, one a line; of a
// symmetric one the lower triangle. The result is dense and row by row.
#include <fmt/format.h>

#include "graph/files/matrix_market_body.h"

namespace tropic::matrix_market {

namespace {

template <class V> struct Values : Piece {
    Scratch<V> values;
};

template <class V> class Parser {
  public:
    Parser(const Header& header, const Reading& reading, const Context& context)
        : limits_(header, reading), context_(context) {}

    void operator()(const TextBlock& block, Values<V>& out) const {
        out.start(block);
        out.values.clear();
        const auto push = [&](V value) {
            const Index at = out.values.size();
            if (at == out.values.capacity()) out.values.reserve(at + 1, context_);
            out.values.data()[at] = value;
            out.values.resize(at + 1);
        };
        out.values.reserve(static_cast<Index>(block.text.size()) / 8 + 1, context_);
        const auto fast = [&](const char*& p, const char* end) {
            Index lines = 0;
            for (; p < end; ++lines) {
                const char* q = p;
                V value{};
                if (!fast_value(q, end, limits_, value)) break;
                if (*q == '\r') ++q;
                if (*q != '\n') break;
                push(value);
                p = q + 1;
            }
            return lines;
        };
        const auto careful = [&](LineCursor& cursor) { push(careful_value(cursor, limits_)); };
        parse_lines(block, out, fast, careful);
    }

  private:
    Limits<V> limits_;
    const Context& context_;
};

/// Walks over the places of a file's values in file order: down the columns, from the diagonal on
/// if only a triangle is listed.
class Walk {
  public:
    Walk(const Header& header, Index start) : header_(header) {
        if (header.symmetry == Symmetry::general) {
            col_ = start / header.rows;
            row_ = start % header.rows;
            return;
        }
        row_ = first_row();
        while (start >= header.rows - row_) {
            start -= header.rows - row_;
            ++col_;
            row_ = first_row();
        }
        row_ += start;
    }
    Index row() const noexcept { return row_; }
    Index col() const noexcept { return col_; }
    void next() noexcept {
        if (++row_ < header_.rows) return;
        ++col_;
        row_ = first_row();
    }

  private:
    Index first_row() const noexcept {
        if (header_.symmetry == Symmetry::general) return 0;
        return header_.symmetry == Symmetry::symmetric ? col_ : col_ + 1;
    }

    const Header& header_;
    Index row_ = 0;
    Index col_ = 0;
};

/// Puts the values of all blocks in their places.
template <class V>
void place(const CoordinateList& list, const Header& header, std::span<V> out,
           const Context& context) {
    std::vector<Index> starts;
    Index start = 0;
    for (const CoordinateBlock& block : list.blocks) {
        starts.push_back(start);
        start += block.size();
    }
    parallel_each(context, static_cast<Index>(list.blocks.size()), [&](Index b) {
        context.check_cancelled();
        Walk at(header, starts[b]);
        for (const V value : list.blocks[b].values.template as<V>()) {
            out[at.row() * header.cols + at.col()] = value;
            if (header.symmetry == Symmetry::symmetric) {
                out[at.col() * header.cols + at.row()] = value;
            } else if (header.symmetry == Symmetry::skew_symmetric) {
                out[at.col() * header.cols + at.row()] = static_cast<V>(-value);
            }
            at.next();
        }
    });
}

template <class V>
Index read_typed(TextFile& file, const Header& header, const Reading& reading,
                 FileContent& content) {
    const Context& context = file.context();
    CoordinateList list;
    list.value_type = element_type_of<V>();
    CoordinateCollector collector(list, 0, context);
    LineCount count(file, header);
    const Parser<V> parser(header, reading, context);
    try {
        parse_blocks_into<Values<V>>(file, "reading", parser, [&](const Values<V>& values) {
            count.add(values);
            collector.append({}, values.values.data(), values.values.size());
        });
    } catch (const TooNarrow& narrow) {
        return narrow.line;
    }
    count.check_end();
    collector.finish();
    // All values are there, so the sizes are true and may be allocated.
    const Index elements = header.rows * header.cols;
    Array values = Array::zeros(list.value_type, elements, context, "a dense matrix");
    if (elements > 0) place(list, header, values.mutable_as<V>(), context);
    content.tensor = Tensor({header.rows, header.cols}, Format::dense(2), std::vector<Level>(2),
                            std::move(values), true, true);
    content.steps.push_back(
        {"read matrix market", {{"values in file", count.lines()}, {"entries", elements}}});
    return 0;
}

} // namespace

Index read_array(TextFile& file, const Header& header, const Reading& reading,
                 FileContent& content) {
    return visit_type(reading.type, [&](auto tag) {
        using V = typename decltype(tag)::type;
        return read_typed<V>(file, header, reading, content);
    });
}

} // namespace tropic::matrix_market
