#include "cli/part_files.h"

#include <fmt/format.h>

#include "graph/files/byte_sink.h"
#include "tropic/coordinates.h"

namespace tropic::cli {

namespace {

constexpr Index lines_at_once = 1 << 16;

/// The row of every entry in csr order, for edges given by position.
class EntryEnds {
  public:
    EntryEnds(const Graph& graph, const Context& context)
        : graph_(graph), csr_(convert(graph.tensor, Format::csr(), context)) {}

    std::string edge(Index entry) const {
        return visit_csr(csr_, [&](const auto& view) {
            const auto above = std::upper_bound(view.pos.begin(), view.pos.end(), entry);
            const Index row = above - view.pos.begin() - 1;
            return fmt::format("[{},{}]", graph_.ids[0][row], graph_.ids[1][view.crd[entry]]);
        });
    }

  private:
    const Graph& graph_;
    Tensor csr_;
};

template <class Text>
void append_list(ByteSink& sink, std::string_view name, const Array& array, const Text& text,
                 const Context& context) {
    std::string out = fmt::format("\"{}\": [", name);
    for (Index i = 0; i < array.size(); ++i) {
        if (i > 0) out += ',';
        out += text(array.index_at(i));
        if (out.size() > (1u << 20)) {
            context.check_cancelled();
            sink.write(out);
            out.clear();
        }
    }
    sink.write(out + "]");
}

} // namespace

void write_parts(const Graph& graph, const Partition& partition, const std::string& path,
                 const Context& context) {
    const auto sink = create_file(path, false, context);
    const bool two_dimensional = !partition.col_part_of.empty();
    const auto lines = [&](const Array& part_of, const VertexIds& ids, std::string_view prefix) {
        write_pieces(*sink, part_of.size(), lines_at_once, context, "writing parts",
                     [&](Index begin, Index end, std::string& out) {
                         for (Index v = begin; v < end; ++v) {
                             fmt::format_to(std::back_inserter(out), "{}{} {}\n", prefix, ids[v],
                                            part_of.index_at(v));
                         }
                     });
    };
    lines(partition.part_of, graph.ids[0], two_dimensional ? "row " : "");
    if (two_dimensional) lines(partition.col_part_of, graph.ids[1], "column ");
    sink->commit();
}

void write_part_lists(const Graph& graph, const Partition& partition, const std::string& path,
                      const Context& context) {
    const auto sink = create_file(path, false, context);
    const EntryEnds ends(graph, context);
    const bool two_dimensional = !partition.col_part_of.empty();
    const std::vector<Part> parts = all_part_lists(graph, partition, context);
    const auto id_in = [&](int dimension) {
        return [&graph, dimension](Index v) { return std::to_string(graph.ids[dimension][v]); };
    };
    const auto edge = [&](Index entry) { return ends.edge(entry); };
    sink->write("[\n");
    for (std::size_t p = 0; p < parts.size(); ++p) {
        const Part& part = parts[p];
        sink->write(fmt::format("{}{{\"part\": {}, ", p == 0 ? "" : ",\n", p));
        append_list(*sink, two_dimensional ? "rows" : "local_vertices", part.local_vertices,
                    id_in(0), context);
        sink->write(", ");
        append_list(*sink, two_dimensional ? "columns" : "foreign_vertices", part.foreign_vertices,
                    id_in(1), context);
        sink->write(", ");
        append_list(*sink, "local_edges", part.local_entries, edge, context);
        if (!two_dimensional) {
            sink->write(", ");
            append_list(*sink, "foreign_edges", part.foreign_entries, edge, context);
        }
        sink->write("}");
    }
    sink->write("\n]\n");
    sink->commit();
}

} // namespace tropic::cli
