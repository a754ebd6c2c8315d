#include "machines/cpu/algorithm/key_search.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>

namespace tropic::cpu {

namespace {

/// Keys looked at at a time in parallel.
constexpr std::int64_t piece = 1 << 15;

} // namespace

std::int64_t KeySearch::look(std::int64_t first, std::int64_t until) {
    const std::int64_t n = space();
    for (auto& worker : session_.workers) {
        worker->until = until;
        worker->found = 0;
        worker->least = none;
        // Another loop before this one may have been over fewer.
        const auto bytes = static_cast<std::size_t>(n) * item_bytes_;
        if (worker->found_list.bytes() < bytes) {
            worker->found_list = MemberList(bytes, session_.context());
        }
    }
    const auto look_at = [&](LoopWorker& worker, std::int64_t begin, std::int64_t end) {
        view_.find(&session_.frame, &worker, first, begin, end, worker.found_list.data());
    };
    if (session_.team->size() == 1 || n <= 2 * piece) {
        look_at(*session_.workers[0], 0, n);
    } else {
        std::atomic<std::int64_t> next{0};
        auto share = [&](int number) noexcept {
            for (;;) {
                const std::int64_t begin = next.fetch_add(piece, std::memory_order_relaxed);
                if (begin >= n) return;
                look_at(*session_.workers[number], begin, std::min(n, begin + piece));
            }
        };
        session_.team->run(share);
    }
    count_ = 0;
    found_.clear();
    std::int64_t least = none;
    for (auto& worker : session_.workers) {
        worker->found_list.touched(static_cast<std::size_t>(worker->found) * item_bytes_);
        count_ += worker->found;
        found_.push_back({worker->found_list.data(), worker->found});
        least = std::min(least, worker->least);
    }
    return least;
}

void* KeySearch::items() {
    for (const ItemList& list : found_) {
        if (list.count == count_) return list.items;
    }
    const auto wanted = static_cast<std::size_t>(count_) * item_bytes_;
    if (together_.bytes() < wanted) together_ = MemberList(wanted, session_.context());
    together_.touched(wanted);
    char* const items = static_cast<char*>(together_.data());
    std::size_t at = 0;
    for (const ItemList& list : found_) {
        const std::size_t bytes = static_cast<std::size_t>(list.count) * item_bytes_;
        std::memcpy(items + at, list.items, bytes);
        at += bytes;
    }
    return items;
}

bool KeySearch::only_start_has_keys() {
    StoredSet& start = set_at(session_.frame, view_.start);
    mark_members(session_.set_tools(), start);
    look(std::numeric_limits<std::int64_t>::min(), none);
    if (count_ != start.count) return false;
    const void* const found = items();
    for (std::int64_t at = 0; at < count_; ++at) {
        const std::int64_t item = item_bytes_ == 8 ? static_cast<const std::int64_t*>(found)[at]
                                                   : static_cast<const std::int32_t*>(found)[at];
        if (!has_member(start, item)) return false;
    }
    return true;
}

} // namespace tropic::cpu
