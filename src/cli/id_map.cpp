#include "cli/id_map.h"

#include <filesystem>

#include <fmt/format.h>

#include "cli/outputs.h"
#include "graph/files/byte_sink.h"
#include "support/memory.h"
#include "tropic/error.h"

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

/// Refuses a map that no disk could hold before the first line of it is written.
void require_space(const Graph& graph, const std::string& path) {
    namespace fs = std::filesystem;
    constexpr double shortest_line = 4;      // "1 1\n"
    constexpr double best_compression = 100; // far better than lines of numbers allow
    std::error_code error;
    const fs::path folder = fs::absolute(path, error).parent_path();
    const bool direct =
        is_standard_output(path) || (fs::exists(path, error) && !fs::is_regular_file(path, error));
    const auto free = static_cast<double>(fs::space(folder, error).available);
    if (direct || error) return;
    auto lines = static_cast<double>(graph.tensor.dim(0));
    if (!graph.is_square()) lines += static_cast<double>(graph.tensor.dim(1));
    const double least = lines * shortest_line / best_compression;
    if (least <= free) return;
    throw Error(
        {.code = ErrorCode::io,
         .message = fmt::format("a map of {:.3g} ids does not fit the space that is left, {}",
                                lines, bytes_text(static_cast<std::uint64_t>(free))),
         .file = path,
         .hint = "--drop-isolated leaves out vertices without edges"});
}

} // namespace

void write_id_map(const Graph& graph, FileFormat written, const std::string& path,
                  const Context& context) {
    require_matrix(graph, "a map of ids");
    require_space(graph, path);
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
