#include "fidelity/stand_in.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

#include <tropic/tropic.h>

namespace fidelity {

namespace {

using tropic::Index;

/// Edges as they are drawn, either direction, repeated or not.
struct Edges {
    Index n = 0;
    std::vector<std::int32_t> from;
    std::vector<std::int32_t> to;

    void add(Index a, Index b) {
        from.push_back(static_cast<std::int32_t>(a));
        to.push_back(static_cast<std::int32_t>(b));
    }
};

tropic::Graph to_graph(const Edges& edges, std::string_view name) {
    const auto array = [](const std::vector<std::int32_t>& values) {
        return tropic::Array::copy_of<std::int32_t>(values, {}, "edges");
    };
    tropic::Graph graph;
    graph.name = name;
    graph.source = "stand-in";
    graph.tensor = tropic::matrix_from_edges(edges.n, edges.n, array(edges.from), array(edges.to),
                                             {}, tropic::Format::csr(), tropic::Duplicates::first);
    graph.ids = {tropic::VertexIds(0), tropic::VertexIds(0)};
    graph = tropic::drop_self_loops(tropic::symmetrise(std::move(graph)));
    graph.kind = tropic::EdgeKind::undirected;
    return graph;
}

struct Network {
    Index vertices;
    Index edges;
    Index largest_degree;
    Index path; ///< vertices in a row before the rest, to make the search as deep as it should be
};

/// Expected degrees fall as a power of the rank, from the largest to one; the power is such that
/// they add up to twice the edges.
tropic::Graph power_law(const Network& network, std::string_view name) {
    const auto core = static_cast<std::size_t>(network.vertices - network.path);
    const auto degree = [&](std::size_t rank, double power) {
        return std::max(1.0, static_cast<double>(network.largest_degree) *
                                 std::pow(static_cast<double>(rank + 1), -power));
    };
    const auto total = [&](double power) {
        double sum = 0;
        for (std::size_t rank = 0; rank < core; ++rank) sum += degree(rank, power);
        return sum;
    };
    double low = 0;
    double high = 3;
    for (int step = 0; step < 40; ++step) {
        const double middle = (low + high) / 2;
        (total(middle) > 2 * static_cast<double>(network.edges) ? low : high) = middle;
    }
    std::vector<double> until(core);
    double sum = 0;
    for (std::size_t rank = 0; rank < core; ++rank) until[rank] = sum += degree(rank, low);

    std::mt19937_64 random(7);
    const auto draw = [&] {
        const double at = sum * static_cast<double>(random() >> 11U) / 9007199254740992.0;
        return std::upper_bound(until.begin(), until.end() - 1, at) - until.begin();
    };
    Edges edges;
    edges.n = network.vertices;
    for (Index v = 0; v < network.path; ++v) edges.add(v, v + 1);
    for (Index e = 0; e < network.edges; ++e) {
        edges.add(network.path + draw(), network.path + draw());
    }
    // Everyone knows someone: the vertices that no edge met join one that was.
    std::vector<bool> met(static_cast<std::size_t>(edges.n), false);
    for (const std::int32_t v : edges.from) met[static_cast<std::size_t>(v)] = true;
    for (const std::int32_t v : edges.to) met[static_cast<std::size_t>(v)] = true;
    for (Index v = network.path; v < edges.n; ++v) {
        if (!met[static_cast<std::size_t>(v)]) edges.add(v, network.path + draw());
    }
    return to_graph(edges, name);
}

/// A box of nodes with three unknowns each, cut off at the number of unknowns. Every node is
/// coupled to the nodes around it, but for every `missing`-th pair.
tropic::Graph box_mesh(Index unknowns, Index length, Index width, Index missing,
                       std::string_view name) {
    const Index nodes = unknowns / 3;
    const Index slab = (nodes + length - 1) / length;
    const Index height = (slab + width - 1) / width;
    const auto node = [&](Index x, Index y, Index z) { return (x * height + y) * width + z; };
    Edges edges;
    edges.n = unknowns;
    for (Index a = 0; a < nodes; ++a) {
        const Index x = a / (height * width);
        const Index y = a / width % height;
        const Index z = a % width;
        for (Index d = 0; d < 27; ++d) {
            const Index bx = x + d / 9 - 1;
            const Index by = y + d / 3 % 3 - 1;
            const Index bz = z + d % 3 - 1;
            if (bx < 0 || by < 0 || bz < 0 || by >= height || bz >= width) continue;
            const Index b = node(bx, by, bz);
            if (b < a || b >= nodes || (b > a + 1 && (7 * a + d) % missing == 0)) continue;
            for (Index k = 0; k < 9; ++k) edges.add(3 * a + k / 3, 3 * b + k % 3);
        }
    }
    return to_graph(edges, name);
}

/// So many vertices that nearly all know each other; vertex 0 knows all.
tropic::Graph dense(Index vertices, Index edge_count, std::string_view name) {
    std::mt19937_64 random(7);
    Edges edges;
    edges.n = vertices;
    for (Index v = 1; v < vertices; ++v) edges.add(0, v);
    std::vector<std::pair<Index, Index>> pairs;
    for (Index a = 1; a < vertices; ++a) {
        for (Index b = a + 1; b < vertices; ++b) pairs.emplace_back(a, b);
    }
    std::shuffle(pairs.begin(), pairs.end(), random);
    pairs.resize(static_cast<std::size_t>(edge_count - vertices + 1));
    for (const auto& [a, b] : pairs) edges.add(a, b);
    return to_graph(edges, name);
}

} // namespace

tropic::Graph make_stand_in(std::string_view name) {
    // Vertices and edges of table 4.1 in full (SuiteSparse matrix collection); largest degrees from
    // the same. How far vertex 0 sees is not published: two thirds of the published diameter is
    // taken, halfway between the least and the most it can be, rounded up.
    if (name == "coAuthorsDBLP") return power_law({299067, 977676, 336, 7}, name);
    if (name == "coPapersDBLP") return power_law({540486, 15245729, 3299, 13}, name);
    if (name == "loc-Gowalla") return power_law({196591, 950327, 14730, 5}, name);
    if (name == "ship_003") return box_mesh(121728, 58, 26, 8, name);
    // Its 11 us are too few for three levels on any account, so vertex 0 must know all others.
    if (name == "Journals") return dense(124, 5972, name);
    throw std::runtime_error("there is no stand-in " + std::string(name));
}

} // namespace fidelity
