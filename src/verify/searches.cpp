#include "verify/searches.h"

#include <algorithm>

#include <fmt/format.h>

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

std::string longest_path_complaint(const Graph& graph, const Array& position, const Array& level,
                                   const Context& context) {
    const Adjacency rows = square_rows(graph, context);
    const WholeNumbers places(position, rows.rows(), "position");
    const WholeNumbers levels(level, rows.rows(), "level");
    if (!levels.complaint().empty()) return levels.complaint();
    Scratch<Index> order(rows.rows(), 0, context);
    for (Index v = 0; v < rows.rows(); ++v) order[places[v]] = v;
    Scratch<Index> longest(rows.rows(), 0, context);
    Patience patience(context);
    for (Index place = 0; place < rows.rows(); ++place) {
        const Index u = order[place];
        if (levels[u] != longest[u]) {
            return fmt::format("{} is at level {}, but the longest path to it has {} edges",
                               vertex_text(graph, u), levels[u], longest[u]);
        }
        for (Index e = rows.begin(u); e < rows.end(u); ++e) {
            patience.step();
            Index& there = longest[rows.target(e)];
            there = std::max(there, longest[u] + 1);
        }
    }
    return {};
}

} // namespace tropic::verify
