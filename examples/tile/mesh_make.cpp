// Meshes: the small one, those of any graph, their first values, and the update without tiles.
#include "mesh.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <tropic/tropic.h>

namespace tile_example {

Mesh small_mesh(unsigned node_dim) {
    Mesh mesh;
    mesh.nodes = 6;
    mesh.node_dim = node_dim;
    mesh.edges = {{0, 1}, {1, 2}, {1, 3}, {2, 3}, {2, 5}, {3, 5}, {4, 5}, {0, 4}};
    mesh.parts = 3;
    mesh.part_of_node = {0, 0, 1, 1, 2, 2};
    mesh.part_of_edge = {0, 0, 0, 1, 2, 1, 2, 2};
    return mesh;
}

Mesh partitioned_mesh(const std::string& path_or_expression, unsigned node_dim,
                      const PartitionedMeshOptions& options) {
    tropic::Graph graph = tropic::read_graph(path_or_expression);
    tropic::require_square(graph, "a mesh");
    graph = tropic::drop_self_loops(tropic::symmetrise(std::move(graph)));
    graph = tropic::store_as(tropic::merge_duplicates(std::move(graph), tropic::Duplicates::first),
                             tropic::Format::csr());
    tropic::PartitionOptions cut;
    if (!tropic::parse_partition_method(options.method, cut.method)) {
        throw tropic::Error(tropic::ErrorCode::usage,
                            "there is no partition method '" + options.method + "'",
                            "metis or scotch");
    }
    cut.parts = options.parts;
    cut.seed = options.seed;
    const tropic::Partition partition = tropic::partition(graph, cut);

    Mesh mesh;
    mesh.nodes = static_cast<unsigned>(graph.vertices());
    mesh.node_dim = node_dim;
    mesh.parts = static_cast<unsigned>(partition.parts);
    for (tropic::Index v = 0; v < graph.vertices(); ++v) {
        mesh.part_of_node.push_back(static_cast<unsigned>(partition.part_of.index_at(v)));
    }
    tropic::visit_csr(graph.tensor, [&](const auto& csr) {
        for (unsigned i = 0; i < mesh.nodes; ++i) {
            for (auto e = csr.pos[i]; e < csr.pos[i + std::size_t{1}]; ++e) {
                const auto j = static_cast<unsigned>(csr.crd[static_cast<std::size_t>(e)]);
                if (i < j) mesh.edges.emplace_back(i, j);
            }
        }
    });
    std::vector<std::size_t> owned(mesh.parts, 0);
    for (const auto& [a, b] : mesh.edges) {
        const unsigned first = mesh.part_of_node[a];
        const unsigned second = mesh.part_of_node[b];
        const unsigned owner = owned[second] < owned[first] ? second : first;
        ++owned[owner];
        mesh.part_of_edge.push_back(owner);
    }
    return mesh;
}

MeshState initial_state(const Mesh& mesh, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto next = [&] { return 0.5F * static_cast<float>(random() >> 40U) / 16777216.0F; };
    MeshState state;
    state.nodes.resize(std::size_t{mesh.nodes} * mesh.node_dim);
    state.edges.resize(mesh.edges.size());
    std::generate(state.nodes.begin(), state.nodes.end(), next);
    std::generate(state.edges.begin(), state.edges.end(), next);
    return state;
}

MeshState plain_mesh(const Mesh& mesh, MeshState state, unsigned rounds) {
    const std::size_t dim = mesh.node_dim;
    for (unsigned step = 0; step < 2 * rounds; ++step) {
        MeshState next = state;
        for (float& value : next.nodes) value *= 0.8F;
        for (std::size_t e = 0; e < mesh.edges.size(); ++e) {
            const std::size_t a = mesh.edges[e].first * dim;
            const std::size_t b = mesh.edges[e].second * dim;
            float product = 0;
            for (std::size_t d = 0; d < dim; ++d) {
                next.nodes[a + d] += 0.2F * state.edges[e] * state.nodes[b + d];
                next.nodes[b + d] += 0.2F * state.edges[e] * state.nodes[a + d];
                product += state.nodes[a + d] * state.nodes[b + d];
            }
            next.edges[e] = product / 6.0F;
        }
        state = std::move(next);
    }
    return state;
}

double difference(const MeshState& a, const MeshState& b) {
    double worst = 0;
    const auto compare = [&](const std::vector<float>& x, const std::vector<float>& y) {
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double gap = std::abs(static_cast<double>(x[i]) - static_cast<double>(y[i]));
            worst = std::max(worst, gap / std::max(1.0, std::abs(static_cast<double>(y[i]))));
        }
    };
    compare(a.nodes, b.nodes);
    compare(a.edges, b.edges);
    return worst;
}

} // namespace tile_example
