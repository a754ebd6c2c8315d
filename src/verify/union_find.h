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

} // namespace tropic::verify
