// Independent sets, colourings, matchings and labels: what they promise, looked at from every
// vertex.
#include <map>

#include <fmt/format.h>

#include "tropic/transform.h"
#include "verify/adjacency.h"

namespace tropic::verify {

Verdict independent_set(const Graph& graph, const Array& member, const Context& context) {
    const SimpleAdjacency near(graph, context);
    Verdict verdict{"looking at all neighbours", size_complaint(member, near.vertices(), "member")};
    for (Index v = 0; v < near.vertices() && verdict.correct(); ++v) {
        const bool in = member.value_at(v) != 0;
        bool beside = false;
        for (const Index u : near[v]) {
            if (member.value_at(u) == 0) continue;
            beside = true;
            if (in) {
                verdict.complaint = fmt::format("{} and {} are neighbours and both members",
                                                vertex_text(graph, v), vertex_text(graph, u));
                break;
            }
        }
        if (!in && !beside) {
            verdict.complaint = vertex_text(graph, v) + " could be a member too";
        }
    }
    return verdict;
}

Verdict colouring(const Graph& graph, const Array& colour, const Context& context) {
    const SimpleAdjacency near(graph, context);
    Verdict verdict{"looking at all neighbours", size_complaint(colour, near.vertices(), "colour")};
    Index largest = 0;
    for (Index v = 0; v < near.vertices(); ++v) largest = std::max(largest, near.degree(v));
    for (Index v = 0; v < near.vertices() && verdict.correct(); ++v) {
        const auto own = static_cast<Index>(colour.value_at(v));
        if (own < 0 || own > largest) {
            verdict.complaint = fmt::format("{} has the colour {}, outside 0 to {}",
                                            vertex_text(graph, v), own, largest);
        }
        for (const Index u : near[v]) {
            if (static_cast<Index>(colour.value_at(u)) != own) continue;
            verdict.complaint = fmt::format("{} and {} are neighbours and both have colour {}",
                                            vertex_text(graph, v), vertex_text(graph, u), own);
            break;
        }
    }
    return verdict;
}

Verdict matching(const Graph& graph, const Array& partner, const Context& context) {
    const SimpleAdjacency near(graph, context);
    Verdict verdict{"looking at all neighbours",
                    size_complaint(partner, near.vertices(), "partner")};
    for (Index v = 0; v < near.vertices() && verdict.correct(); ++v) {
        const Index other = partner.index_at(v);
        if (other >= near.vertices() || (other >= 0 && !near.joined(v, other))) {
            verdict.complaint = vertex_text(graph, v) + " is matched with no neighbour of its";
        } else if (other >= 0 && partner.index_at(other) != v) {
            verdict.complaint = fmt::format("{} has {} as partner, but not the other way round",
                                            vertex_text(graph, v), vertex_text(graph, other));
        }
        if (other >= 0) continue;
        for (const Index u : near[v]) {
            if (partner.index_at(u) >= 0) continue;
            verdict.complaint = fmt::format("{} and {} are neighbours and both free",
                                            vertex_text(graph, v), vertex_text(graph, u));
            break;
        }
    }
    return verdict;
}

Verdict label_propagation(const Graph& graph, int rounds, bool both, const Array& label,
                          const Context& context) {
    const Adjacency rows(graph.tensor, context);
    const Index n = rows.rows();
    Verdict verdict{"going through the rounds again, votes in a tree",
                    size_complaint(label, n, "label")};
    if (!verdict.correct()) return verdict;
    const Adjacency back(both ? transpose(graph.tensor, context) : graph.tensor, context);
    std::vector<Index> right(static_cast<std::size_t>(n));
    for (Index v = 0; v < n; ++v) right[v] = v;
    Patience patience(context);
    for (int round = 0; round < rounds; ++round) {
        std::vector<Index> next = right;
        for (Index v = 0; v < n; ++v) {
            std::map<Index, Index> votes;
            for (Index e = rows.begin(v); e < rows.end(v); ++e) {
                patience.step();
                ++votes[right[rows.target(e)]];
            }
            for (Index e = back.begin(v); both && e < back.end(v); ++e) {
                patience.step();
                ++votes[right[back.target(e)]];
            }
            Index most = 0;
            for (const auto& [candidate, number] : votes) {
                if (number <= most) continue;
                most = number;
                next[v] = candidate;
            }
        }
        if (next == right) break;
        right = std::move(next);
    }
    for (Index v = 0; v < n; ++v) {
        if (label.index_at(v) == right[v]) continue;
        verdict.complaint = fmt::format("{} has the label {}, not {}", vertex_text(graph, v),
                                        right[v], label.index_at(v));
        break;
    }
    return verdict;
}

} // namespace tropic::verify
