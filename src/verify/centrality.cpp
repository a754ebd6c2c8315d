// Betweenness against Brandes' algorithm with one source at a time, closeness against a queue from
// every vertex.
#include <ranges>

#include <fmt/format.h>

#include "tropic/transform.h"
#include "verify/searches.h"

namespace tropic::verify {

namespace {

/// `roundings`: about how many times more than a few of them there may be. `least`: they are those
/// of numbers at least as large.
std::string compare(const Graph& graph, const Scratch<double>& right, const Array& found,
                    double scale, double roundings, double least) {
    const double relative = roundings * precision_of(found.type());
    for (Index v = 0; v < found.size(); ++v) {
        if (close(found.value_at(v), right[v] * scale, relative, relative * least)) continue;
        return fmt::format("{} has the centrality {:.9g} instead of {:.9g}", vertex_text(graph, v),
                           found.value_at(v), right[v] * scale);
    }
    return {};
}

} // namespace

Verdict betweenness(const Graph& graph, std::span<const Index> sources, double scale,
                    const Array& centrality, const Context& context) {
    const Adjacency rows = square_rows(graph, context);
    const Index n = rows.rows();
    Verdict verdict{"Brandes' algorithm, one source at a time",
                    size_complaint(centrality, n, "centrality")};
    if (!verdict.correct() || n == 0) return verdict;
    Scratch<double> right(n, 0, context);
    Scratch<Index> level(n, 0, context);
    Scratch<double> paths(n, 0, context);
    Scratch<double> passing(n, 0, context);
    Patience patience(context);
    for (const Index source : sources) {
        require_vertex(rows, source);
        for (Index v = 0; v < n; ++v) {
            level[v] = -1;
            paths[v] = passing[v] = 0;
        }
        level[source] = 0;
        paths[source] = 1;
        std::vector<Index> queue{source};
        for (std::size_t head = 0; head < queue.size(); ++head) {
            const Index u = queue[head];
            for (Index e = rows.begin(u); e < rows.end(u); ++e) {
                patience.step();
                const Index v = rows.target(e);
                if (level[v] < 0) {
                    level[v] = level[u] + 1;
                    queue.push_back(v);
                }
                if (level[v] == level[u] + 1) paths[v] += paths[u];
            }
        }
        for (const Index u : std::views::reverse(queue)) {
            for (Index e = rows.begin(u); e < rows.end(u); ++e) {
                const Index v = rows.target(e);
                if (level[v] == level[u] + 1) {
                    passing[u] += paths[u] / paths[v] * (1 + passing[v]);
                }
            }
            if (u != source) right[u] += passing[u];
        }
    }
    // A vertex' share of a single pair may be tiny; whoever counts pairs and takes away those that
    // end at the vertex itself rounds as for a whole pair.
    verdict.complaint = compare(graph, right, centrality, scale, 1e3, scale);
    return verdict;
}

Verdict closeness(const Graph& graph, const Array& centrality, const Context& context) {
    const Index n = square_rows(graph, context).rows();
    const Adjacency back(transpose(graph.tensor, context), context);
    Verdict verdict{"a serial queue from every vertex",
                    size_complaint(centrality, n, "centrality")};
    if (!verdict.correct()) return verdict;
    Scratch<double> right(n, 0, context);
    for (Index v = 0; v < n; ++v) {
        double far = 0;
        double near = 0;
        for (const Index level : queue_levels(back, v, context)) {
            if (level <= 0) continue;
            far += static_cast<double>(level);
            near += 1;
        }
        if (far > 0) right[v] = near / far * near / static_cast<double>(n - 1);
    }
    verdict.complaint = compare(graph, right, centrality, 1, 1, 0);
    return verdict;
}

} // namespace tropic::verify
