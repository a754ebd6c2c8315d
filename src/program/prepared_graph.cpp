#include "graph/derived/graph_cache.h"
#include "tropic/algorithm.h"
#include "tropic/coordinates.h"

namespace tropic {

namespace {

Graph as_graph(const Tensor& tensor) {
    Graph graph;
    graph.name = "a tensor";
    graph.source = "tensor";
    graph.tensor = tensor;
    graph.ids.resize(static_cast<std::size_t>(tensor.rank()));
    if (tensor.rank() == 2 && tensor.dim(0) != tensor.dim(1)) graph.kind = EdgeKind::bipartite;
    return graph;
}

/// The zeros of a dense matrix are edges that are not there, and must not be counted as some.
Graph without_absent(Graph graph) {
    if (graph.tensor.format() == Format::dense(2)) {
        graph.tensor = convert(graph.tensor, Format::csr());
    }
    return graph;
}

} // namespace

PreparedGraph::PreparedGraph() : PreparedGraph(Graph{}) {}
PreparedGraph::PreparedGraph(Graph graph)
    : cache_(std::make_shared<derived::GraphCache>(without_absent(std::move(graph)))) {}
PreparedGraph::PreparedGraph(const Tensor& tensor) : PreparedGraph(as_graph(tensor)) {}

const Graph& PreparedGraph::graph() const noexcept {
    return cache_->graph();
}

bool PreparedGraph::is_symmetric(const Context& context) const {
    require_matrix(graph(), "is_symmetric");
    return cache_->symmetric(true, context);
}

std::size_t PreparedGraph::derived_bytes() const {
    return cache_->derived_bytes();
}

void PreparedGraph::forget_derived() const {
    cache_->forget();
}

} // namespace tropic
