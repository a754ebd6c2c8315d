// Spanning forests against Kruskal's algorithm, and orders of vertices by every edge.
#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "verify/adjacency.h"
#include "verify/union_find.h"

namespace tropic::verify {

namespace {

/// `Number`: double, or Whole, whose sums are right to the last digit.
template <class Number> struct Edge {
    Number value;
    Index from;
    Index to;
};

template <class Number> Number value_of(const Adjacency& rows, Index e) {
    if constexpr (std::is_same_v<Number, Whole>) return rows.whole_value(e);
    else return rows.value(e);
}

template <class Number> std::vector<Edge<Number>> edges_of(const Adjacency& rows) {
    std::vector<Edge<Number>> edges;
    for (Index u = 0; u < rows.rows(); ++u) {
        for (Index e = rows.begin(u); e < rows.end(u); ++e) {
            const Index v = rows.target(e);
            if (u != v) edges.push_back({value_of<Number>(rows, e), u, v});
        }
    }
    return edges;
}

/// `added` is the sum of what was added up, without signs.
bool is_total(double total, double least, double added) {
    // Infinities of both signs have no sum.
    return std::isnan(least) ? std::isnan(total) : close(total, least, 0, 1e-9 * added);
}

/// Totals are reals, which hold whole numbers exactly up to 2^53.
bool is_total(double total, Whole least, double added) {
    constexpr double exact = 0x1p53;
    const auto real = static_cast<double>(least);
    return added < exact ? total == real : std::abs(total - real) <= 1e-12 * added;
}

/// What is wrong with `chosen` as the least spanning forest of `all`. All least forests of a graph
/// have the same values, in whatever edges: so they can be compared without a rounding.
template <class Number>
std::string forest_complaint(std::vector<Edge<Number>> all, std::vector<Edge<Number>> chosen,
                             double total, Index n, const Graph& graph, const Context& context) {
    std::ranges::sort(all, {}, &Edge<Number>::value);
    UnionFind kruskal(n, context);
    Number least = 0;
    double added = 0;
    std::vector<Number> values;
    for (const Edge<Number>& edge : all) {
        if (!kruskal.join(edge.from, edge.to)) continue;
        least += edge.value;
        added += std::abs(static_cast<double>(edge.value));
        values.push_back(edge.value);
    }
    UnionFind trees(n, context);
    Number sum = 0;
    for (const Edge<Number>& edge : chosen) {
        if (!trees.join(edge.from, edge.to)) {
            return fmt::format("the edge between {} and {} closes a circle",
                               vertex_text(graph, edge.from), vertex_text(graph, edge.to));
        }
        sum += edge.value;
    }
    if (chosen.size() != values.size()) {
        return fmt::format("{} edges were chosen, but {} are needed", chosen.size(), values.size());
    }
    std::ranges::sort(chosen, {}, &Edge<Number>::value);
    if (!std::ranges::equal(chosen, values, {}, &Edge<Number>::value)) {
        return fmt::format("the chosen edges add up to {}, but {} is possible", sum, least);
    }
    if (!is_total(total, least, added)) {
        return fmt::format("the total is said to be {}, but is {}", total, least);
    }
    return {};
}

/// What is wrong with the edges from `starts[v]` to `ends[v]` as the least spanning forest.
template <class Number>
std::string chosen_complaint(const Adjacency& rows, const WholeNumbers& starts,
                             const WholeNumbers& ends, double total, const Graph& graph,
                             const Context& context) {
    const MemoryCharge charge(context.budget(),
                              2 * static_cast<std::uint64_t>(rows.entries()) * sizeof(Edge<Number>),
                              "verifying");
    // The least value of an edge in either direction, or nothing.
    const auto least_value = [&](Index a, Index b) {
        std::optional<Number> least;
        const auto look = [&](Index u, Index v) {
            for (Index e = rows.begin(u); e < rows.end(u); ++e) {
                if (rows.target(e) != v) continue;
                const auto value = value_of<Number>(rows, e);
                least = std::min(least.value_or(value), value);
            }
        };
        look(a, b);
        look(b, a);
        return least;
    };
    std::vector<Edge<Number>> taken;
    for (Index v = 0; v < rows.rows(); ++v) {
        const Index a = starts[v];
        const Index b = ends[v];
        if (a < 0) continue;
        const auto value =
            b >= 0 && a < rows.rows() && b < rows.rows() ? least_value(a, b) : std::nullopt;
        if (!value) {
            return fmt::format("the tree has an edge that the graph has not, at {}",
                               vertex_text(graph, v));
        }
        taken.push_back({*value, a, b});
    }
    return forest_complaint(edges_of<Number>(rows), std::move(taken), total, rows.rows(), graph,
                            context);
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
    const auto complaint = rows.is_whole() ? chosen_complaint<Whole> : chosen_complaint<double>;
    verdict.complaint = complaint(rows, starts, ends, total, graph, context);
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
