#include "common/matrix.h"

#include <iostream>
#include <limits>
#include <utility>

#include <tropic/tropic.h>

namespace tile_example {

Matrix shuffle(tropic::Graph graph, std::uint64_t seed) {
    tropic::require_square(graph, "a program on blocks of a grid");
    if (graph.vertices() > std::numeric_limits<std::int32_t>::max()) {
        throw tropic::Error(tropic::ErrorCode::unsupported,
                            "the graph has more vertices than 32 bits can count");
    }
    const tropic::Array order = tropic::vertex_order(graph, tropic::Order::random, seed);
    Matrix matrix;
    matrix.n = static_cast<std::size_t>(graph.vertices());
    matrix.old_of.resize(matrix.n);
    matrix.new_of.resize(matrix.n);
    for (std::size_t v = 0; v < matrix.n; ++v) {
        const auto old = static_cast<std::int32_t>(order.index_at(static_cast<tropic::Index>(v)));
        matrix.old_of[v] = old;
        matrix.new_of[static_cast<std::size_t>(old)] = static_cast<std::int32_t>(v);
    }
    graph = tropic::store_as(tropic::permute(std::move(graph), order, "shuffled"),
                             tropic::Format::csr());
    const tropic::Array values =
        graph.tensor.is_pattern()
            ? tropic::Array()
            : tropic::cast(graph.tensor.values(), tropic::ElementType::float32, {});
    tropic::visit_csr(graph.tensor, [&](const auto& csr) {
        matrix.pos.assign(csr.pos.begin(), csr.pos.end());
        matrix.col.assign(csr.crd.begin(), csr.crd.end());
    });
    if (values.empty()) {
        matrix.value.assign(matrix.entries(), 1.0F);
    } else {
        const auto source = values.as<float>();
        matrix.value.assign(source.begin(), source.end());
    }
    return matrix;
}

Matrix load_matrix(const std::string& path_or_expression, std::uint64_t seed) {
    return shuffle(tropic::read_graph(path_or_expression), seed);
}

Matrix load_undirected(const std::string& path_or_expression, std::uint64_t seed) {
    tropic::Graph graph = tropic::read_graph(path_or_expression);
    if (graph.kind != tropic::EdgeKind::undirected) {
        const tropic::Index before = graph.entries();
        graph = tropic::symmetrise(std::move(graph));
        std::cerr << path_or_expression << ": made undirected, " << graph.entries() - before
                  << " entries added\n";
    }
    return shuffle(tropic::drop_self_loops(std::move(graph)), seed);
}

} // namespace tile_example
