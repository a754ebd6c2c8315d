// Searches from one vertex, serial and by the book.
#pragma once

#include <queue>
#include <vector>

#include "verify/adjacency.h"

namespace tropic::verify {

/// Numbers of edges from the source, -1 where there is no path; a queue.
std::vector<Index> queue_levels(const Adjacency& rows, Index source, const Context& context);

/// What is wrong with the numbers of edges of the longest paths to every vertex of a graph without
/// circles, whose edges lead forwards in the order of `position`; or nothing.
std::string longest_path_complaint(const Graph& graph, const Array& position, const Array& level,
                                   const Context& context);

/// Least sums of `value(entry)`, `infinity` where there is no path; Dijkstra with a binary heap.
/// Values must not be negative.
template <class Length, class Value>
std::vector<Length> heap_distances(const Adjacency& rows, Index source, Length infinity,
                                   const Value& value, const Context& context) {
    using Candidate = std::pair<Length, Index>;
    std::vector<Length> distance(static_cast<std::size_t>(rows.rows()), infinity);
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
            const Length longer = length + value(e);
            if (!(longer < distance[v])) continue; // no number is no length
            distance[v] = longer;
            heap.emplace(longer, v);
        }
    }
    return distance;
}

} // namespace tropic::verify
