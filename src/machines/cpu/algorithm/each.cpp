// Loops over members: cut into chunks that depend on the work alone, run where they are if they are
// small.
#include <algorithm>

#include "machines/cpu/algorithm/claims.h"
#include "machines/cpu/algorithm/deal.h"
#include "machines/cpu/algorithm/inserts.h"
#include "machines/cpu/algorithm/rows.h"
#include "machines/cpu/team_loops.h"

namespace tropic::cpu {

namespace {

/// Enough to balance many threads.
constexpr std::int64_t most_chunks = 1024;
/// Between two chunks somebody asks whether the run is to end: endless ranges have more of them.
constexpr std::int64_t longest_chunk = 1 << 26;
constexpr std::int64_t most_chunks_of_ranges = 1 << 20;

struct Loop {
    AlgorithmSession& session;
    const EachView& view;
    std::int64_t count;
    double cost; ///< a guess, in nanoseconds
    bool claims; ///< members, without locking: other threads are of use early
    const std::int64_t* bounds = nullptr;
    std::int64_t chunks = 1;
    Sharing* sharing = nullptr;

    /// What is worth another thread, or a piece, where others are.
    double worth(double AlgorithmSessionOptions::* work) const {
        return session.options.*work * (claims ? session.options.claiming : 1);
    }

