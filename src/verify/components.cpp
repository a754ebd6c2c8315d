// Components against sets that are joined edge by edge, strong ones against Tarjan's algorithm with
// a stack of its own.
#include <numeric>

#include <fmt/format.h>

#include "verify/adjacency.h"
#include "verify/union_find.h"

namespace tropic::verify {

namespace {

/// `right[v]` is the least vertex of v's component.
std::string compare(const Graph& graph, const std::vector<Index>& right,
                    const WholeNumbers& component) {
    for (Index v = 0; v < static_cast<Index>(right.size()); ++v) {
        if (component[v] == right[v]) continue;
        return fmt::format("{} has the label {}, but the least of its component is {}",
                           vertex_text(graph, v), label_id(graph, component[v]),
                           vertex_text(graph, right[v]));
    }
    return {};
}

/// The least vertex of each strongly connected component.
std::vector<Index> tarjan(const Adjacency& rows, const Context& context) {
    const Index n = rows.rows();
    std::vector<Index> component(static_cast<std::size_t>(n), -1);
    Scratch<Index> number(n, -1, context);
    Scratch<Index> low(n, 0, context);
    Scratch<Index> next(n, 0, context);
    std::vector<Index> path;  // what a recursion would be inside of
    std::vector<Index> stack; // visited, not yet in a component
    Patience patience(context);
    Index visited = 0;
    const auto enter = [&](Index v) {
        number[v] = low[v] = visited++;
        next[v] = rows.begin(v);
        path.push_back(v);
        stack.push_back(v);
    };
    for (Index root = 0; root < n; ++root) {
        if (number[root] >= 0) continue;
        enter(root);
        while (!path.empty()) {
            patience.step();
            const Index v = path.back();
            if (next[v] < rows.end(v)) {
                const Index w = rows.target(next[v]++);
                if (number[w] < 0) enter(w);
                else if (component[w] < 0) low[v] = std::min(low[v], number[w]);
                continue;
            }
            path.pop_back();
            if (!path.empty()) low[path.back()] = std::min(low[path.back()], low[v]);
            if (low[v] != number[v]) continue;
            auto first = stack.end();
            Index least = n;
            do {
                --first;
                least = std::min(least, *first);
            } while (*first != v);
            for (auto w = first; w != stack.end(); ++w) component[*w] = least;
            stack.erase(first, stack.end());
        }
    }
    return component;
}

} // namespace

Verdict components(const Graph& graph, const Array& component, const Context& context) {
    const Adjacency rows = square_rows(graph, context);
    const WholeNumbers labels(component, rows.rows(), "component");
    Verdict verdict{"sets joined edge by edge", labels.complaint()};
    if (!verdict.correct()) return verdict;
    UnionFind sets = joined_by_edges(rows, context);
    std::vector<Index> least(static_cast<std::size_t>(rows.rows()), -1);
    std::vector<Index> right(static_cast<std::size_t>(rows.rows()));
    for (Index v = 0; v < rows.rows(); ++v) {
        Index& first = least[sets.find(v)];
        if (first < 0) first = v;
        right[v] = first;
    }
    verdict.complaint = compare(graph, right, labels);
    return verdict;
}

Verdict strong_components(const Graph& graph, const Array& component, const Context& context) {
    const Adjacency rows = square_rows(graph, context);
    const WholeNumbers labels(component, rows.rows(), "component");
    Verdict verdict{"Tarjan's algorithm", labels.complaint()};
    if (verdict.correct()) verdict.complaint = compare(graph, tarjan(rows, context), labels);
    return verdict;
}

} // namespace tropic::verify
