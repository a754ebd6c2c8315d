// Independent sets, colourings, matchings and labels: what they promise, looked at from every
// vertex.
#include <map>

#include <fmt/format.h>

#include "tropic/transform.h"
#include "verify/adjacency.h"

namespace tropic::verify {

Verdict independent_set(const Graph& graph, const Array& member, const Context& context) {
    const SimpleAdjacency near(graph, context);
    const WholeNumbers members(member, near.vertices(), "member");
    Verdict verdict{"looking at all neighbours", members.complaint()};
    for (Index v = 0; v < near.vertices() && verdict.correct(); ++v) {
        const bool in = members[v] != 0;
        bool beside = false;
        for (const Index u : near[v]) {
            if (members[u] == 0) continue;
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
    const WholeNumbers colours(colour, near.vertices(), "colour");
    Verdict verdict{"looking at all neighbours", colours.complaint()};
    Index largest = 0;
    for (Index v = 0; v < near.vertices(); ++v) largest = std::max(largest, near.degree(v));
    for (Index v = 0; v < near.vertices() && verdict.correct(); ++v) {
        const Index own = colours[v];
        if (own < 0 || own > largest) {
            verdict.complaint = fmt::format("{} has the colour {}, outside 0 to {}",
                                            vertex_text(graph, v), own, largest);
        }
        for (const Index u : near[v]) {
            if (colours[u] != own) continue;
            verdict.complaint = fmt::format("{} and {} are neighbours and both have colour {}",
                                            vertex_text(graph, v), vertex_text(graph, u), own);
            break;
        }
    }
    return verdict;
}

Verdict matching(const Graph& graph, const Array& partner, const Context& context) {
    const SimpleAdjacency near(graph, context);
    const WholeNumbers partners(partner, near.vertices(), "partner");
    Verdict verdict{"looking at all neighbours", partners.complaint()};
    for (Index v = 0; v < near.vertices() && verdict.correct(); ++v) {
        const Index other = partners[v];
        if (other >= near.vertices() || (other >= 0 && !near.joined(v, other))) {
            verdict.complaint = vertex_text(graph, v) + " is matched with what is no neighbour";
        } else if (other >= 0 && partners[other] != v) {
            verdict.complaint = fmt::format("{} has {} as partner, but not the other way round",
                                            vertex_text(graph, v), vertex_text(graph, other));
        }
        if (other >= 0) continue;
        for (const Index u : near[v]) {
            if (partners[u] >= 0) continue;
            verdict.complaint = fmt::format("{} and {} are neighbours and both free",
                                            vertex_text(graph, v), vertex_text(graph, u));
            break;
        }
    }
    return verdict;
}

Verdict label_propagation(const Graph& graph, int rounds, bool both, const Array& label,
                          const Context& context) {
    const Adjacency rows = square_rows(graph, context);
    const Index n = rows.rows();
    const WholeNumbers labels(label, n, "label");
    Verdict verdict{"going through the rounds again, votes in a tree", labels.complaint()};
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
        if (labels[v] == right[v]) continue;
        verdict.complaint = fmt::format("{} has the label {}, not {}", vertex_text(graph, v),
                                        label_id(graph, right[v]), label_id(graph, labels[v]));
        break;
    }
    return verdict;
}

} // namespace tropic::verify
