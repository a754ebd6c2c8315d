// Disjoint sets, joined by size.
#pragma once

#include "verify/adjacency.h"

namespace tropic::verify {

class UnionFind {
  public:
    UnionFind(Index size, const Context& context) : parent_(size, -1, context) {}

    Index find(Index v) noexcept {
        Index root = v;
        while (parent_[root] >= 0) root = parent_[root];
        while (parent_[v] >= 0) {
            const Index above = parent_[v];
            parent_[v] = root;
            v = above;
        }
        return root;
    }

    /// Whether they were apart.
    bool join(Index a, Index b) noexcept {
        a = find(a);
        b = find(b);
        if (a == b) return false;
        if (parent_[a] > parent_[b]) std::swap(a, b);
        parent_[a] += parent_[b];
        parent_[b] = a;
        return true;
    }

  private:
    Scratch<Index> parent_; ///< of roots: minus the size of their set
};

/// The components of a graph.
inline UnionFind joined_by_edges(const Adjacency& rows, const Context& context) {
    UnionFind sets(rows.rows(), context);
    Patience patience(context);
    for (Index u = 0; u < rows.rows(); ++u) {
        for (Index e = rows.begin(u); e < rows.end(u); ++e) {
            patience.step();
            sets.join(u, rows.target(e));
        }
    }
    return sets;
}

} // namespace tropic::verify
