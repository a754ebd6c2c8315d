// Push or pull. Pushing follows all edges that leave the frontier, with atomic updates; pulling
// looks from every vertex that may still be reached at the edges that come in, and where the first
// value is enough it ends there. For those the rule of Beamer et al. ("Direction-optimizing
// breadth-first search", 2012) is used; for others pulling costs all edges, once.
#include <algorithm>
#include <bit>

#include "machines/cpu/algorithm/algorithm_session.h"
#include "machines/cpu/team_loops.h"

namespace tropic::cpu {

namespace {

/// Pulling pays if the frontier has more than this share of the edges nobody has followed yet. What
/// several threads push, they have to get from each other's caches.
constexpr double edges_share = 16;
constexpr double edges_share_alone = 6;
/// Pushing pays again once the frontier has less than this share of the vertices and shrinks.
constexpr double vertices_share = 64;
/// Frontiers up to this size, or up to this share of the vertices, are pushed whoever is in them.
constexpr std::int64_t small_front = 1024;
constexpr std::int64_t small_share = 256;
/// What an edge costs when pushed, compared with one that is pulled.
constexpr double push_factor = 3;
/// The same where one thread has to push what many could pull.
constexpr double push_alone_factor = 16;

constexpr std::int64_t grain = 1 << 14;

template <class I>
std::int64_t count_edges(const SetTools& tools, const StoredSet& front, const I* pos) {
    if (front.listed != 0) {
        const I* const list = static_cast<const I*>(front.list);
        return team_sum(tools.team, front.count, grain, [&](std::int64_t begin, std::int64_t end) {
            std::int64_t sum = 0;
            for (std::int64_t at = begin; at < end; ++at) {
                sum += pos[list[at] + 1] - pos[list[at]];
            }
            return sum;
        });
    }
    constexpr std::int64_t words = grain / 16;
    return team_sum(tools.team, front.words(), words, [&](std::int64_t begin, std::int64_t end) {
        std::int64_t sum = 0;
        for (std::int64_t w = begin; w < end; ++w) {
            for (std::uint64_t word = front.bits[w]; word != 0; word &= word - 1) {
                const std::int64_t item = w * 64 + std::countr_zero(word);
                sum += pos[item + 1] - pos[item];
            }
        }
        return sum;
    });
}

/// The edges that pushing would follow.
struct Sight {
    const SetTools tools;
    StoredGraph& graph;
    bool inward;

    const void* pos() const { return inward ? graph.in_pos : graph.out_pos; }
    std::int64_t vertices() const { return inward ? graph.columns : graph.rows; }

    std::int64_t edges(const StoredSet& front) const {
        return tools.wide ? count_edges(tools, front, static_cast<const std::int64_t*>(pos()))
                          : count_edges(tools, front, static_cast<const std::int32_t*>(pos()));
    }
    std::int64_t longest_row() const { return inward ? graph.longest_in : graph.longest_out; }
};

bool decide_pull(const Sight& sight, const StoredSet& front, const ChooseView& view, bool record,
                 ChoiceState& state) {
    const bool early = view.early != 0;
    const double factor = view.alone != 0 ? push_alone_factor : push_factor;
    const auto all = static_cast<double>(sight.graph.entries);
    const auto count = static_cast<double>(front.count);
    // A frontier too small for pulling, whoever is in it, is not looked at.
    const double unseen = std::max(all - state.seen_edges, 0.0);
    const double share = sight.tools.team.size() == 1 ? edges_share_alone : edges_share;
    const double limit = early ? unseen / share : all / factor;
    const bool few = early && front.count <= std::max(small_front, sight.vertices() / small_share);
    if (!state.pulling && (few || count * static_cast<double>(sight.longest_row()) < limit)) {
        if (record) state.edges = sight.edges(front);
        state.seen_edges += state.edges >= 0 ? static_cast<double>(state.edges)
                                             : count * all / static_cast<double>(sight.vertices());
        return false;
    }
    if (early && state.pulling) {
        const bool growing = front.count >= state.last_count;
        const bool large = count > static_cast<double>(sight.vertices()) / vertices_share;
        if (record) state.edges = sight.edges(front);
        return growing || large;
    }
    state.edges = sight.edges(front);
    state.seen_edges += static_cast<double>(state.edges);
    return static_cast<double>(state.edges) > limit;
}

} // namespace

std::int64_t choose(Frame* frame, const ChooseView* view) {
    AlgorithmSession& session = *frame->session;
    ChoiceState& state = session.choices[static_cast<std::size_t>(view->number)];
    const StoredSet& front = set_at(*frame, view->front);
    const bool record = session.options.record_rounds;
    const Sight sight{session.set_tools(), graph_at(*frame, view->graph), view->inward != 0};
    // A search that starts over has all edges before it again.
    if (front.count <= 1 || state.seen_edges > static_cast<double>(sight.graph.entries)) {
        state.seen_edges = 0;
        state.pulling = false;
    }
    state.edges = -1;
    state.count = front.count;
    if (view->forced == 0) {
        state.pulling = decide_pull(sight, front, *view, record, state);
    } else {
        state.pulling = view->forced == 2;
        if (record) state.edges = sight.edges(front);
    }
    state.last_count = front.count;
    if (record) state.began = seconds_now();
    return state.pulling ? 0 : 1;
}

void chosen(Frame* frame, const ChooseView* view) {
    AlgorithmSession& session = *frame->session;
    ChoiceState& state = session.choices[static_cast<std::size_t>(view->number)];
    if (session.options.record_rounds) {
        session.rounds.push_back({.choice = view->number,
                                  .iteration = state.iteration,
                                  .frontier = state.count,
                                  .edges = state.edges,
                                  .pull = state.pulling,
                                  .seconds = seconds_now() - state.began});
    }
    ++state.iteration;
}

} // namespace tropic::cpu
