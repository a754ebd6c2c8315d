// Spanning forests against Kruskal's algorithm, and orders of vertices by every edge.
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "verify/adjacency.h"
#include "verify/union_find.h"

namespace tropic::verify {

namespace {

struct Edge {
    double value;
    Index from;
    Index to;
};

std::vector<Edge> edges_of(const Adjacency& rows) {
    std::vector<Edge> edges;
    for (Index u = 0; u < rows.rows(); ++u) {
        for (Index e = rows.begin(u); e < rows.end(u); ++e) {
            if (u != rows.target(e)) edges.push_back({rows.value(e), u, rows.target(e)});
        }
    }
    return edges;
}

/// What is wrong with `chosen` as the least spanning forest of `all`.
std::string forest_complaint(std::vector<Edge> all, const std::vector<Edge>& chosen, double total,
                             Index n, const Graph& graph, const Context& context) {
    std::ranges::sort(all, {}, &Edge::value);
    UnionFind kruskal(n, context);
    double least = 0;
    std::size_t number = 0;
    for (const Edge& edge : all) {
        if (!kruskal.join(edge.from, edge.to)) continue;
        least += edge.value;
        ++number;
    }
    UnionFind trees(n, context);
    double sum = 0;
    std::size_t joins = 0;
    for (const Edge& edge : chosen) {
        if (!trees.join(edge.from, edge.to)) {
            return fmt::format("the edge between {} and {} closes a circle",
                               vertex_text(graph, edge.from), vertex_text(graph, edge.to));
        }
        sum += edge.value;
        ++joins;
    }
    if (joins != number) {
        return fmt::format("{} edges were chosen, but {} are needed", joins, number);
    }
    if (!close(sum, least, 1e-9, 1e-9)) {
        return fmt::format("the chosen edges add up to {}, but {} is possible", sum, least);
    }
    if (!close(total, least, 1e-6, 1e-9)) {
        return fmt::format("the total is said to be {}, but is {}", total, least);
    }
    return {};
}

} // namespace

Verdict spanning_forest(const Graph& graph, const Array& from, const Array& to, double total,
                        const Context& context) {
    const Adjacency rows = square_rows(graph, context, true);
    const WholeNumbers starts(from, rows.rows(), "from");
    const WholeNumbers ends(to, rows.rows(), "to");
    Verdict verdict{"Kruskal's algorithm", starts.complaint()};
    if (verdict.correct()) verdict.complaint = ends.complaint();
    if (!verdict.correct()) return verdict;
    const MemoryCharge charge(context.budget(),
                              2 * static_cast<std::uint64_t>(rows.entries()) * sizeof(Edge),
                              "verifying");
    // The least value of an edge in either direction, or nothing.
    const auto least_value = [&](Index a, Index b) {
        std::optional<double> least;
        const auto look = [&](Index u, Index v) {
            for (Index e = rows.begin(u); e < rows.end(u); ++e) {
                if (rows.target(e) != v) continue;
                least = std::min(least.value_or(rows.value(e)), rows.value(e));
            }
        };
        look(a, b);
        look(b, a);
        return least;
    };
    std::vector<Edge> taken;
    for (Index v = 0; v < rows.rows(); ++v) {
        const Index a = starts[v];
        const Index b = ends[v];
        if (a < 0) continue;
        const auto value =
            b >= 0 && a < rows.rows() && b < rows.rows() ? least_value(a, b) : std::nullopt;
        if (!value) {
            verdict.complaint = fmt::format("the tree has an edge that the graph has not, at {}",
                                            vertex_text(graph, v));
            return verdict;
        }
        taken.push_back({*value, a, b});
    }
    verdict.complaint = forest_complaint(edges_of(rows), taken, total, rows.rows(), graph, context);
    return verdict;
}

Verdict topological_order(const Graph& graph, const Array& position, const Context& context) {
    const Adjacency rows = square_rows(graph, context);
    const WholeNumbers places(position, rows.rows(), "position");
    Verdict verdict{"looking at every place and every edge", places.complaint()};
    if (!verdict.correct()) return verdict;
    Scratch<char> taken(rows.rows(), 0, context);
    for (Index v = 0; v < rows.rows(); ++v) {
        const Index place = places[v];
        if (place < 0 || place >= rows.rows() || taken[place]++ != 0) {
            verdict.complaint = fmt::format("{} has the place {}, outside the order or taken",
                                            vertex_text(graph, v), place);
            return verdict;
        }
    }
    for (Index u = 0; u < rows.rows(); ++u) {
        for (Index e = rows.begin(u); e < rows.end(u); ++e) {
            const Index v = rows.target(e);
            if (places[u] < places[v]) continue;
            verdict.complaint = fmt::format("an edge leads from {} back to {}",
                                            vertex_text(graph, u), vertex_text(graph, v));
            return verdict;
        }
    }
    return verdict;
}

} // namespace tropic::verify
