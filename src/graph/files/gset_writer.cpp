// Writes Gset (rudy) files: each undirected edge once, from its smaller to its larger vertex.
#include <fmt/format.h>

#include "graph/files/reader.h"
#include "graph/files/text_writer.h"
#include "graph/files/write_checks.h"

namespace tropic {

namespace {

Index count_upper(const Tensor& matrix, const Context& context) {
    return visit_csr(matrix, [&](auto view) {
        return parallel_combine(
            context, view.rows, 1 << 14, Index{0},
            [&](Index begin, Index end) {
                Index count = 0;
                for (Index row = begin; row < end; ++row) {
                    const auto last = view.crd.begin() + view.pos[row + 1];
                    count += last - std::lower_bound(view.crd.begin() + view.pos[row], last, row);
                }
                return count;
            },
            [](Index a, Index b) { return a + b; });
    });
}

} // namespace

std::vector<std::string> write_gset(const Graph& graph, ByteSink& sink, const WriteOptions&,
                                    const Context& context) {
    require_square(graph, "a Gset file");
    std::vector<std::string> notes;
    const CompactGraph compact = as_compact_csr(graph, context, notes);
    const Tensor& matrix = compact.matrix;
    const WriteCheck check{compact.graph, matrix, sink, "Gset", context};
    check.require_whole_weights(std::numeric_limits<Index>::min());
    const bool once = graph.kind == EdgeKind::undirected_once;
    if (!once) check.require_symmetric();
    note_whole_weights(matrix, notes);
    note_ids_from_one(graph, notes);
    note_vertex_data(graph, notes);
    const Index edges = once ? matrix.entries() : count_upper(matrix, context);
    sink.write(fmt::format("{} {}\n", graph.vertices(), edges));
    const ValueWriter values(matrix.values(), true);
    const IdWriter numbers(compact.positions, 1);
    write_csr_entries(sink, matrix, context,
                      [&](TextPiece& text, Index row, Index column, Index entry) {
                          if (!once && column < row) return;
                          numbers.put(text, row);
                          text.put(' ');
                          numbers.put(text, column);
                          text.put(' ');
                          values.put(text, entry);
                          text.put('\n');
                      });
    return notes;
}

} // namespace tropic
