// Triangles, clustering, cores, trusses and similarity of neighbours: all from lists of distinct
// neighbours in ascending order.
#include <algorithm>

#include <fmt/format.h>

#include "verify/adjacency.h"

namespace tropic::verify {

namespace {

/// The number of common neighbours, by merging two lists.
Index common(const SimpleAdjacency& near, Index a, Index b) {
    const auto first = near[a];
    const auto second = near[b];
    Index number = 0;
    for (std::size_t i = 0, j = 0; i < first.size() && j < second.size();) {
        if (first[i] < second[j]) ++i;
        else if (first[i] > second[j]) ++j;
        else ++number, ++i, ++j;
    }
    return number;
}

std::string simple_complaint(const Graph& graph, const Adjacency& rows,
                             const SimpleAdjacency& near) {
    for (Index v = 0; v < rows.rows(); ++v) {
        if (rows.degree(v) != near.degree(v)) {
            return fmt::format("the graph is not simple and undirected: see {}",
                               vertex_text(graph, v));
        }
    }
    return {};
}

} // namespace

Verdict triangles(const Graph& graph, std::int64_t count, const Context& context) {
    const SimpleAdjacency near(graph, context);
    Verdict verdict{"merged neighbour lists of every edge", {}};
    std::int64_t right = 0;
    for (Index u = 0; u < near.vertices(); ++u) {
        context.check_cancelled();
        for (const Index v : near[u]) {
            if (u < v) right += common(near, u, v);
        }
    }
    right /= 3;
    if (count != right) {
        verdict.complaint = fmt::format("there are {} triangles, not {}", right, count);
    }
    return verdict;
}

Verdict clustering(const Graph& graph, const Array& coefficient, const Context& context) {
    const SimpleAdjacency near(graph, context);
    Verdict verdict{"merged neighbour lists of every edge",
                    size_complaint(coefficient, near.vertices(), "coefficient")};
    if (!verdict.correct()) return verdict;
    for (Index u = 0; u < near.vertices(); ++u) {
        context.check_cancelled();
        double links = 0;
        for (const Index v : near[u]) links += static_cast<double>(common(near, u, v));
        const auto degree = static_cast<double>(near.degree(u));
        const double right = degree > 1 ? links / (degree * (degree - 1)) : 0;
        if (close(coefficient.value_at(u), right, precision_of(coefficient.type()))) continue;
        verdict.complaint = fmt::format("{} has the coefficient {}, not {}", vertex_text(graph, u),
                                        right, coefficient.value_at(u));
        break;
    }
    return verdict;
}

Verdict core_numbers(const Graph& graph, const Array& core, const Context& context) {
    const SimpleAdjacency near(graph, context);
    const Index n = near.vertices();
    const WholeNumbers cores(core, n, "core");
    Verdict verdict{"the algorithm of Batagelj and Zaversnik", cores.complaint()};
    if (!verdict.correct()) return verdict;
    // Vertices sorted by degree; bin[d] is where degree d begins; a vertex that loses a neighbour
    // trades places with the first of its bin, which then begins behind it.
    Scratch<Index> degree(n, 0, context);
    Scratch<Index> bin(n + 1, 0, context);
    Scratch<Index> order(n, 0, context);
    Scratch<Index> place(n, 0, context);
    for (Index v = 0; v < n; ++v) ++bin[degree[v] = near.degree(v)];
    for (Index d = 0, start = 0; d <= n; ++d) {
        const Index number = bin[d];
        bin[d] = start;
        start += number;
    }
    for (Index v = 0; v < n; ++v) {
        place[v] = bin[degree[v]]++;
        order[place[v]] = v;
    }
    for (Index d = n; d > 0; --d) bin[d] = bin[d - 1];
    if (n > 0) bin[0] = 0;
    for (Index k = 0; k < n; ++k) {
        const Index v = order[k];
        for (const Index u : near[v]) {
            if (degree[u] <= degree[v]) continue;
            const Index first = bin[degree[u]];
            const Index w = order[first];
            std::swap(order[place[u]], order[first]);
            std::swap(place[u], place[w]);
            ++bin[degree[u]--];
        }
    }
    for (Index v = 0; v < n; ++v) {
        if (cores[v] == degree[v]) continue;
        verdict.complaint = fmt::format("{} has the core number {}, not {}", vertex_text(graph, v),
                                        degree[v], cores[v]);
        break;
    }
    return verdict;
}

Verdict truss(const Graph& graph, int k, const Array& support, const Context& context) {
    const Adjacency rows = square_rows(graph, context);
    const SimpleAdjacency near(graph, context);
    const WholeNumbers supports(support, rows.entries(), "support");
    Verdict verdict{"dropping edges one by one", supports.complaint()};
    if (verdict.correct()) verdict.complaint = simple_complaint(graph, rows, near);
    if (!verdict.correct()) return verdict;
    const auto entry_of = [&](Index u, Index v) {
        const auto row = near[u];
        return rows.begin(u) + (std::lower_bound(row.begin(), row.end(), v) - row.begin());
    };
    Scratch<Index> left(rows.entries(), 0, context);
    std::vector<std::pair<Index, Index>> weak;
    for (Index u = 0; u < rows.rows(); ++u) {
        context.check_cancelled();
        for (const Index v : near[u]) {
            left[entry_of(u, v)] = common(near, u, v);
            if (u < v && left[entry_of(u, v)] < k - 2) weak.emplace_back(u, v);
        }
    }
    const auto drop = [&](Index u, Index v) { left[entry_of(u, v)] = left[entry_of(v, u)] = -1; };
    const auto weaken = [&](Index u, Index v) {
        Index& one = left[entry_of(std::min(u, v), std::max(u, v))];
        --left[entry_of(std::max(u, v), std::min(u, v))];
        if (--one == k - 3) weak.emplace_back(std::min(u, v), std::max(u, v));
    };
    std::size_t head = 0;
    while (head < weak.size()) { // which grows on the way
        const auto [u, v] = weak[head++];
        drop(u, v);
        for (const Index w : near[u]) {
            if (w == v || !near.joined(v, w)) continue;
            if (left[entry_of(u, w)] < 0 || left[entry_of(v, w)] < 0) continue;
            weaken(u, w);
            weaken(v, w);
        }
    }
    for (Index u = 0; u < rows.rows(); ++u) {
        for (const Index v : near[u]) {
            const Index right = left[entry_of(u, v)];
            const Index found = supports[entry_of(u, v)];
            if (found == right || (found < 0 && right < 0)) continue;
            verdict.complaint =
                fmt::format("the edge between {} and {} has support {}, not {}",
                            vertex_text(graph, u), vertex_text(graph, v), right, found);
            return verdict;
        }
    }
    return verdict;
}

Verdict jaccard(const Graph& graph, const Array& similarity, const Context& context) {
    const Adjacency rows = square_rows(graph, context);
    const SimpleAdjacency near(graph, context);
    Verdict verdict{"merged neighbour lists of every edge",
                    size_complaint(similarity, rows.entries(), "similarity")};
    if (verdict.correct()) verdict.complaint = simple_complaint(graph, rows, near);
    for (Index u = 0; u < rows.rows() && verdict.correct(); ++u) {
        context.check_cancelled();
        for (Index e = rows.begin(u); e < rows.end(u); ++e) {
            const Index v = rows.target(e);
            const Index both = common(near, u, v);
            const double right = static_cast<double>(both) /
                                 static_cast<double>(near.degree(u) + near.degree(v) - both);
            if (close(similarity.value_at(e), right, precision_of(similarity.type()))) continue;
            verdict.complaint =
                fmt::format("{} and {} have the similarity {}, not {}", vertex_text(graph, u),
                            vertex_text(graph, v), right, similarity.value_at(e));
            break;
        }
    }
    return verdict;
}

} // namespace tropic::verify
