// Writes edge lists: comma-separated with column names for .csv, blank-separated and bare for .el
// and .wel, tab-separated under SNAP's kind of comments for everything else.
#include <fmt/format.h>

#include "graph/files/id_gaps.h"
#include "graph/files/reader.h"
#include "graph/files/text_writer.h"
#include "graph/files/write_checks.h"
#include "support/counted.h"
#include "support/letter_case.h"

namespace tropic {

namespace {

struct Style {
    std::string separator;
    bool header = false;
    bool weights = false;

    bool has_comments() const { return header && (separator == " " || separator == "\t"); }
};

std::string suffix_of(std::string_view path) {
    const std::size_t dot = path.rfind('.');
    if (dot == std::string_view::npos || path.find('/', dot) != std::string_view::npos) return {};
    std::string suffix(path.substr(dot + 1));
    std::ranges::transform(suffix, suffix.begin(), lower_case);
    return suffix;
}

Style style_of(const Graph& graph, const ByteSink& sink, const WriteOptions& options,
               std::vector<std::string>& notes) {
    const std::string suffix = suffix_of(sink.path());
    const bool bare = suffix == "el" || suffix == "wel";
    char separator = options.separator;
    if (separator == 0) separator = suffix == "csv" ? ',' : bare ? ' ' : '\t';
    if (std::string_view(" \t,;|:").find(separator) == std::string_view::npos) {
        throw Error({.code = ErrorCode::usage,
                     .message = fmt::format("edge lists are not separated by '{}'", separator),
                     .file = std::string(sink.path()),
                     .accepted = "a blank, a tab, or one of , ; | : (written as ::)"});
    }
    const bool pattern = graph.tensor.is_pattern();
    Style style;
    style.separator = separator == ':' ? "::" : std::string(1, separator);
    style.header = options.header.value_or(!bare);
    style.weights = suffix == "wel" || (suffix != "el" && !pattern);
    if (style.weights && pattern) notes.emplace_back("weights of 1 were written");
    if (!style.weights && !pattern) {
        notes.emplace_back("weights were not written: .el files have none (.wel files do)");
    }
    return style;
}

std::string header_of(const Graph& graph, const Style& style, Index entries) {
    if (!style.has_comments()) {
        return fmt::format("source{0}target{1}\n", style.separator,
                           style.weights ? style.separator + "weight" : "");
    }
    std::string_view kind = "Directed graph";
    if (graph.kind == EdgeKind::undirected) {
        kind = "Directed graph (both directions of each undirected edge are listed)";
    }
    if (graph.kind == EdgeKind::undirected_once)
        kind = "Undirected graph (each edge is listed once)";
    if (graph.kind == EdgeKind::bipartite) kind = "Bipartite graph";
    // Rows and columns of anything but a square graph are vertices of two kinds, and together
    // perhaps more than an Index counts.
    auto nodes = static_cast<std::uint64_t>(graph.tensor.dim(0));
    if (!graph.is_square()) nodes += static_cast<std::uint64_t>(graph.tensor.dim(1));
    return fmt::format("# {0}\n# Nodes: {1} Edges: {2}\n# FromNodeId{3}ToNodeId{4}\n", kind, nodes,
                       entries, style.separator, style.weights ? style.separator + "Weight" : "");
}

/// What stands before the edges. A file of no bytes would not be read as a graph without edges.
std::string opening(const Graph& graph, const Style& style, Index entries) {
    if (style.header) return header_of(graph, style, entries);
    return entries == 0 ? "# no edges\n" : "";
}

/// Vertices that no entry of a csr matrix names: those of a square one, else rows and columns.
Index unnamed(const Tensor& matrix, bool square, const Context& context) {
    return visit_csr(matrix, [&](auto view) {
        Array seen = Array::zeros(ElementType::uint8, view.cols, context, "vertices in use");
        const auto marks = seen.mutable_as<std::uint8_t>();
        parallel_ranges(context, matrix.entries(), 1 << 16, [&](Index begin, Index end) {
            for (Index e = begin; e < end; ++e) {
                const std::atomic_ref<std::uint8_t> mark(marks[view.crd[e]]);
                if (mark.load(std::memory_order_relaxed) == 0) {
                    mark.store(1, std::memory_order_relaxed);
                }
            }
        });
        Index count = 0;
        for (Index row = 0; row < view.rows; ++row) {
            count += view.pos[row] == view.pos[row + 1] && !(square && marks[row] != 0);
        }
        if (!square) count += std::count(marks.begin(), marks.end(), std::uint8_t{0});
        return count;
    });
}

Index unnamed(const CoordinateList& list, bool square, const Context& context) {
    constexpr std::array both = {0, 1};
    const std::span<const int> dimensions = both;
    const auto used = [&](std::span<const int> of) {
        IdRange range;
        for (const CoordinateBlock& block : list.blocks) {
            for (const int d : of) {
                for (Index e = 0; e < block.size(); ++e) {
                    const Index id = block.coordinates[d].index_at(e);
                    range.include({id, id});
                }
            }
        }
        return IdMap(list.blocks, of, range, context).count();
    };
    if (square) return list.shape[0] - used(dimensions);
    return list.shape[0] - used(dimensions.first(1)) + list.shape[1] - used(dimensions.last(1));
}

void note_losses(const Graph& graph, const Style& style, Index unlisted,
                 std::vector<std::string>& notes) {
    if (unlisted > 0) {
        notes.push_back(
            fmt::format("{} without edges {} not listed, and a reader will not know of {}",
                        counted(unlisted, "vertices"), unlisted == 1 ? "is" : "are",
                        unlisted == 1 ? "it" : "them"));
    }
    if (!graph.is_square()) {
        notes.emplace_back("rows and columns are two kinds of ids: read it back with --bipartite");
    }
    // That edges are listed once is what SNAP's comments say; of both directions they know nothing.
    const bool said = graph.kind == EdgeKind::undirected_once && style.has_comments();
    if (!said) note_undirected(graph, notes);
    note_vertex_data(graph, notes);
}

} // namespace

std::vector<std::string> write_edge_list(const Graph& graph, ByteSink& sink,
                                         const WriteOptions& options, const Context& context) {
    require_matrix(graph, "an edge list");
    std::vector<std::string> notes;
    const Style style = style_of(graph, sink, options, notes);
    if (style.weights) {
        require_no_nan(graph.tensor.values(), sink, context);
        note_lost_reals(graph.tensor.values(), context, notes);
    }
    const IdWriter rows = options.original_ids ? IdWriter(graph, 0) : IdWriter(Index{0});
    const IdWriter columns = options.original_ids ? IdWriter(graph, 1) : IdWriter(Index{0});
    const auto line = [&](TextPiece& text, const ValueWriter& values, Index row, Index column,
                          Index entry) {
        const auto gap = [&] {
            text.put(style.separator[0]);
            if (style.separator.size() > 1) text.put(style.separator[1]);
        };
        rows.put(text, row);
        gap();
        columns.put(text, column);
        if (style.weights) {
            gap();
            values.put(text, entry);
        }
        text.put('\n');
    };
    if (graph.tensor.format() == Format::csr()) {
        const Tensor& matrix = graph.tensor;
        note_losses(graph, style, unnamed(matrix, graph.is_square(), context), notes);
        sink.write(opening(graph, style, matrix.entries()));
        const ValueWriter values(matrix.values());
        write_csr_entries(sink, matrix, context,
                          [&](TextPiece& text, Index row, Index column, Index entry) {
                              line(text, values, row, column, entry);
                          });
        return notes;
    }
    const CoordinateList list = as_list(graph.tensor, context, notes);
    note_losses(graph, style, unnamed(list, graph.is_square(), context), notes);
    sink.write(opening(graph, style, list.entries()));
    for (const CoordinateBlock& block : list.blocks) {
        const ValueWriter values(block.values);
        write_block_entries(sink, block, context,
                            [&](TextPiece& text, const std::vector<Index>& at, Index entry) {
                                line(text, values, at[0], at[1], entry);
                            });
    }
    return notes;
}

} // namespace tropic
