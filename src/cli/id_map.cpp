#include "cli/id_map.h"

#include <fmt/format.h>

#include "graph/files/byte_sink.h"

namespace tropic::cli {

namespace {

constexpr Index lines_at_once = 1 << 16;

/// The number that a format gives the first vertex. Edge lists have it with --new-ids.
Index first_number(FileFormat format) {
    switch (format) {
    case FileFormat::edge_list:
    case FileFormat::gap_serialized:
    case FileFormat::tropic:
        return 0;
    default:
        return 1;
    }
}

} // namespace

void write_id_map(const Graph& graph, FileFormat written, const std::string& path,
                  const Context& context) {
    require_matrix(graph, "a map of ids");
    const auto sink = create_file(path, false, context);
    const Index first = first_number(written);
    const auto lines = [&](int dimension, std::string_view prefix) {
        const VertexIds& ids = graph.ids[static_cast<std::size_t>(dimension)];
        write_pieces(*sink, graph.tensor.dim(dimension), lines_at_once, context, "writing the map",
                     [&](Index begin, Index end, std::string& out) {
                         for (Index v = begin; v < end; ++v) {
                             fmt::format_to(std::back_inserter(out), "{}{} {}\n", prefix, v + first,
                                            ids[v]);
                         }
                     });
    };
    lines(0, graph.is_square() ? "" : "row ");
    if (!graph.is_square()) lines(1, "column ");
    sink->commit();
}

} // namespace tropic::cli
