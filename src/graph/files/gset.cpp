// Gset (rudy) files, as used for maximum cut: "n m", then m lines "i j w" with ids from 1, each an
// undirected edge listed once. Entries are mirrored, self loops are not.
#include "graph/files/entry_block.h"
#include "graph/files/reader.h"

namespace tropic {

namespace {

constexpr std::string_view header_shape = "vertices edges";

struct Piece {
    CoordinateBlock block;
    Index edges = 0;
    Index loops = 0;
};

HeaderLine read_header(TextFile& file) {
    std::string_view line;
    while (file.next_line(line)) {
        HeaderLine header(file, line);
        if (header.size() == 0) continue;
        if (header.size() > 2) {
            header.fail(file, 2, ErrorCode::syntax,
                        "expected the end of the line, found " + quoted(header.field(2)),
                        "a header \"vertices edges\"",
                        "read it as an edge list if it has no header: --format el");
        }
        return header;
    }
    file.fail(ErrorCode::truncated, 0, 0, {}, "the file ends before its header",
              "a first line \"vertices edges\"");
}

template <class Id, class Value>
Piece parse(const TextBlock& text, Index vertices, bool weighted, const Context& context) {
    EntryBlock<Id, Value> entries(2 * count_lines(text), context);
    Piece piece;
    const IdField from{.what = "the first vertex", .high = vertices};
    const IdField to{.what = "the second vertex", .high = vertices};
    const WeightField weight{.hint = "Gset weights are whole numbers: use Matrix Market or an edge "
                                     "list for others"};
    for (LineCursor cursor(text); !cursor.done(); cursor.next_line()) {
        cursor.skip_blanks();
        if (cursor.at_line_end()) continue;
        const Id i = static_cast<Id>(read_id<Index>(cursor, from) - 1);
        cursor.skip_blanks();
        const Id j = static_cast<Id>(read_id<Index>(cursor, to) - 1);
        Value value{};
        if constexpr (!std::is_same_v<Value, NoValue>) {
            cursor.skip_blanks();
            value = read_weight<Value>(cursor, weight);
        }
        expect_line_end(cursor, weighted ? "vertex vertex weight" : "vertex vertex");
        entries.add(i, j, value);
        if (i != j) entries.add(j, i, value);
        else ++piece.loops;
        ++piece.edges;
    }
    piece.block = entries.finish();
    return piece;
}

/// Whether the first edge has a third field: then all must.
bool is_weighted(TextFile& file) {
    std::string_view line;
    while (file.next_line(line)) {
        const HeaderLine first(file, line);
        if (first.size() > 0) return first.size() > 2;
    }
    return true;
}

} // namespace

FileContent read_gset(TextFile& file, const ReadOptions&) {
    file.rewind();
    HeaderLine header = read_header(file);
    const Index largest = std::numeric_limits<Index>::max();
    const Index vertices =
        header.number(file, 0, "the number of vertices", 0, largest, header_shape);
    const Index promised = header.number(file, 1, "the number of edges", 0, largest, header_shape);
    const bool weighted = is_weighted(file);

    FileContent content;
    Index edges = 0;
    Index loops = 0;
    const EntryTypes narrowest{.index = index_type_for(vertices),
                               .value = weighted ? ElementType::int32 : ElementType::pattern};
    content.list = with_narrowest_types(narrowest, [&](EntryTypes types) {
        file.rewind();
        read_header(file);
        edges = loops = 0;
        CoordinateList list{.shape = {vertices, vertices},
                            .index_type = types.index,
                            .value_type = types.value,
                            .blocks = {}};
        visit_entry_types(types, [&](auto id, auto value) {
            parse_blocks(
                file, "reading",
                [&](const TextBlock& text) {
                    return parse<typename decltype(id)::type, typename decltype(value)::type>(
                        text, vertices, weighted, file.context());
                },
                [&](Piece&& piece) {
                    edges += piece.edges;
                    loops += piece.loops;
                    if (piece.edges > 0) list.blocks.push_back(std::move(piece.block));
                });
        });
        return list;
    });
    check_count(file, header, 1, "edges", promised, edges);

    content.kind = EdgeKind::undirected;
    content.ids.assign(2, VertexIds(1));
    content.source = weighted ? "gset, weighted" : "gset, unweighted";
    content.steps.push_back({"read gset",
                             {{"vertices", vertices},
                              {"edges", edges},
                              {"entries", content.list.entries()},
                              {"self loops", loops}}});
    return content;
}

} // namespace tropic
