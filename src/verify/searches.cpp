#include "verify/searches.h"

#include <limits>
#include <queue>

namespace tropic::verify {

std::vector<Index> queue_levels(const Adjacency& rows, Index source, const Context& context) {
    require_vertex(rows, source);
    std::vector<Index> level(static_cast<std::size_t>(rows.rows()), -1);
    std::vector<Index> queue;
    Patience patience(context);
    level[source] = 0;
    queue.push_back(source);
    for (std::size_t head = 0; head < queue.size(); ++head) {
        const Index u = queue[head];
        for (Index e = rows.begin(u); e < rows.end(u); ++e) {
            patience.step();
            const Index v = rows.target(e);
            if (level[v] >= 0) continue;
            level[v] = level[u] + 1;
            queue.push_back(v);
        }
    }
    return level;
}

std::vector<double> heap_distances(const Adjacency& rows, Index source, const Context& context) {
    using Candidate = std::pair<double, Index>;
    std::vector<double> distance(static_cast<std::size_t>(rows.rows()),
                                 std::numeric_limits<double>::infinity());
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> heap;
    Patience patience(context);
    distance[source] = 0;
    heap.emplace(0, source);
    while (!heap.empty()) {
        const auto [length, u] = heap.top();
        heap.pop();
        if (length > distance[u]) continue;
        for (Index e = rows.begin(u); e < rows.end(u); ++e) {
            patience.step();
            const Index v = rows.target(e);
            const double longer = length + rows.value(e);
            if (longer >= distance[v]) continue;
            distance[v] = longer;
            heap.emplace(longer, v);
        }
    }
    return distance;
}

} // namespace tropic::verify
