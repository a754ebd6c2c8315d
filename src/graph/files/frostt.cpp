// FROSTT .tns tensors: lines of as many coordinates (from 1) as the tensor has dimensions, then a
// value; '#' starts a comment. There is no header, so the shape is the largest coordinate of each
// dimension, unless the extended variant opens with its rank alone on a line and its sizes on the
// next.
#include <array>

#include <fmt/format.h>

#include "graph/files/fields.h"
#include "graph/files/reader.h"
#include "support/counted.h"

namespace tropic {

namespace {

constexpr int largest_rank = 16;
constexpr std::array<std::string_view, largest_rank> ordinals = {
    "first", "second", "third",    "fourth",  "fifth",      "sixth",      "seventh",   "eighth",
    "ninth", "tenth",  "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth"};
using Extent = std::array<Index, largest_rank>;

/// What the first lines say.
struct Shape {
    int rank = 0;
    Index first_line = 0;    ///< of the entries
    bool announced = false;  ///< the file says its sizes
    bool reals = false;      ///< the first value is not a whole number, as far as seen
    std::vector<Index> size; ///< if announced
};

struct Piece {
    CoordinateBlock block;
    Extent largest{}; ///< largest coordinate (from 1) of each dimension
    RoundedWeights rounded;
};

/// The next line that is neither blank nor a comment; empty at the end.
HeaderLine next_data_line(TextFile& file) {
    std::string_view line;
    while (file.next_line(line)) {
        HeaderLine header(file, line);
        if (header.size() > 0 && !header.field(0).starts_with('#')) return header;
    }
    return {};
}

int checked_rank(const TextFile& file, const HeaderLine& line, Index rank) {
    if (rank >= 1 && rank <= largest_rank) return static_cast<int>(rank);
    line.fail(file, 0, rank < 1 ? ErrorCode::syntax : ErrorCode::unsupported,
              fmt::format("a tensor of {}, and {} is the most that is read",
                          counted(rank, "dimensions"), largest_rank),
              fmt::format("1 to {} dimensions, then a value, on each line", largest_rank));
}

Shape read_shape(TextFile& file) {
    const HeaderLine first = next_data_line(file);
    Shape shape;
    shape.first_line = file.line_number();
    if (first.size() == 0) {
        file.fail(ErrorCode::truncated, 0, 0, {}, "the file has no entries",
                  "lines of coordinates and a value",
                  "a tensor without entries needs its rank and sizes on two lines");
    }
    if (first.size() > 1) {
        shape.rank = checked_rank(file, first, static_cast<Index>(first.size()) - 1);
        const std::string_view value = first.field(first.size() - 1);
        shape.reals = value.find_first_not_of("+-0123456789") != value.npos;
        return shape;
    }
    constexpr std::string_view form = "rank";
    shape.rank = checked_rank(
        file, first, first.number(file, 0, "the rank", 1, std::numeric_limits<Index>::max(), form));
    shape.announced = true;
    const HeaderLine sizes = next_data_line(file);
    shape.first_line = file.line_number() + 1;
    if (sizes.size() == 0) {
        first.fail(file, 0, ErrorCode::truncated, "the file ends after its rank",
                   "the sizes of the dimensions on the next line");
    }
    if (static_cast<int>(sizes.size()) != shape.rank) {
        sizes.fail(file, static_cast<std::size_t>(shape.rank), ErrorCode::inconsistent,
                   fmt::format("{} for a tensor of rank {}",
                               counted(static_cast<Index>(sizes.size()), "sizes"), shape.rank),
                   "as many sizes as dimensions");
    }
    for (std::size_t d = 0; d < sizes.size(); ++d) {
        shape.size.push_back(sizes.number(file, d, "the size", 0, std::numeric_limits<Index>::max(),
                                          "a size for each dimension"));
    }
    return shape;
}

template <class Id, class Value>
Piece parse(const TextBlock& text, const Shape& shape, const Context& context) {
    const auto rank = static_cast<std::size_t>(shape.rank);
    const Index capacity = count_lines(text);
    Piece piece;
    piece.block.values =
        Array::allocate(element_type_of<Value>(), capacity, context, "tensor values");
    const auto values = piece.block.values.mutable_as<Value>();
    const WeightField value_field{.what = "the value", .reals = true};
    std::array<Id*, largest_rank> coordinates{};
    std::array<IdField, largest_rank> fields{};
    std::array<std::string, largest_rank> names;
    for (std::size_t d = 0; d < rank; ++d) {
        piece.block.coordinates.push_back(
            Array::allocate(element_type_of<Id>(), capacity, context, "tensor coordinates"));
        coordinates[d] = piece.block.coordinates[d].mutable_as<Id>().data();
        names[d] = fmt::format("the {} coordinate", ordinals[d]);
        fields[d] = {.what = names[d]};
        fields[d].range_hint = "correct the sizes in the second line, or the coordinate";
        if (shape.announced) fields[d].high = shape.size[d];
    }
    Index size = 0;
    for (LineCursor cursor(text); !cursor.done(); cursor.next_line()) {
        cursor.skip_blanks();
        if (cursor.at_line_end() || cursor.peek() == '#' || cursor.line() < shape.first_line) {
            continue;
        }
        for (std::size_t d = 0; d < rank; ++d) {
            const Id coordinate = read_id<Id>(cursor, fields[d]);
            piece.largest[d] = std::max<Index>(piece.largest[d], coordinate);
            coordinates[d][size] = coordinate - 1;
            cursor.skip_blanks();
        }
        const char* const start = cursor.position();
        values[size] = read_weight<Value>(cursor, value_field);
        if constexpr (std::is_same_v<Value, double>) {
            piece.rounded.look({start, cursor.position()}, values[size], cursor.line());
        }
        ++size;
        cursor.skip_blanks();
        if (!cursor.at_line_end()) {
            cursor.fail(
                ErrorCode::inconsistent, cursor.position(),
                fmt::format("expected the end of the line, found {}", quoted(cursor.field())),
                fmt::format("{} and a value, as on the first line",
                            counted(shape.rank, "coordinates")));
        }
    }
    piece.block.values.shrink(size);
    for (Array& array : piece.block.coordinates) array.shrink(size);
    return piece;
}

} // namespace

FileContent read_frostt(TextFile& file, const ReadOptions&) {
    file.rewind();
    const Shape shape = read_shape(file);
    Extent largest{};
    FileContent content;
    RoundedWeights rounded;
    const EntryTypes narrowest{.value = shape.reals ? ElementType::float64 : ElementType::int32};
    content.list = with_narrowest_types(narrowest, [&](EntryTypes types) {
        file.rewind();
        largest = {};
        rounded = {};
        CoordinateList list{
            .shape = {}, .index_type = types.index, .value_type = types.value, .blocks = {}};
        visit_value_types(types, [&](auto id, auto value) {
            using Id = typename decltype(id)::type;
            using Value = typename decltype(value)::type;
            parse_blocks(
                file, "reading",
                [&](const TextBlock& text) {
                    return parse<Id, Value>(text, shape, file.context());
                },
                [&](Piece&& piece) {
                    rounded.include(piece.rounded);
                    for (std::size_t d = 0; d < largest.size(); ++d) {
                        largest[d] = std::max(largest[d], piece.largest[d]);
                    }
                    if (piece.block.size() > 0) list.blocks.push_back(std::move(piece.block));
                });
        });
        return list;
    });
    if (shape.announced) content.list.shape = shape.size;
    else content.list.shape.assign(largest.begin(), largest.begin() + shape.rank);
    rounded.warn("values", content.warnings);
    content.ids.assign(static_cast<std::size_t>(shape.rank), VertexIds(1));
    content.source = shape.announced ? "frostt, with sizes" : "frostt";
    Step step{"read frostt", {{"rank", shape.rank}, {"entries", content.list.entries()}}};
    for (std::size_t d = 0; d < content.list.shape.size(); ++d) {
        step.counts.emplace_back(fmt::format("size {}", d + 1), content.list.shape[d]);
    }
    content.steps.push_back(std::move(step));
    return content;
}

} // namespace tropic
