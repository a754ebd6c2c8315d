#include "machines/cpu/algorithm/claims.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <thread>

#include "machines/cpu/team.h"

namespace tropic::cpu {

namespace {

/// Between asking for the element of an item and looking at it.
constexpr std::int64_t items_ahead = 48;

/// Calls action(items, claims, count) for each block of a worker's claims of one insert, full ones
/// first; `count` may be changed.
template <class I, class Action>
void for_blocks(LoopWorker& worker, std::size_t insert, const Action& action) {
    ClaimedItems& kept = worker.claimed[insert];
    const Appender& last = worker.appenders[insert];
    auto* block = static_cast<I*>(kept.full.data());
    for (std::int64_t& count : kept.counts) {
        action(block, block + last.capacity, count);
        block += 2 * last.capacity;
    }
    action(static_cast<I*>(last.items), static_cast<I*>(last.claims),
           worker.appenders[insert].count);
}

template <class Action> void for_claimed(const LoopState& loop, const Action& action) {
    for (std::int32_t i = 0; i < loop.insert_count; ++i) {
        if (loop.inserts[i].claimed >= 0) action(static_cast<std::size_t>(i), loop.inserts[i]);
    }
}

template <class I> std::int64_t settle(LoopWorker& worker, std::size_t insert, const void* vector) {
    const I* const elements = static_cast<const I*>(vector);
    std::int64_t sum = 0;
    for_blocks<I>(worker, insert, [&](I* items, const I* claims, std::int64_t& count) {
        std::int64_t left = 0;
        for (std::int64_t at = 0; at < count; ++at) {
            // Most are in the caches of others.
            __builtin_prefetch(elements + items[std::min(at + items_ahead, count - 1)]);
            const I item = items[at];
            items[left] = item;
            left += elements[item] == claims[at] ? 1 : 0;
        }
        count = left;
        sum += left;
    });
    return sum;
}

template <class I> void append(LoopWorker& worker, std::size_t insert, void* list) {
    I* to = static_cast<I*>(list);
    for_blocks<I>(worker, insert, [&](const I* items, const I*, std::int64_t count) {
        to = std::copy_n(items, count, to);
    });
}

} // namespace

bool claims_members(const EachView& view) {
    const std::span inserts(view.inserts, static_cast<std::size_t>(view.insert_count));
    return std::ranges::any_of(inserts, [](const InsertView& i) { return i.claimed >= 0; });
}

void Meeting::wait(Stage stage) noexcept {
    std::atomic<int>& there = there_[static_cast<std::size_t>(stage)];
    there.fetch_add(1);
    Patience patience;
    while (there.load() < entered_.load()) patience.wait();
}

void keep_claims(AlgorithmSession& session, LoopWorker& worker, std::int64_t insert) {
    Appender& appender = worker.appenders[insert];
    ClaimedItems& kept = worker.claimed[static_cast<std::size_t>(insert)];
    const std::size_t bytes =
        static_cast<std::size_t>(appender.capacity) * session.set_tools().index_bytes();
    const std::size_t used = kept.counts.size() * 2 * bytes;
    const std::size_t wanted = used + 2 * bytes;
    kept.full.reserve(used, wanted, 2 * wanted, session.context().budget());
    auto* const to = static_cast<std::byte*>(kept.full.data()) + used;
    std::memcpy(to, appender.items, bytes);
    std::memcpy(to + bytes, appender.claims, bytes);
    kept.counts.push_back(appender.count);
    appender.count = 0;
}

void settle_claims(AlgorithmSession& session, LoopWorker& worker) {
    for_claimed(session.loop, [&](std::size_t i, const InsertView& insert) {
        const void* const data = vector_at(session.frame, insert.claimed).data;
        const std::int64_t left = session.options.wide ? settle<std::int64_t>(worker, i, data)
                                                       : settle<std::int32_t>(worker, i, data);
        // Who came too late has nothing, and others may have gone on and read that.
        if (left > 0) worker.claimed[i].left = left;
    });
}

void append_claims(AlgorithmSession& session, LoopWorker& worker) {
    for_claimed(session.loop, [&](std::size_t i, const InsertView& insert) {
        std::int64_t before = 0;
        for (std::int64_t other = 0; other < worker.number; ++other) {
            before += session.workers[static_cast<std::size_t>(other)]->claimed[i].left;
        }
        auto* const list = static_cast<std::byte*>(set_at(session.frame, insert.variable).list) +
                           static_cast<std::size_t>(before) * session.set_tools().index_bytes();
        if (session.options.wide) append<std::int64_t>(worker, i, list);
        else append<std::int32_t>(worker, i, list);
        worker.appenders[i].count = 0;
    });
}

std::int64_t claimed_members(const AlgorithmSession& session, std::int64_t insert) {
    std::int64_t sum = 0;
    for (const auto& worker : session.workers) {
        sum += worker->claimed[static_cast<std::size_t>(insert)].left;
    }
    return sum;
}

} // namespace tropic::cpu
