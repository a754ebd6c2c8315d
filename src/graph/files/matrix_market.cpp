// Reads a Matrix Market file: header, then the body at the narrowest type that holds its values.
#include "graph/files/matrix_market.h"

#include <array>
#include <charconv>

#include <fmt/format.h>

#include "graph/files/matrix_market_body.h"
#include "support/counted.h"

namespace tropic {

namespace matrix_market {

namespace {

/// An error at the line of the block that holds its entry number `wanted`, counted from 0.
[[noreturn]] void fail_too_many(const Header& header, const TextBlock& block, Index wanted) {
    LineCursor cursor(block);
    while (true) {
        cursor.skip_blanks();
        if (!cursor.at_line_end() && cursor.peek() != '%' && wanted-- == 0) break;
        cursor.next_line();
    }
    const bool array = header.layout == Layout::array;
    const std::string announced =
        array ? fmt::format("the size line {} x {} announces {}", header.rows, header.cols,
                            counted(header.entries, "values"))
              : fmt::format("the size line announces {}", counted(header.entries, "entries"));
    cursor.fail(ErrorCode::inconsistent, cursor.position(),
                announced + ", and here the file goes on",
                array ? "as many lines as the sizes say" : "as many lines as the size line says",
                fmt::format("correct the size line (line {}), or remove what is too much",
                            header.size_line));
}

/// Types to try for the values, narrowest first.
std::vector<ElementType> candidates(const Header& header) {
    if (header.field == Field::pattern) return {ElementType::pattern};
    if (header.type) {
        // Reals that stand for integers are read as reals and converted.
        const bool converted = header.field == Field::real && !is_float(*header.type);
        return {converted ? ElementType::float64 : *header.type};
    }
    if (header.field == Field::real) return {ElementType::float64};
    if (header.symmetry == Symmetry::skew_symmetric) {
        return {ElementType::int32, ElementType::int64};
    }
    return {ElementType::int32, ElementType::int64, ElementType::uint64};
}

/// Brings values to the type that a comment declares.
void convert_values(FileContent& content, ElementType type, const Context& context) {
    if (content.tensor) {
        content.tensor = content.tensor->with_values(cast(content.tensor->values(), type, context));
        return;
    }
    content.list.value_type = type;
    for (CoordinateBlock& block : content.list.blocks) {
        block.values = cast(block.values, type, context);
    }
}

} // namespace

void fail_misfit(const LineCursor& cursor, const char* at, bool skew, const Reading& reading) {
    constexpr auto largest = std::numeric_limits<std::int64_t>::max();
    constexpr auto largest_unsigned = std::numeric_limits<std::uint64_t>::max();
    const std::int64_t smallest = skew ? -largest : std::numeric_limits<std::int64_t>::min();
    const char* const digits = *at == '+' ? at + 1 : at;
    std::int64_t with_sign = 0;
    std::uint64_t without = 0;
    const auto fits = [&](auto& value) {
        return std::from_chars(digits, cursor.end(), value).ec == std::errc{};
    };
    const bool fits_signed = fits(with_sign) && with_sign >= smallest;
    const char* stop = digits + (*digits == '-' ? 1 : 0);
    while (is_digit(*stop)) ++stop;
    const std::string_view text(at, std::min<std::size_t>(static_cast<std::size_t>(stop - at), 40));
    if (!fits_signed && (skew || !fits(without))) {
        cursor.fail(ErrorCode::range, at, fmt::format("a value {} is out of range", text),
                    skew ? fmt::format("{} to {}", smallest, largest)
                         : fmt::format("{} to {}", smallest, largest_unsigned),
                    "write real in the banner to read values as floating-point numbers");
    }
    if (!reading.last) throw TooNarrow{cursor.line()};
    cursor.fail(
        ErrorCode::range, at,
        fmt::format("no 64-bit type holds both {} and the value on line {}, which is "
                    "greater than {}",
                    text, reading.beyond_int64, largest),
        fmt::format("values from {} to {}, or from 0 to {}", smallest, largest, largest_unsigned),
        "write real in the banner to read values as floating-point numbers");
}

void LineCount::add(const Piece& piece) {
    const bool broken = piece.error != nullptr || piece.narrow_line > 0;
    const Index room = header_.entries - lines_;
    if (piece.lines > room || (broken && piece.lines == room)) {
        fail_too_many(header_, piece.block, room);
    }
    if (piece.error) std::rethrow_exception(piece.error);
    if (piece.narrow_line > 0) throw TooNarrow{piece.narrow_line};
    lines_ += piece.lines;
}

void LineCount::check_end() const {
    if (lines_ == header_.entries) return;
    const bool array = header_.layout == Layout::array;
    file_.fail(ErrorCode::truncated, file_.line_number(), 0, {},
               array ? fmt::format("the size line {} x {} announces {}, the file has {}",
                                   header_.rows, header_.cols, counted(header_.entries, "values"),
                                   lines_)
                     : fmt::format("the size line announces {}, the file has {}",
                                   counted(header_.entries, "entries"), lines_),
               {},
               fmt::format("the file may be cut short; if it is whole, correct the size line "
                           "(line {})",
                           header_.size_line));
}

} // namespace matrix_market

FileContent read_matrix_market(TextFile& file, const ReadOptions&) {
    using namespace matrix_market;
    const Header header = read_header(file);
    const std::vector<ElementType> types = candidates(header);
    Reading reading{.guessed = types.size() > 1};
    for (std::size_t attempt = 0;; ++attempt) {
        reading.type = types[attempt];
        reading.last = attempt + 1 == types.size();
        FileContent content;
        content.warnings = header.warnings;
        content.kind =
            header.symmetry == Symmetry::symmetric ? EdgeKind::undirected : EdgeKind::directed;
        content.ids = {VertexIds(1), VertexIds(1)};
        content.source = fmt::format("matrix market, {} {} {}", name_of(header.layout),
                                     name_of(header.field), name_of(header.symmetry));
        const Index narrow = header.layout == Layout::coordinate
                                 ? read_coordinates(file, header, reading, content)
                                 : read_array(file, header, reading, content);
        if (narrow == 0) {
            if (header.type && header.field != Field::pattern && *header.type != reading.type) {
                convert_values(content, *header.type, file.context());
            }
            return content;
        }
        if (reading.type == ElementType::int64) reading.beyond_int64 = narrow;
        file.rewind();
        std::string_view line;
        while (file.line_number() < header.size_line && file.next_line(line)) {
        }
    }
}

} // namespace tropic
