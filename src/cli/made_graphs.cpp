#include "cli/made_graphs.h"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tropic::cli {

namespace {

/// The ids of what stands for rows or columns in the type: "vertices(A)", "columns(A)".
VertexIds ids_of(const std::string& space, const std::map<std::string, Graph>& graphs) {
    const auto open = space.find('(');
    if (open == std::string::npos) return {};
    const auto named = graphs.find(space.substr(open + 1, space.find(')') - open - 1));
    if (named == graphs.end() || named->second.ids.empty()) return {};
    const auto& ids = named->second.ids;
    return space.find("columns") == std::string::npos ? ids.front() : ids.back();
}

} // namespace

Graph made_graph(const AlgorithmVariable& variable, const Tensor& tensor, const Graph* first,
                 const std::map<std::string, Graph>& graphs) {
    Graph graph;
    graph.name = variable.name;
    graph.source = "algorithm";
    graph.tensor = tensor;
    graph.ids.resize(2);
    graph.kind = tensor.dim(0) == tensor.dim(1) ? EdgeKind::directed : EdgeKind::bipartite;
    const auto rows = variable.type.find(", ");
    if (rows == std::string::npos) { // the vertices
        if (first != nullptr && !first->ids.empty()) graph.ids.assign(2, first->ids[0]);
    } else {
        const auto columns = variable.type.find(", ", rows + 2);
        graph.ids[0] = ids_of(variable.type.substr(rows, columns - rows), graphs);
        graph.ids[1] = ids_of(variable.type.substr(columns), graphs);
    }
    return graph;
}

std::string edges_preview(const Graph& graph) {
    constexpr std::size_t most = 8;
    std::vector<std::string> shown;
    visit_csr(graph.tensor, [&](const auto& view) {
        for (Index row = 0; row < view.rows && shown.size() < most; ++row) {
            for (Index at = view.pos[row]; at < view.pos[row + 1] && shown.size() < most; ++at) {
                shown.push_back(fmt::format("{} {}", graph.ids[0][row],
                                            graph.ids[1][static_cast<Index>(view.crd[at])]));
                if (graph.tensor.is_pattern()) continue;
                const double value = graph.tensor.values().value_at(at);
                shown.back() += is_float(graph.tensor.type())
                                    ? fmt::format(": {:.6g}", value)
                                    : fmt::format(": {}", static_cast<Index>(value));
            }
        }
    });
    const Index all = graph.tensor.entries();
    if (all == 0) return "no edges";
    if (all > static_cast<Index>(shown.size())) shown.push_back(fmt::format("... {} in all", all));
    return fmt::format("{}", fmt::join(shown, ", "));
}

} // namespace tropic::cli
