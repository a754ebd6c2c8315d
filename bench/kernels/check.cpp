#include "check.h"

#include <algorithm>
#include <limits>

#include "tropic/graph.h"
#include "tropic/verify.h"

namespace tropic::bench {

namespace {

/// Bounds of what PageRank may be off after changes below the tolerance: peers compute in float.
constexpr double rank_slack = 10 * tolerance;

template <class T> Array to_array(const std::vector<T>& values, ElementType type) {
    Array made = Array::allocate(type, static_cast<Index>(values.size()), {}, "answer");
    std::ranges::copy(values, made.mutable_as<T>().begin());
    return made;
}

/// The least vertex of each class as its label.
std::vector<std::int64_t> least_labels(const std::vector<std::int64_t>& labels) {
    const auto n = static_cast<std::int64_t>(labels.size());
    std::vector<std::int64_t> least(labels.size(), n);
    for (std::int64_t v = n; v-- > 0;) least[labels[v]] = v;
    std::vector<std::int64_t> made(labels.size());
    for (std::int64_t v = 0; v < n; ++v) made[v] = least[labels[v]];
    return made;
}

} // namespace

std::string complaint_about(const Answer& answer, const Task& task, const BenchGraph& graph) {
    switch (task.kernel) {
    case Kernel::bfs:
        return verify::bfs_parents(*graph.graph, task.sources[0],
                                   to_array(answer.whole, ElementType::int64))
            .complaint;
    case Kernel::sssp: {
        std::vector<std::int64_t> distances = answer.whole;
        std::ranges::replace(distances, unreachable, std::numeric_limits<std::int64_t>::max());
        return verify::shortest_paths(*graph.graph, task.sources[0],
                                      to_array(distances, ElementType::int64))
            .complaint;
    }
    case Kernel::pagerank:
        return verify::pagerank(*graph.graph, to_array(answer.real, ElementType::float64), damping,
                                -1, rank_slack)
            .complaint;
    case Kernel::components:
        return verify::components(*graph.graph,
                                  to_array(least_labels(answer.whole), ElementType::int64))
            .complaint;
    case Kernel::triangles:
        return {};
    case Kernel::betweenness: {
        const std::vector<Index> sources(task.sources.begin(), task.sources.end());
        return verify::betweenness(*graph.graph, sources, 1,
                                   to_array(answer.real, ElementType::float64))
            .complaint;
    }
    }
    return {};
}

} // namespace tropic::bench
