#include "machines/cpu/algorithm/inserts.h"

#include <algorithm>
#include <cstring>

#include "machines/cpu/algorithm/claims.h"

namespace tropic::cpu {

namespace {

/// Items of a worker's buffer: enough that the shared length is seldom touched, few enough for
/// the nearest cache.
constexpr std::int64_t buffered = 1024;

/// A set that grows without being listed counts what is new; its list is of no use to anybody.
bool counts_only(const StoredSet& set, const InsertView& insert) {
    return insert.rebuilt == 0 && set.listed == 0;
}

void finish(AlgorithmSession& session, StoredSet& set, const InsertView& insert,
            std::int64_t appended, ListOrder order, bool marked) {
    if (insert.bits_only != 0 || counts_only(set, insert)) {
        set.count += appended;
        set.listed = 0;
        return;
    }
    if (appended > set.count) set.order = std::min(set.order, order);
    set.count = appended;
    if (!marked && appended > 0) set.marked = 0;
    set.members.touched(static_cast<std::size_t>(appended) * session.set_tools().index_bytes());
}

/// How many items the list holds before the loop.
std::int64_t begin_length(const StoredSet& set, const InsertView& insert) {
    return insert.bits_only != 0 || counts_only(set, insert) ? 0 : set.count;
}

} // namespace

void clear_rebuilt(AlgorithmSession& session, const InsertView* inserts, std::int32_t count) {
    for (std::int32_t i = 0; i < count; ++i) {
        if (inserts[i].rebuilt == 0) continue;
        StoredSet& set = set_at(session.frame, inserts[i].variable);
        if (set.count != 0 || set.listed == 0) clear_set(session.set_tools(), set);
    }
}

void begin_serial_inserts(AlgorithmSession& session, const InsertView* inserts,
                          std::int32_t count) {
    LoopWorker& worker = *session.workers[0];
    if (worker.appender_list.size() < static_cast<std::size_t>(count)) {
        worker.appender_list.resize(static_cast<std::size_t>(count));
    }
    worker.appenders = worker.appender_list.data();
    for (std::int32_t i = 0; i < count; ++i) {
        const StoredSet& set = set_at(session.frame, inserts[i].variable);
        worker.appenders[i] = {.items = set.list,
                               .count = begin_length(set, inserts[i]),
                               .capacity = set.size,
                               .bits = set.bits,
                               .claims = nullptr};
    }
}

void end_serial_inserts(AlgorithmSession& session, const InsertView* inserts, std::int32_t count,
                        ListOrder order) {
    for (std::int32_t i = 0; i < count; ++i) {
        finish(session, set_at(session.frame, inserts[i].variable), inserts[i],
               session.workers[0]->appenders[i].count, order, inserts[i].list_only == 0);
    }
}

void begin_parallel_inserts(AlgorithmSession& session, const InsertView* inserts,
                            std::int32_t count) {
    LoopState& loop = session.loop;
    loop.inserts = inserts;
    loop.insert_count = count;
    while (loop.lengths.size() < static_cast<std::size_t>(count)) loop.lengths.emplace_back();
    for (std::int32_t i = 0; i < count; ++i) {
        const StoredSet& set = set_at(session.frame, inserts[i].variable);
        loop.lengths[i].value.store(begin_length(set, inserts[i]), std::memory_order_relaxed);
    }
    for (const auto& worker : session.workers) {
        worker->claimed.resize(std::max(worker->claimed.size(), static_cast<std::size_t>(count)));
        for (ClaimedItems& claimed : worker->claimed) {
            claimed.counts.clear();
            claimed.left = 0;
        }
    }
}

void begin_worker_inserts(AlgorithmSession& session, LoopWorker& worker) {
    const LoopState& loop = session.loop;
    const auto count = static_cast<std::size_t>(loop.insert_count);
    if (worker.appender_list.size() < count) worker.appender_list.resize(count);
    while (worker.buffers.size() < count) {
        // Items, and what was claimed for them.
        worker.buffers.emplace_back(2 * static_cast<std::size_t>(buffered) * 8 + 64);
    }
    worker.appenders = worker.appender_list.data();
    for (std::size_t i = 0; i < count; ++i) {
        worker.appenders[i] = {.items = worker.buffers[i].data(),
                               .count = 0,
                               .capacity = buffered,
                               .bits = set_at(session.frame, loop.inserts[i].variable).bits,
                               .claims = worker.buffers[i].data() + buffered * 8};
    }
}

void end_worker_inserts(AlgorithmSession& session, LoopWorker& worker) {
    for (std::int32_t i = 0; i < session.loop.insert_count; ++i) {
        if (session.loop.inserts[i].claimed < 0) flush(&session.frame, &worker, i);
    }
}

void end_parallel_inserts(AlgorithmSession& session, const InsertView* inserts,
                          std::int32_t count) {
    for (std::int32_t i = 0; i < count; ++i) {
        const bool claimed = inserts[i].claimed >= 0;
        finish(session, set_at(session.frame, inserts[i].variable), inserts[i],
               claimed ? claimed_members(session, i)
                       : session.loop.lengths[i].value.load(std::memory_order_relaxed),
               ListOrder::raced, !claimed);
    }
}

void flush(Frame* frame, WorkerView* worker, std::int64_t insert) {
    AlgorithmSession& session = *frame->session;
    Appender& appender = worker->appenders[insert];
    const InsertView& view = session.loop.inserts[insert];
    if (view.claimed >= 0) {
        keep_claims(session, *static_cast<LoopWorker*>(worker), insert);
        return;
    }
    const std::int64_t at =
        session.loop.lengths[insert].value.fetch_add(appender.count, std::memory_order_relaxed);
    if (view.bits_only == 0) {
        const std::size_t width = session.options.wide ? 8 : 4;
        std::memcpy(static_cast<char*>(set_at(*frame, view.variable).list) +
                        static_cast<std::size_t>(at) * width,
                    appender.items, static_cast<std::size_t>(appender.count) * width);
    }
    appender.count = 0;
}

} // namespace tropic::cpu
