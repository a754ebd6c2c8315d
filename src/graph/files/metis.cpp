// METIS .graph files: "n m [fmt [ncon]]", then a line for each vertex. The three digits of fmt say
// whether lines hold vertex sizes, vertex weights and edge weights.
//
// Blocks of lines are parsed without knowing the number of their first vertex; the row of every
// entry is spread out from the vertices' degrees once all blocks are in order.
#include <algorithm>

#include <fmt/format.h>

#include "graph/files/metis_piece.h"
#include "graph/files/reader.h"
#include "support/counted.h"

namespace tropic {

namespace {

constexpr std::string_view header_shape = "vertices edges [fmt [ncon]]";
constexpr Index largest_constraints = 1 << 16;

HeaderLine first_line(TextFile& file) {
    std::string_view line;
    while (file.next_line(line)) {
        HeaderLine header(file, line);
        if (header.size() > 0 && !header.field(0).starts_with('%')) return header;
    }
    file.fail(ErrorCode::truncated, 0, 0, {}, "the file ends before its header",
              fmt::format("a first line \"{}\"", header_shape));
}

void read_format(const TextFile& file, MetisHeader& header) {
    header.format = header.line.field(2);
    if (header.format.size() > 3 || header.format.find_first_not_of("01") != std::string::npos) {
        header.line.fail(file, 2, ErrorCode::syntax,
                         fmt::format("expected fmt, found {}", quoted(header.format)),
                         "up to three digits 0 or 1: vertex sizes, vertex weights, edge weights",
                         "if the file has no header, read it as an edge list: --format el");
    }
    const std::string digits = std::string(3 - header.format.size(), '0') + header.format;
    header.sizes = digits[0] == '1';
    header.constraints = digits[1] == '1' ? 1 : 0;
    header.edge_weights = digits[2] == '1';
}

MetisHeader read_header(TextFile& file) {
    MetisHeader header;
    header.line = first_line(file);
    const HeaderLine& line = header.line;
    constexpr Index largest = std::numeric_limits<Index>::max();
    header.vertices = line.number(file, 0, "the number of vertices", 0, largest, header_shape);
    header.edges = line.number(file, 1, "the number of edges", 0, largest / 2, header_shape);
    if (line.size() > 4) {
        line.fail(file, 4, ErrorCode::syntax,
                  "expected the end of the line, found " + quoted(line.field(4)),
                  fmt::format("a header \"{}\"", header_shape));
    }
    if (line.size() > 2) read_format(file, header);
    if (line.size() > 3) {
        const Index given = line.number(file, 3, "ncon (the number of vertex weights)", 0,
                                        largest_constraints, header_shape);
        if ((header.constraints == 0) != (given == 0)) {
            line.fail(file, 3, ErrorCode::inconsistent,
                      fmt::format("ncon is {}, and fmt {} says that vertices have {}", given,
                                  header.format, given == 0 ? "weights" : "none"),
                      "ncon of at least 1 with fmt 010, 011, 110 or 111");
        }
        header.constraints = given;
    }
    return header;
}

/// The error for text behind the last vertex: found by walking through the file again.
[[noreturn]] void fail_extra_line(TextFile& file, Index vertices) {
    file.rewind();
    first_line(file);
    std::string_view line;
    Index seen = 0;
    while (file.next_line(line)) {
        const HeaderLine fields(file, line);
        const bool blank = fields.size() == 0;
        if (!blank && fields.field(0).starts_with('%')) continue;
        if (!blank && seen >= vertices) {
            fields.fail(file, 0, ErrorCode::inconsistent,
                        fmt::format("a line for vertex {}, and the header says that there are {}",
                                    seen + 1, vertices),
                        "a line for each vertex, and nothing after the last",
                        "correct the header; if the file has none, try --format el");
        }
        ++seen;
    }
    throw Error(ErrorCode::internal, "vertex lines were counted wrongly");
}

/// The pieces in order, and what they add up to.
struct Body {
    EntryTypes types;
    std::vector<MetisPiece> pieces;
    std::vector<Index> first_vertex; ///< of each piece
    Index vertex_lines = 0;
    Index entries = 0;
    Index listed_sizes = 0;
    Index largest_number = 0;
};

/// Thrown while the file is read, for what is found out when nobody reads it any more.
struct ExtraLine {};

void collect(const MetisHeader& header, Body& body, MetisPiece&& piece) {
    const Index first = body.vertex_lines;
    const Index left = header.vertices - first;
    // What is wrong with the first faulty line, whatever the pieces are.
    if (piece.blank_error && piece.first_blank < left) std::rethrow_exception(piece.blank_error);
    const bool extra_line =
        piece.error ? piece.degrees.size() >= left : piece.busy_lines > std::max<Index>(left, 0);
    if (extra_line) throw ExtraLine{};
    if (piece.error) std::rethrow_exception(piece.error);
    body.first_vertex.push_back(first);
    body.vertex_lines += piece.degrees.size();
    body.entries += piece.neighbours.size();
    body.listed_sizes += piece.listed_sizes;
    body.largest_number = std::max(body.largest_number, piece.largest);
    body.pieces.push_back(std::move(piece));
}

Body read_body(TextFile& file, const MetisHeader& header) {
    const EntryTypes narrowest{.index = index_type_for(header.vertices),
                               .value =
                                   header.edge_weights ? ElementType::int32 : ElementType::pattern};
    return with_narrowest_types(narrowest, [&](EntryTypes types) {
        file.rewind();
        first_line(file);
        Body body;
        body.types = types;
        visit_entry_types(types, [&](auto id, auto value) {
            using Parser =
                MetisPieceParser<typename decltype(id)::type, typename decltype(value)::type>;
            parse_blocks(
                file, "reading",
                [&](const TextBlock& text) { return Parser(header, text, file.context()).parse(); },
                [&](MetisPiece&& piece) { collect(header, body, std::move(piece)); });
        });
        return body;
    });
}

/// The header's promises against the lines. METIS counts each edge once; headers that count each
/// direction, or the vertex sizes too, are told by their numbers and read with a warning.
EdgeKind check_body(const TextFile& file, const MetisHeader& header, const Body& body,
                    std::vector<std::string>& warnings) {
    if (body.vertex_lines < header.vertices) {
        check_count(file, header.line, 0, "vertices", header.vertices, body.vertex_lines);
    }
    if (body.entries == 2 * header.edges) return EdgeKind::undirected;
    if (body.entries == header.edges) {
        warnings.push_back(fmt::format("the header counts each direction of an edge: {} "
                                       "where METIS would list {}; read as a directed graph",
                                       counted(body.entries, "entries"), 2 * header.edges));
        return EdgeKind::directed;
    }
    if (header.sizes && body.entries + body.listed_sizes == header.edges) {
        warnings.push_back(fmt::format("the header counts vertex sizes as edges: {} and {} "
                                       "make its {}; read as a directed graph",
                                       counted(body.entries, "entries"),
                                       counted(body.listed_sizes, "sizes"), header.edges));
        return EdgeKind::directed;
    }
    header.line.fail(
        file, 1, body.entries < 2 * header.edges ? ErrorCode::truncated : ErrorCode::inconsistent,
        fmt::format("the header promises {}, which makes {} neighbours, and the file lists {}",
                    counted(header.edges, "edges"), 2 * header.edges, body.entries),
        "each edge once in the header and twice in the lines",
        "check that every edge is listed at both ends, and self loops not at all");
}

/// Row numbers from degrees, block by block.
CoordinateList list_of(const MetisHeader& header, Body& body, const Context& context) {
    CoordinateList list{.shape = {header.vertices, header.vertices},
                        .index_type = body.types.index,
                        .value_type = body.types.value,
                        .blocks = {}};
    list.blocks.resize(body.pieces.size());
    parallel_each(context, static_cast<Index>(body.pieces.size()), [&](Index p) {
        MetisPiece& piece = body.pieces[p];
        const Index entries = piece.neighbours.size();
        if (entries == 0) return;
        Array rows = Array::allocate(list.index_type, entries, context, "the rows being read");
        visit_index(list.index_type, [&](auto tag) {
            using Id = typename decltype(tag)::type;
            Id* out = rows.mutable_as<Id>().data();
            Index row = body.first_vertex[p];
            for (const std::int32_t degree : piece.degrees.as<std::int32_t>()) {
                out = std::fill_n(out, degree, static_cast<Id>(row++));
            }
        });
        CoordinateBlock& block = list.blocks[p];
        block.coordinates.push_back(std::move(rows));
        block.coordinates.push_back(std::move(piece.neighbours));
        block.values = std::move(piece.weights);
    });
    std::erase_if(list.blocks, [](const CoordinateBlock& block) { return block.size() == 0; });
    return list;
}

/// One array of `count` numbers from those of the pieces.
Array joined(const Body& body, Array MetisPiece::* member, Index count, const Context& context) {
    Array all = Array::allocate(ElementType::int64, count, context, "vertex weights");
    Index at = 0;
    for (const MetisPiece& piece : body.pieces) {
        const auto part = (piece.*member).as<std::int64_t>();
        const Index taken = std::min<Index>(static_cast<Index>(part.size()), count - at);
        std::copy_n(part.begin(), taken, all.mutable_as<std::int64_t>().begin() + at);
        at += taken;
    }
    if (body.largest_number > std::numeric_limits<std::int32_t>::max()) return all;
    return cast(all, ElementType::int32, context);
}

} // namespace

FileContent read_metis(TextFile& file, const ReadOptions&) {
    file.rewind();
    const MetisHeader header = read_header(file);
    Body body;
    try {
        body = read_body(file, header);
    } catch (const ExtraLine&) {
        fail_extra_line(file, header.vertices);
    }
    FileContent content;
    content.kind = check_body(file, header, body, content.warnings);
    const Context& context = file.context();
    content.list = list_of(header, body, context);
    if (header.sizes) {
        content.vertex_sizes = joined(body, &MetisPiece::vertex_sizes, header.vertices, context);
    }
    if (header.constraints > 0) {
        content.constraints = static_cast<int>(header.constraints);
        content.vertex_weights = joined(body, &MetisPiece::vertex_weights,
                                        header.vertices * header.constraints, context);
    }
    content.ids.assign(2, VertexIds(1));
    content.source = fmt::format("metis, fmt {:0>3}", header.format);
    content.steps.push_back(
        {"read metis",
         {{"vertices", header.vertices}, {"edges", header.edges}, {"entries", body.entries}}});
    return content;
}

} // namespace tropic
