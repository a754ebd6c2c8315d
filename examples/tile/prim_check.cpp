// Is it a minimum spanning tree? Kruskal's algorithm, which has nothing in common with Prim's, says
// what the tree of the root's component must weigh.
#include "prim.h"

#include <algorithm>
#include <climits>
#include <numeric>

namespace tile_example {

namespace {

class Forest {
  public:
    explicit Forest(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0U); }

    unsigned root(unsigned v) {
        while (parent_[v] != v) v = parent_[v] = parent_[parent_[v]];
        return v;
    }

    bool join(unsigned a, unsigned b) {
        a = root(a);
        b = root(b);
        parent_[a] = b;
        return a != b;
    }

  private:
    std::vector<unsigned> parent_;
};

struct Edge {
    int weight;
    unsigned a;
    unsigned b;
};

std::vector<Edge> edges_of(const Matrix& matrix) {
    std::vector<Edge> edges;
    edges.reserve(matrix.entries());
    for (unsigned i = 0; i < matrix.n; ++i) {
        for (auto e = static_cast<std::size_t>(matrix.pos[i]);
             e < static_cast<std::size_t>(matrix.pos[i + std::size_t{1}]); ++e) {
            edges.push_back(
                {static_cast<int>(matrix.value[e]), i, static_cast<unsigned>(matrix.col[e])});
        }
    }
    return edges;
}

} // namespace

std::string check_tree(const Matrix& matrix, const std::vector<unsigned>& connection) {
    std::vector<Edge> edges = edges_of(matrix);
    std::sort(edges.begin(), edges.end(),
              [](const Edge& a, const Edge& b) { return a.weight < b.weight; });
    Forest kruskal(matrix.n);
    std::vector<Edge> chosen;
    for (const Edge& edge : edges) {
        if (kruskal.join(edge.a, edge.b)) chosen.push_back(edge);
    }
    std::int64_t expected = 0;
    for (const Edge& edge : chosen) {
        if (kruskal.root(edge.a) == kruskal.root(0)) expected += edge.weight;
    }

    Forest tree(matrix.n);
    std::int64_t found = 0;
    for (unsigned v = 0; v < matrix.n; ++v) {
        const bool reachable = kruskal.root(v) == kruskal.root(0);
        if (reachable != (connection[v] != UINT_MAX)) {
            return "vertex " + std::to_string(v) + (reachable ? " is missing" : " is unreachable");
        }
        if (!reachable || v == 0) continue;
        int weight = INT_MAX;
        for (auto e = static_cast<std::size_t>(matrix.pos[v]);
             e < static_cast<std::size_t>(matrix.pos[v + std::size_t{1}]); ++e) {
            if (static_cast<unsigned>(matrix.col[e]) != connection[v]) continue;
            weight = std::min(weight, static_cast<int>(matrix.value[e]));
        }
        if (weight == INT_MAX) return "there is no edge at vertex " + std::to_string(v);
        if (!tree.join(v, connection[v])) return "a cycle at vertex " + std::to_string(v);
        found += weight;
    }
    if (found == expected) return {};
    return "the tree weighs " + std::to_string(found) + ", not " + std::to_string(expected);
}

} // namespace tile_example
