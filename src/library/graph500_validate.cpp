// The rules for trees of section 7 of the Graph500 specification.
#include <atomic>
#include <cmath>
#include <limits>
#include <ranges>

#include <fmt/format.h>

#include "library/graph500.h"
#include "support/memory.h"
#include "support/parallel.h"

namespace tropic::library {

namespace {

constexpr Index unknown = -2;
constexpr Index grain = 1 << 16;

/// Distances are sums of values in single precision, taken in the order of the path.
constexpr double rounding = 1e-5;

/// Rule 1: parents lead from every vertex to the root, without a circle. Gives the number of steps.
std::string find_depths(Index root, const Array& parent, std::vector<Index>& depth) {
    const auto n = static_cast<Index>(depth.size());
    if (parent.index_at(root) != root) return "rule 1: the root is not its own parent";
    depth[root] = 0;
    std::vector<Index> path;
    for (Index v = 0; v < n; ++v) {
        path.clear();
        Index u = v;
        while (depth[u] == unknown) {
            const Index above = parent.index_at(u);
            if (above < 0) {
                depth[u] = -1;
                break;
            }
            if (above >= n) return fmt::format("rule 1: {} has the parent {}", u, above);
            path.push_back(u);
            if (static_cast<Index>(path.size()) > n) {
                return fmt::format("rule 1: the parents of {} lead round in a circle", v);
            }
            u = above;
        }
        Index below = depth[u];
        if (below < 0 && !path.empty()) {
            return fmt::format("rule 1: the parents of {} do not lead to the root", v);
        }
        for (const Index w : std::views::reverse(path)) depth[w] = ++below;
    }
    return {};
}

/// What one piece of the list finds.
struct Piece {
    Index edges = 0;
    Index broken_at = -1; ///< the first tuple that breaks a rule
    int rule = 0;
};

} // namespace

std::string validate_tree(const EdgeTuples& tuples, Index vertices, Index root, const Array& parent,
                          const Array& distance, Index& edges, const Context& context) {
    if (parent.size() != vertices) return "rule 4: the tree has another number of vertices";
    const MemoryCharge charge(context.budget(),
                              static_cast<std::uint64_t>(vertices) * (sizeof(Index) + 1),
                              "validating a tree");
    std::vector<Index> depth(static_cast<std::size_t>(vertices), unknown);
    if (std::string wrong = find_depths(root, parent, depth); !wrong.empty()) return wrong;
    const bool weighted = !distance.empty();
    const auto length_at = [&](Index v) { return distance.value_at(v); };
    if (weighted && distance.size() != vertices) {
        return "rule 4: the distances are of another number of vertices";
    }
    if (weighted && length_at(root) != 0) return "rule 2: the root is not at distance 0";
    for (Index v = 0; weighted && v < vertices; ++v) {
        if (std::isinf(length_at(v)) == (depth[v] < 0)) continue;
        return fmt::format("rule 4: {} is {}, and its distance is {}", v,
                           depth[v] < 0 ? "not in the tree" : "in the tree", length_at(v));
    }

    // Set from several threads, to one and the same value.
    std::vector<std::atomic<std::uint8_t>> has_edge(static_cast<std::size_t>(vertices));
    const Piece all = parallel_combine(
        context, tuples.from.size(), grain, Piece{},
        [&](Index begin, Index end) {
            context.check_cancelled();
            Piece piece;
            const auto broken = [&](Index e, int rule) {
                if (piece.broken_at >= 0) return;
                piece.broken_at = e;
                piece.rule = rule;
            };
            for (Index e = begin; e < end; ++e) {
                const Index u = tuples.from.index_at(e);
                const Index v = tuples.to.index_at(e);
                const bool inside = depth[u] >= 0;
                if (inside != (depth[v] >= 0)) {
                    broken(e, 4);
                    continue;
                }
                if (!inside) continue;
                ++piece.edges;
                if (u == v) continue;
                if (!weighted) {
                    if (std::abs(depth[u] - depth[v]) > 1) broken(e, 3);
                    if (parent.index_at(v) == u) has_edge[v].store(1, std::memory_order_relaxed);
                    if (parent.index_at(u) == v) has_edge[u].store(1, std::memory_order_relaxed);
                    continue;
                }
                const double value = tuples.values.value_at(e);
                const double slack = rounding * (1 + std::abs(length_at(u)));
                if (std::abs(length_at(u) - length_at(v)) > value + slack) broken(e, 3);
                if (parent.index_at(v) == u &&
                    std::abs(length_at(u) + value - length_at(v)) <= slack) {
                    has_edge[v].store(1, std::memory_order_relaxed);
                }
                if (parent.index_at(u) == v &&
                    std::abs(length_at(v) + value - length_at(u)) <= slack) {
                    has_edge[u].store(1, std::memory_order_relaxed);
                }
            }
            return piece;
        },
        [](Piece a, const Piece& b) {
            a.edges += b.edges;
            if (a.broken_at < 0) {
                a.broken_at = b.broken_at;
                a.rule = b.rule;
            }
            return a;
        });
    edges = all.edges;
    if (all.broken_at >= 0) {
        const Index u = tuples.from.index_at(all.broken_at);
        const Index v = tuples.to.index_at(all.broken_at);
        return all.rule == 4
                   ? fmt::format("rule 4: an edge joins {} and {}, and only one is in the tree", u,
                                 v)
                   : fmt::format("rule 3: an edge joins {} and {}, which are farther apart", u, v);
    }
    for (Index v = 0; v < vertices; ++v) {
        if (depth[v] <= 0) continue;
        if (has_edge[v].load(std::memory_order_relaxed) == 0) {
            return fmt::format("rule 5: no edge of the list joins {} and its parent", v);
        }
        // Without values, depths are the levels: rule 2 holds by how they were found.
        if (weighted && length_at(parent.index_at(v)) > length_at(v)) {
            return fmt::format("rule 2: {} is nearer than its parent", v);
        }
    }
    return {};
}

} // namespace tropic::library
