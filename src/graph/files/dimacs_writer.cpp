// Writes DIMACS .gr: "p tw" for undirected graphs without weights that list each edge once, "p sp"
// for all others.
#include <fmt/format.h>

#include "graph/files/reader.h"
#include "graph/files/text_writer.h"
#include "graph/files/write_checks.h"

namespace tropic {

std::vector<std::string> write_dimacs(const Graph& graph, ByteSink& sink, const WriteOptions&,
                                      const Context& context) {
    require_square(graph, "a DIMACS file");
    std::vector<std::string> notes;
    const CompactGraph compact = as_compact_csr(graph, context, notes);
    const Tensor& matrix = compact.matrix;
    const bool plain = graph.kind == EdgeKind::undirected_once && matrix.is_pattern();
    if (!plain) {
        const WriteCheck check{compact.graph, matrix, sink, "DIMACS", context};
        check.require_whole_weights(std::numeric_limits<Index>::min());
        note_whole_weights(matrix, notes);
        note_undirected(graph, notes);
    }
    note_ids_from_one(graph, notes);
    note_vertex_data(graph, notes);
    sink.write(
        fmt::format("p {} {} {}\n", plain ? "tw" : "sp", graph.vertices(), matrix.entries()));
    const ValueWriter values(matrix.values(), true);
    const IdWriter numbers(compact.positions, 1);
    write_csr_entries(sink, matrix, context,
                      [&](TextPiece& text, Index row, Index column, Index entry) {
                          if (!plain) {
                              text.put('a');
                              text.put(' ');
                          }
                          numbers.put(text, row);
                          text.put(' ');
                          numbers.put(text, column);
                          if (!plain) {
                              text.put(' ');
                              values.put(text, entry);
                          }
                          text.put('\n');
                      });
    return notes;
}

} // namespace tropic
