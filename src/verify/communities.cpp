// Communities: whether labels name groups, and their modularity, counted from the edges that leave
// a community instead of those inside.
#include <fmt/format.h>

#include "verify/adjacency.h"
#include "verify/union_find.h"

namespace tropic::verify {

namespace {

/// What is wrong with labels that should be the least vertex of each group, or nothing.
std::string label_complaint(const Graph& graph, const WholeNumbers& community, Index n) {
    for (Index v = 0; v < n; ++v) {
        const Index label = community[v];
        if (label >= 0 && label <= v && community[label] == label) continue;
        return fmt::format("{} has the label {}, which is not the least vertex of a community",
                           vertex_text(graph, v), label_id(graph, label));
    }
    return {};
}

/// A community has vertices of one component only, for nobody moves where no edge leads.
std::string path_complaint(const Graph& graph, const Adjacency& rows, const WholeNumbers& community,
                           const Context& context) {
    UnionFind sets = joined_by_edges(rows, context);
    for (Index v = 0; v < rows.rows(); ++v) {
        if (sets.find(v) == sets.find(community[v])) continue;
        return fmt::format("no path joins {} to {} of its community", vertex_text(graph, v),
                           vertex_text(graph, community[v]));
    }
    return {};
}

struct Modularity {
    double found = 0;
    double singletons = 0; ///< with every vertex on its own
};

Modularity modularity_of(const Adjacency& rows, const WholeNumbers& community,
                         const Context& context) {
    const Index n = rows.rows();
    Scratch<double> ends(n, 0, context);    // of edges at the vertices of a community
    Scratch<double> leaving(n, 0, context); // of those whose other end is elsewhere
    Scratch<double> own(n, 0, context);     // of edges at a vertex
    double all = 0;
    double loops = 0;
    Patience patience(context);
    for (Index v = 0; v < n; ++v) {
        const Index label = community[v];
        for (Index e = rows.begin(v); e < rows.end(v); ++e) {
            patience.step();
            const Index u = rows.target(e);
            const double weight = u == v ? 2 * rows.value(e) : rows.value(e);
            own[v] += weight;
            if (u == v) loops += weight;
            if (community[u] != label) leaving[label] += weight;
        }
        ends[label] += own[v];
        all += own[v];
    }
    Modularity result;
    if (!(all > 0)) return result;
    double apart = 0;
    double by_chance = 0;
    double alone_by_chance = 0;
    for (Index v = 0; v < n; ++v) {
        apart += leaving[v] / all;
        by_chance += (ends[v] / all) * (ends[v] / all);
        alone_by_chance += (own[v] / all) * (own[v] / all);
    }
    result.found = 1 - apart - by_chance;
    result.singletons = loops / all - alone_by_chance;
    return result;
}

} // namespace

Verdict communities(const Graph& graph, const Array& community, double modularity,
                    const Context& context) {
    constexpr double rounding = 1e-9;
    const Adjacency rows = square_rows(graph, context, true);
    const WholeNumbers labels(community, rows.rows(), "community");
    Verdict verdict{"the weight of edges between communities", labels.complaint()};
    if (verdict.correct()) verdict.complaint = label_complaint(graph, labels, rows.rows());
    if (verdict.correct()) verdict.complaint = path_complaint(graph, rows, labels, context);
    if (!verdict.correct()) return verdict;
    const Modularity right = modularity_of(rows, labels, context);
    if (!close(modularity, right.found, 0, rounding)) {
        verdict.complaint = fmt::format("the modularity is {}, not {}", right.found, modularity);
    } else if (right.found < right.singletons - rounding) {
        verdict.complaint = fmt::format("the modularity {} is less than {}, that of vertices on "
                                        "their own",
                                        right.found, right.singletons);
    }
    return verdict;
}

} // namespace tropic::verify
