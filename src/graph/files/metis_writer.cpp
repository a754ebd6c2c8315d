// Writes METIS .graph files: simple undirected graphs with whole positive weights, and nothing
// else.
#include <fmt/format.h>

#include "graph/files/reader.h"
#include "graph/files/text_writer.h"
#include "graph/files/write_checks.h"

namespace tropic {

namespace {

/// METIS takes whole vertex weights and sizes of at least 0.
void check_vertex_numbers(const Array& numbers, Index expected, std::string_view what,
                          const ByteSink& sink) {
    if (numbers.size() != expected) {
        throw Error(ErrorCode::internal,
                    fmt::format("{} {} for a graph that needs {}", numbers.size(), what, expected));
    }
    for (Index i = 0; i < numbers.size(); ++i) {
        const double value = numbers.value_at(i);
        if (value >= 0 && value == std::trunc(value) && value < 9.2e18) continue;
        refuse_to_write(sink, fmt::format("METIS files cannot hold {} of {}", what, value),
                        "whole numbers of at least 0", "write another format, or drop them");
    }
}

/// The rows, each of which is a line.
Tensor rows_of(const Graph& graph, const ByteSink& sink, const Context& context,
               std::vector<std::string>& notes) {
    try {
        return as_csr(graph, context, notes);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::out_of_memory) throw;
        Diagnostic diagnostic = error.diagnostic();
        diagnostic.file = sink.path();
        diagnostic.hint = "METIS files have a line for every vertex: leave out those without "
                          "entries (--drop-isolated), or write Matrix Market";
        throw Error(std::move(diagnostic));
    }
}

} // namespace

std::vector<std::string> write_metis(const Graph& graph, ByteSink& sink, const WriteOptions&,
                                     const Context& context) {
    require_square(graph, "a METIS file");
    std::vector<std::string> notes;
    const Tensor matrix = rows_of(graph, sink, context, notes);
    const WriteCheck check{graph, matrix, sink, "METIS", context};
    check.require_no_self_loops();
    check.require_no_duplicates();
    check.require_symmetric();
    check.require_whole_weights(1);

    const Index vertices = graph.vertices();
    const bool weighted = !matrix.is_pattern();
    const bool sized = !graph.vertex_sizes.empty();
    const Index constraints = graph.vertex_weights.empty() ? 0 : graph.constraints;
    if (sized) check_vertex_numbers(graph.vertex_sizes, vertices, "vertex sizes", sink);
    if (constraints > 0) {
        check_vertex_numbers(graph.vertex_weights, vertices * constraints, "vertex weights", sink);
    }
    if (weighted) note_whole_weights(matrix, notes);
    note_ids_from_one(graph, notes);

    std::string header = fmt::format("{} {}", vertices, matrix.entries() / 2);
    if (weighted || sized || constraints > 0) {
        header += fmt::format(" {:d}{:d}{:d}", sized, constraints > 0, weighted);
    }
    if (constraints > 1) header += fmt::format(" {}", constraints);
    sink.write(header + "\n");

    const ValueWriter weights(matrix.values(), true);
    const ValueWriter sizes(graph.vertex_sizes, true);
    const ValueWriter vertex_weights(graph.vertex_weights, true);
    const Index rows_per_piece = std::max<Index>(
        1, entries_per_piece / (matrix.entries() / std::max<Index>(vertices, 1) + 1));
    visit_csr(matrix, [&](auto view) {
        write_pieces(sink, vertices, rows_per_piece, context, "writing",
                     [&](Index begin, Index end, std::string& out) {
                         TextPiece text(out);
                         for (Index row = begin; row < end; ++row) {
                             bool first = true;
                             const auto gap = [&] {
                                 if (!first) text.put(' ');
                                 first = false;
                             };
                             if (sized) {
                                 gap();
                                 sizes.put(text, row);
                             }
                             for (Index c = 0; c < constraints; ++c) {
                                 gap();
                                 vertex_weights.put(text, row * constraints + c);
                             }
                             for (Index e = view.pos[row]; e < view.pos[row + 1]; ++e) {
                                 gap();
                                 text.number(Index{view.crd[e]} + 1);
                                 if (!weighted) continue;
                                 text.put(' ');
                                 weights.put(text, e);
                             }
                             text.put('\n');
                         }
                     });
    });
    return notes;
}

} // namespace tropic
