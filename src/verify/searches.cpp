#include "verify/searches.h"

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

} // namespace tropic::verify
