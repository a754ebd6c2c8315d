// Ranks by what one more round, in double precision, does to them.
#include <cmath>

#include <fmt/format.h>

#include "verify/adjacency.h"

namespace tropic::verify {

namespace {

constexpr std::string_view method = "one more round in double precision";

Scratch<double> numbers(const Array& array, const Context& context) {
    Scratch<double> values(array.size(), 0, context);
    for (Index i = 0; i < array.size(); ++i) values[i] = array.value_at(i);
    return values;
}

/// Adds factor * x[u] to y[v] for every edge (u, v), or the other way round.
void spread(const Adjacency& rows, const Scratch<double>& x, Scratch<double>& y, double factor,
            bool backwards, const Context& context) {
    Patience patience(context);
    for (Index u = 0; u < rows.rows(); ++u) {
        for (Index e = rows.begin(u); e < rows.end(u); ++e) {
            patience.step();
            const Index v = rows.target(e);
            if (backwards) y[u] += factor * x[v];
            else y[v] += factor * x[u];
        }
    }
}

double scale_to_one(Scratch<double>& x, Index n) {
    double all = 0;
    for (Index i = 0; i < n; ++i) all += x[i];
    for (Index i = 0; i < n && all > 0; ++i) x[i] /= all;
    return all;
}

std::string residual_complaint(double residual, double slack) {
    if (residual <= slack) return {};
    return fmt::format("one more round changes the ranks by {:.3g} in all, more than {:.3g}",
                       residual, slack);
}

} // namespace

Verdict pagerank(const Graph& graph, const Array& rank, double damping, Index source, double slack,
                 const Context& context) {
    const Adjacency rows = square_rows(graph, context);
    const Index n = rows.rows();
    Verdict verdict{std::string(method), size_complaint(rank, n, "rank")};
    if (source >= 0) require_vertex(rows, source);
    if (!verdict.correct() || n == 0) return verdict;
    Scratch<double> old = numbers(rank, context);
    Scratch<double> next(n, 0, context);
    double all = 0;
    double idle = 0;
    for (Index v = 0; v < n; ++v) {
        all += old[v];
        if (rows.degree(v) == 0) idle += old[v];
        if (!(old[v] >= 0)) {
            verdict.complaint = fmt::format("{} has the rank {}", vertex_text(graph, v), old[v]);
            return verdict;
        }
    }
    if (!close(all, 1, 1e-3)) {
        verdict.complaint = fmt::format("the ranks add up to {:.6g}, not to 1", all);
        return verdict;
    }
    Scratch<double> share(n, 0, context);
    for (Index v = 0; v < n; ++v) {
        if (rows.degree(v) > 0) share[v] = old[v] / static_cast<double>(rows.degree(v));
    }
    spread(rows, share, next, damping, false, context);
    const double jumps = 1 - damping + damping * idle;
    if (source >= 0) next[source] += jumps;
    double residual = 0;
    for (Index v = 0; v < n; ++v) {
        if (source < 0) next[v] += jumps / static_cast<double>(n);
        residual += std::abs(next[v] - old[v]);
    }
    verdict.complaint = residual_complaint(residual, slack);
    return verdict;
}

Verdict hits(const Graph& graph, const Array& hub, const Array& authority, double slack,
             const Context& context) {
    const Adjacency rows = square_rows(graph, context);
    const Index n = rows.rows();
    Verdict verdict{std::string(method), size_complaint(hub, n, "hub")};
    if (verdict.correct()) verdict.complaint = size_complaint(authority, n, "authority");
    if (!verdict.correct() || n == 0) return verdict;
    Scratch<double> hubs = numbers(hub, context);
    if (rows.entries() == 0) {
        for (Index v = 0; v < n; ++v) {
            if (hubs[v] == 0 && authority.value_at(v) == 0) continue;
            verdict.complaint = fmt::format("{} is a hub or an authority of a graph without edges",
                                            vertex_text(graph, v));
            break;
        }
        return verdict;
    }
    double all = 0;
    for (Index v = 0; v < n; ++v) all += hubs[v];
    if (!close(all, 1, 1e-3)) {
        verdict.complaint = fmt::format("the hubs add up to {:.6g}, not to 1", all);
        return verdict;
    }
    Scratch<double> authorities(n, 0, context);
    spread(rows, hubs, authorities, 1, false, context);
    scale_to_one(authorities, n);
    Scratch<double> next(n, 0, context);
    spread(rows, authorities, next, 1, true, context);
    scale_to_one(next, n);
    double residual = 0;
    for (Index v = 0; v < n; ++v) {
        residual += std::abs(next[v] - hubs[v]);
        residual += std::abs(authorities[v] - authority.value_at(v));
    }
    verdict.complaint = residual_complaint(residual, slack);
    return verdict;
}

Verdict katz(const Graph& graph, const Array& centrality, double alpha, double slack,
             const Context& context) {
    const Adjacency rows = square_rows(graph, context);
    const Index n = rows.rows();
    Verdict verdict{std::string(method), size_complaint(centrality, n, "centrality")};
    if (!verdict.correct() || n == 0) return verdict;
    Scratch<double> old = numbers(centrality, context);
    double length = 0;
    for (Index v = 0; v < n; ++v) length += old[v] * old[v];
    if (!close(length, 1, 1e-6)) {
        verdict.complaint = fmt::format("the squares add up to {:.6g}, not to 1", length);
        return verdict;
    }
    Scratch<double> arriving(n, 0, context);
    Scratch<double> ones(n, 1, context);
    spread(rows, ones, arriving, 1, false, context);
    double most = 0;
    for (Index v = 0; v < n; ++v) most = std::max(most, arriving[v]);
    Scratch<double> next(n, 0, context);
    spread(rows, old, next, alpha > 0 ? alpha : 0.85 / std::max(1.0, most), false, context);
    // x - alpha A'x is the same for all vertices: beta times the scale, whatever that is.
    double mean = 0;
    for (Index v = 0; v < n; ++v) mean += (old[v] - next[v]) / static_cast<double>(n);
    if (!(mean > 0)) {
        verdict.complaint =
            fmt::format("what all vertices start with is {:.6g}, not above 0", mean);
        return verdict;
    }
    double residual = 0;
    for (Index v = 0; v < n; ++v) residual += std::abs(old[v] - next[v] - mean);
    verdict.complaint = residual_complaint(residual, slack);
    return verdict;
}

} // namespace tropic::verify
