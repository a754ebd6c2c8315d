// Breadth-first search against a serial queue.
#include <fmt/format.h>

#include "verify/searches.h"

namespace tropic::verify {

namespace {

constexpr std::string_view method = "a serial queue";

} // namespace

Verdict bfs_levels(const Graph& graph, Index source, const Array& level, const Context& context) {
    const Adjacency rows = square_rows(graph, context);
    const WholeNumbers levels(level, rows.rows(), "level");
    Verdict verdict{std::string(method), levels.complaint()};
    if (!verdict.correct()) return verdict;
    const std::vector<Index> right = queue_levels(rows, source, context);
    for (Index v = 0; v < rows.rows(); ++v) {
        const Index found = levels[v];
        if (found == right[v] || (found < 0 && right[v] < 0)) continue;
        verdict.complaint = fmt::format("{} is at level {}, but its level is {}",
                                        vertex_text(graph, v), found, right[v]);
        break;
    }
    return verdict;
}

Verdict bfs_parents(const Graph& graph, Index source, const Array& parent, const Context& context) {
    const Adjacency rows = square_rows(graph, context);
    const WholeNumbers parents(parent, rows.rows(), "parent");
    Verdict verdict{"levels by a serial queue, and a look for every parent's edge",
                    parents.complaint()};
    if (!verdict.correct()) return verdict;
    const std::vector<Index> level = queue_levels(rows, source, context);
    // One pass over all edges finds which parents have theirs.
    Scratch<char> has_edge(rows.rows(), 0, context);
    Patience patience(context);
    for (Index u = 0; u < rows.rows(); ++u) {
        for (Index e = rows.begin(u); e < rows.end(u); ++e) {
            patience.step();
            const Index v = rows.target(e);
            if (parents[v] == u) has_edge[v] = 1;
        }
    }
    for (Index v = 0; v < rows.rows(); ++v) {
        const Index p = parents[v];
        const std::string name = vertex_text(graph, v);
        if (v == source) {
            if (p != v) verdict.complaint = "the source is not its own parent";
        } else if (level[v] < 0) {
            if (p >= 0) verdict.complaint = name + " has a parent but cannot be reached";
        } else if (p < 0 || p >= rows.rows()) {
            verdict.complaint = name + " can be reached but has no parent";
        } else if (has_edge[v] == 0) {
            verdict.complaint =
                fmt::format("no edge leads to {} from its parent, {}", name, vertex_text(graph, p));
        } else if (level[p] + 1 != level[v]) {
            verdict.complaint =
                fmt::format("{} is at level {}, its parent at level {}", name, level[v], level[p]);
        }
        if (!verdict.correct()) break;
    }
    return verdict;
}

Verdict reachability(const Graph& graph, Index source, const Array& reached,
                     const Context& context) {
    const Adjacency rows = square_rows(graph, context);
    Verdict verdict{std::string(method), size_complaint(reached, rows.rows(), "reached")};
    if (!verdict.correct()) return verdict;
    const std::vector<Index> level = queue_levels(rows, source, context);
    for (Index v = 0; v < rows.rows(); ++v) {
        if ((reached.value_at(v) != 0) == (level[v] >= 0)) continue;
        verdict.complaint = fmt::format("{} {} be reached", vertex_text(graph, v),
                                        level[v] >= 0 ? "can" : "cannot");
        break;
    }
    return verdict;
}

Verdict path_counts(const Graph& graph, Index source, const Array& paths, const Context& context) {
    const Adjacency rows = square_rows(graph, context);
    Verdict verdict{"levels by a serial queue, then counting in their order",
                    size_complaint(paths, rows.rows(), "paths")};
    if (!verdict.correct()) return verdict;
    const std::vector<Index> level = queue_levels(rows, source, context);
    std::vector<std::vector<Index>> by_level;
    for (Index v = 0; v < rows.rows(); ++v) {
        if (level[v] < 0) continue;
        if (static_cast<Index>(by_level.size()) <= level[v]) by_level.resize(level[v] + 1);
        by_level[level[v]].push_back(v);
    }
    Scratch<double> right(rows.rows(), 0, context);
    right[source] = 1;
    Patience patience(context);
    for (const auto& members : by_level) {
        for (const Index u : members) {
            for (Index e = rows.begin(u); e < rows.end(u); ++e) {
                patience.step();
                const Index v = rows.target(e);
                if (level[v] == level[u] + 1) right[v] += right[u];
            }
        }
    }
    for (Index v = 0; v < rows.rows(); ++v) {
        // Reals hold whole numbers, and their sums, exactly up to 2^53.
        if (close(paths.value_at(v), right[v], right[v] < 0x1p53 ? 0 : 1e-12)) continue;
        verdict.complaint = fmt::format("{} has {} shortest paths, not {}", vertex_text(graph, v),
                                        right[v], paths.value_at(v));
        break;
    }
    return verdict;
}

} // namespace tropic::verify