    /// Whether it depends on the machine if other threads make it faster: it is shared only because
    /// nobody has to lock anything.
    bool is_doubtful() const {
        return claims && sharing != nullptr && session.team->size() > 1 &&
               cost < session.options.smallest_loop;
    }
};

template <class I> std::int64_t degrees(const I* pos, const I* list, std::int64_t count) {
    std::int64_t sum = 0;
    for (std::int64_t at = 0; at < count; ++at) sum += pos[list[at] + 1] - pos[list[at]];
    return sum;
}

/// The edges at the members: counted where there are few, who may have many; guessed otherwise.
std::int64_t edges_of(const Loop& loop, const StoredSet* members) {
    constexpr std::int64_t few = 2048;
    constexpr std::int64_t short_row = 64;
    const StoredGraph& graph = graph_at(loop.session.frame, loop.view.graph);
    const bool inward = loop.view.inward != 0;
    const void* const pos = inward ? graph.in_pos : graph.out_pos;
    const std::int64_t centers = inward ? graph.columns : graph.rows;
    // Where no row is long enough to matter, nobody needs to look.
    const std::int64_t longest = inward ? graph.longest_in : graph.longest_out;
    if (longest >= 0 && static_cast<double>(loop.count * (longest + 1)) * loop.view.units <
                            loop.worth(&AlgorithmSessionOptions::smallest_loop)) {
        return loop.count * longest;
    }
    const bool told_nothing = loop.session.team->size() == 1 && loop.view.partial_bytes == 0;
    const bool alike = longest >= 0 && longest <= short_row;
    if (members == nullptr || loop.count > few || pos == nullptr || told_nothing || alike) {
        const double share = static_cast<double>(loop.count) /
                             static_cast<double>(std::max<std::int64_t>(centers, 1));
        return static_cast<std::int64_t>(share * static_cast<double>(graph.entries));
    }
    return loop.session.options.wide
               ? degrees(static_cast<const std::int64_t*>(pos),
                         static_cast<const std::int64_t*>(members->list), loop.count)
               : degrees(static_cast<const std::int32_t*>(pos),
                         static_cast<const std::int32_t*>(members->list), loop.count);
}

/// The first member before which there are at least `target` units of work, one for each member
/// and one for each edge.
template <class I> std::int64_t member_at(const I* pos, std::int64_t count, std::int64_t target) {
    std::int64_t low = 0;
    std::int64_t high = count;
    while (low < high) {
        const std::int64_t middle = low + (high - low) / 2;
        if (middle + static_cast<std::int64_t>(pos[middle]) < target) low = middle + 1;
        else high = middle;
    }
    return low;
}

/// Pieces of a range begin at multiples of this, so that none share a word of bits.
constexpr std::int64_t together = 64;

void add_bound(std::vector<std::int64_t>& bounds, std::int64_t bound, std::int64_t count) {
    bound = bound / together * together;
    if (bound > bounds.back() && bound < count) bounds.push_back(bound);
}

template <class I>
void balance(std::vector<std::int64_t>& bounds, const I* pos, std::int64_t count,
             std::int64_t chunks) {
    const std::int64_t units = count + static_cast<std::int64_t>(pos[count]);
    for (std::int64_t chunk = 1; chunk < chunks; ++chunk) {
        const double target =
            static_cast<double>(units) * static_cast<double>(chunk) / static_cast<double>(chunks);
        add_bound(bounds, member_at(pos, count, static_cast<std::int64_t>(target)), count);
    }
}

void plan(Loop& loop) {
    AlgorithmSession& session = loop.session;
    const void* pos = nullptr;
    if (loop.view.graph >= 0 && loop.view.members < 0) {
        const StoredGraph& graph = graph_at(session.frame, loop.view.graph);
        const bool inward = loop.view.inward != 0;
        if (loop.count == (inward ? graph.columns : graph.rows)) {
            pos = inward ? graph.in_pos : graph.out_pos;
        }
    }
    auto& plans = session.loop.plans;
    const auto known = std::ranges::find(plans, &loop.view, [](const auto& p) { return p.first; });
    const bool is_new = known == plans.end();
    LoopPlan& made = is_new ? plans.emplace_back(&loop.view, LoopPlan{}).second : known->second;
    if (is_new && session.options.memory != nullptr) {
        made.sharing = session.options.memory->recall(&loop.view, session.team->size());
    }
    const double wanted =
        std::clamp(loop.cost / loop.worth(&AlgorithmSessionOptions::smallest_chunk), 2.0,
                   static_cast<double>(most_chunks));
    if (loop.view.members >= 0 || made.count != loop.count || made.pos != pos ||
        made.bounds.empty()) {
        made.pos = pos;
        made.count = loop.count;
        const auto chunks = std::max(static_cast<std::int64_t>(wanted),
                                     std::min(loop.count / longest_chunk, most_chunks_of_ranges));
        std::vector<std::int64_t>& bounds = made.bounds;
        bounds.assign(1, 0);
        if (pos != nullptr && session.options.wide) {
            balance(bounds, static_cast<const std::int64_t*>(pos), loop.count, chunks);
        } else if (pos != nullptr) {
            balance(bounds, static_cast<const std::int32_t*>(pos), loop.count, chunks);
        } else {
            const std::int64_t step = std::max<std::int64_t>((loop.count + chunks - 1) / chunks, 1);
            for (std::int64_t at = step; at < loop.count; at += step) {
                if (loop.view.members >= 0) bounds.push_back(at);
                else add_bound(bounds, at, loop.count);
            }
        }
        bounds.push_back(loop.count);
    }
    loop.bounds = made.bounds.data();
    loop.chunks = static_cast<std::int64_t>(made.bounds.size()) - 1;
    loop.sharing = &made.sharing;
}

void make_partials(const Loop& loop) {
    if (loop.view.partial_bytes == 0) return;
    loop.session.frame.partials = loop.session.loop.partials.reserve(
        loop.chunks * loop.view.partial_bytes, loop.session.context());
}

void run_serial(const Loop& loop, ListOrder order) {
    AlgorithmSession& session = loop.session;
    const EachView& view = loop.view;
    begin_serial_inserts(session, view.inserts, view.insert_count);
    for (std::int64_t chunk = 0; chunk < loop.chunks; ++chunk) {
        if (chunk > 0) session.check_cancelled();
        LoopWorker& worker = *session.workers[0];
        if (view.built >= 0) begin_rows(session, worker, chunk);
        view.serial(&session.frame, &worker, chunk, loop.bounds[chunk], loop.bounds[chunk + 1],
                    nullptr);
        if (view.built >= 0) end_rows(session, worker);
    }
    end_serial_inserts(session, view.inserts, view.insert_count, order);
}

void run_parallel(const Loop& loop) {
    AlgorithmSession& session = loop.session;
    const EachView& view = loop.view;
    begin_parallel_inserts(session, view.inserts, view.insert_count);
    Deal deal(loop.chunks, session.team->size());
    FirstFailure failure;
    Meeting meeting;
    auto share = [&](int number) noexcept {
        LoopWorker& worker = *session.workers[number];
        meeting.enter();
        try {
            begin_worker_inserts(session, worker);
            while (!failure.any()) {
                const std::int64_t chunk = deal.take(number);
                if (chunk < 0) break;
                session.check_cancelled();
                if (view.built >= 0) begin_rows(session, worker, chunk);
                view.parallel(&session.frame, &worker, chunk, loop.bounds[chunk],
                              loop.bounds[chunk + 1], nullptr);
                if (view.built >= 0) end_rows(session, worker);
            }
            end_worker_inserts(session, worker);
        } catch (...) {
            failure.keep();
        }
        if (!loop.claims) return;
        meeting.wait(Meeting::Stage::done);
        if (!failure.any()) settle_claims(session, worker);
        meeting.wait(Meeting::Stage::settled);
        if (!failure.any()) append_claims(session, worker);
    };
    session.team->run(share);
    failure.raise();
    end_parallel_inserts(session, view.inserts, view.insert_count);
}

/// Whether the threads that a loop could be shared by leave it to one.
bool runs_alone(const Loop& loop) {
    const AlgorithmSession& session = loop.session;
    if (loop.view.alone != 0 || loop.chunks == 1 || session.team->size() == 1) return true;
    if (loop.is_doubtful()) return !loop.sharing->pays();
    return !session.team->awake() && loop.cost < loop.worth(&AlgorithmSessionOptions::waking);
}

void run_chunks(const Loop& loop, ListOrder order) {
    if (runs_alone(loop)) run_serial(loop, order);
    else run_parallel(loop);
}

std::int64_t run_loop(AlgorithmSession& session, const EachView& view, std::int64_t count) {
    session.check_cancelled();
    StoredSet* members = nullptr;
    if (view.members >= 0) {
        members = &set_at(session.frame, view.members);
        if (view.ordered != 0) order_members(session.set_tools(), *members);
        else if (view.alone != 0) settle_members(session.set_tools(), *members);
        else list_members(session.set_tools(), *members);
        count = members->count;
    }
    clear_rebuilt(session, view.inserts, view.insert_count);
    if (count <= 0) {
        if (view.built >= 0) make_empty_graph(session, view.built, 0, session.frame.built_columns);
        return 0;
    }
    if (members != nullptr) lengthen_list(session.set_tools(), *members);
    Loop loop{.session = session,
              .view = view,
              .count = count,
              .cost = 0,
              .claims = claims_members(view)};
    const std::int64_t units = view.graph >= 0 ? count + edges_of(loop, members) : count;
    loop.cost = static_cast<double>(units) * std::max(view.units, 1);
    const std::int64_t whole[] = {0, count};
    if (loop.cost < loop.worth(&AlgorithmSessionOptions::smallest_loop)) loop.bounds = whole;
    else plan(loop);
    make_partials(loop);
    if (view.built >= 0) begin_graph(session, view.built, count, loop.chunks);
    // A loop that other threads would have shared leaves no order to count on, though they did not.
    const bool steady = view.alone != 0 || loop.chunks == 1;
    const ListOrder before = members == nullptr ? ListOrder::steady : members->order;
    const ListOrder order = steady ? std::min(before, ListOrder::steady) : ListOrder::raced;
    if (Sharing* const sharing = loop.is_doubtful() ? loop.sharing : nullptr; sharing != nullptr) {
        const double began = seconds_now();
        run_chunks(loop, order);
        sharing->learn(seconds_now() - began, loop.cost);
    } else {
        run_chunks(loop, order);
    }
    if (view.built >= 0)
        end_graph(session, {loop.bounds, loop.bounds + loop.chunks + 1}, view.place);
    return loop.chunks;
}

} // namespace

std::int64_t each(Frame* frame, const EachView* view, std::int64_t count) {
    AlgorithmSession& session = *frame->session;
    if (!session.options.time_statements) return run_loop(session, *view, count);
    const double began = seconds_now();
    const std::int64_t chunks = run_loop(session, *view, count);
    add_time(session, view->place, view->text, began);
    return chunks;
}

void* algorithm_workspace(Frame* frame, WorkerView* worker, std::int64_t slot, std::int64_t bytes) {
    auto& spaces = static_cast<LoopWorker*>(worker)->workspaces;
    const auto place = static_cast<std::size_t>(slot);
    if (place >= spaces.size()) spaces.resize(place + 1);
    return spaces[place].reserve(bytes + 64, frame->session->context());
}

} // namespace tropic::cpu
