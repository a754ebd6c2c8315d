// DIMACS .gr files: "p sp n m" with arcs "a from to weight", "p tw n m" (PACE) with plain edges
// "u v", and "p edge n m" or "p col n m" with edges "e u v". Ids count from 1, 'c' starts a
// comment.
#include <array>

#include <fmt/format.h>

#include "graph/files/entry_block.h"
#include "graph/files/reader.h"
#include "support/counted.h"

namespace tropic {

namespace {

/// What a problem line announces.
struct Dialect {
    std::string_view problem;
    char tag; ///< the letter entry lines begin with; ' ' for none
    bool weighted;
    EdgeKind kind;
    std::string_view shape; ///< of an entry line
};

constexpr std::array dialects = {
    Dialect{"sp", 'a', true, EdgeKind::directed, "a from to weight"},
    Dialect{"tw", ' ', false, EdgeKind::undirected_once, "vertex vertex"},
    Dialect{"td", ' ', false, EdgeKind::undirected_once, "vertex vertex"},
    Dialect{"edge", 'e', false, EdgeKind::undirected_once, "e vertex vertex"},
    Dialect{"col", 'e', false, EdgeKind::undirected_once, "e vertex vertex"},
};

constexpr std::string_view header_shape = "p sp vertices arcs";
constexpr std::string_view accepted_problems =
    "a line \"p sp n m\", \"p tw n m\", \"p edge n m\" or \"p col n m\"";

struct Piece {
    CoordinateBlock block;
    Index node_lines = 0;
};

struct Problem {
    HeaderLine header;
    const Dialect* dialect;
};

/// Comments, then the problem line.
Problem read_problem(TextFile& file) {
    std::string_view line;
    while (file.next_line(line)) {
        if (line.starts_with('c')) continue;
        HeaderLine header(file, line);
        if (header.size() == 0) continue;
        if (header.field(0) != "p") {
            header.fail(file, 0, ErrorCode::syntax,
                        "expected a problem line, found " + quoted(header.field(0)),
                        std::string(accepted_problems),
                        header.field(0) == "a" || header.field(0) == "e"
                            ? "put the problem line before the first edge"
                            : "read it as an edge list if it has no header: --format el");
        }
        const std::string_view problem = header.size() > 1 ? header.field(1) : std::string_view{};
        for (const Dialect& dialect : dialects) {
            if (dialect.problem != problem) continue;
            if (header.size() > 4) {
                header.fail(file, 4, ErrorCode::syntax,
                            "expected the end of the line, found " + quoted(header.field(4)),
                            fmt::format("a header \"{}\"", header_shape));
            }
            return {std::move(header), &dialect};
        }
        if (problem.empty()) {
            header.fail(file, 1, ErrorCode::syntax,
                        "expected the kind of problem, found the end of the line",
                        std::string(accepted_problems));
        }
        header.fail(file, 1, ErrorCode::unsupported,
                    fmt::format("the problem {} is not one of those read here", quoted(problem)),
                    std::string(accepted_problems));
    }
    file.fail(ErrorCode::truncated, 0, 0, {}, "the file ends before its problem line",
              std::string(accepted_problems));
}

/// On a line that is not blank: moves from the tag of an entry line to its first id; false if the
/// line holds no entry.
bool enter_line(LineCursor& cursor, const Dialect& dialect, Piece& piece) {
    const char tag = cursor.peek();
    if (tag == 'c') return false;
    if (dialect.tag == ' ') return true;
    const bool alone = ends_field(cursor.position()[1], ' ');
    if (tag == dialect.tag && alone) {
        cursor.move_to(cursor.position() + 1);
        cursor.skip_blanks();
        return true;
    }
    if (tag == 'n' && alone && dialect.tag == 'e') {
        ++piece.node_lines;
        return false;
    }
    const bool second = tag == 'p' && alone;
    cursor.fail(second ? ErrorCode::inconsistent : ErrorCode::syntax, cursor.position(),
                second ? std::string("a second problem line")
                       : fmt::format("expected a line that begins with '{}', found {}", dialect.tag,
                                     quoted(cursor.field())),
                fmt::format("lines of the form \"{}\", or \"c\" and a comment", dialect.shape),
                second ? "split the file: it holds more than one graph" : "");
}

template <class Id, class Value>
Piece parse(const TextBlock& text, Index vertices, const Dialect& dialect, const Context& context) {
    EntryBlock<Id, Value> entries(count_lines(text), context);
    Piece piece;
    const IdField from{.what = "the first vertex", .high = vertices};
    const IdField to{.what = "the second vertex", .high = vertices};
    const WeightField weight{.hint = "DIMACS weights are whole numbers: use Matrix Market or an "
                                     "edge list for others"};
    for (LineCursor cursor(text); !cursor.done(); cursor.next_line()) {
        cursor.skip_blanks();
        if (cursor.at_line_end() || !enter_line(cursor, dialect, piece)) continue;
        const Id i = static_cast<Id>(read_id<Index>(cursor, from) - 1);
        cursor.skip_blanks();
        const Id j = static_cast<Id>(read_id<Index>(cursor, to) - 1);
        Value value{};
        if constexpr (!std::is_same_v<Value, NoValue>) {
            cursor.skip_blanks();
            value = read_weight<Value>(cursor, weight);
        }
        expect_line_end(cursor, dialect.shape);
        entries.add(i, j, value);
    }
    piece.block = entries.finish();
    return piece;
}

} // namespace

FileContent read_dimacs(TextFile& file, const ReadOptions&) {
    file.rewind();
    const Problem problem = read_problem(file);
    const Dialect& dialect = *problem.dialect;
    const Index largest = std::numeric_limits<Index>::max();
    const Index vertices =
        problem.header.number(file, 2, "the number of vertices", 0, largest, header_shape);
    const Index promised =
        problem.header.number(file, 3, "the number of edges", 0, largest, header_shape);

    FileContent content;
    Index node_lines = 0;
    const EntryTypes narrowest{.index = index_type_for(vertices),
                               .value =
                                   dialect.weighted ? ElementType::int32 : ElementType::pattern};
    content.list = with_narrowest_types(narrowest, [&](EntryTypes types) {
        file.rewind();
        read_problem(file);
        node_lines = 0;
        CoordinateList list{.shape = {vertices, vertices},
                            .index_type = types.index,
                            .value_type = types.value,
                            .blocks = {}};
        visit_entry_types(types, [&](auto id, auto value) {
            parse_blocks(
                file, "reading",
                [&](const TextBlock& text) {
                    return parse<typename decltype(id)::type, typename decltype(value)::type>(
                        text, vertices, dialect, file.context());
                },
                [&](Piece&& piece) {
                    node_lines += piece.node_lines;
                    if (piece.block.size() > 0) list.blocks.push_back(std::move(piece.block));
                });
        });
        return list;
    });
    const Index entries = content.list.entries();
    const std::string_view things = dialect.weighted ? "arcs" : "edges";
    check_count(file, problem.header, 3, things, promised, entries);

    content.kind = dialect.kind;
    content.ids.assign(2, VertexIds(1));
    content.source = fmt::format("dimacs, p {}", dialect.problem);
    content.steps.push_back({"read dimacs", {{"vertices", vertices}, {"entries", entries}}});
    if (node_lines > 0) {
        content.warnings.push_back(fmt::format("{} ('n ...') {} not used",
                                               counted(node_lines, "node lines"),
                                               node_lines == 1 ? "was" : "were"));
    }
    return content;
}

} // namespace tropic
