// Loops of the runtime's own on a team: over pieces of a range that do not depend on how many
// threads there are.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <vector>

#include "machines/cpu/team.h"

namespace tropic::cpu {

/// The first exception of several threads, to be thrown where they meet.
class FirstFailure {
  public:
    void keep() noexcept {
        const std::scoped_lock lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
        failed_.store(true, std::memory_order_relaxed);
    }
    bool any() const noexcept { return failed_.load(std::memory_order_relaxed); }
    void raise() const {
        if (failure_) std::rethrow_exception(failure_);
    }

  private:
    std::mutex mutex_;
    std::exception_ptr failure_;
    std::atomic<bool> failed_{false};
};

/// Calls body(piece) for pieces 0 .. count - 1, at the same time and in any order.
template <class Body> void team_pieces(Team& team, std::int64_t count, const Body& body) {
    if (count <= 1 || team.size() == 1) {
        for (std::int64_t piece = 0; piece < count; ++piece) body(piece);
        return;
    }
    std::atomic<std::int64_t> next{0};
    FirstFailure failure;
    auto share = [&](int) noexcept {
        try {
            while (!failure.any()) {
                const std::int64_t piece = next.fetch_add(1, std::memory_order_relaxed);
                if (piece >= count) return;
                body(piece);
            }
        } catch (...) {
            failure.keep();
        }
    };
    team.run(share);
    failure.raise();
}

/// Calls body(begin, end) on pieces of [0, count) of `grain` elements.
template <class Body>
void team_ranges(Team& team, std::int64_t count, std::int64_t grain, const Body& body) {
    team_pieces(team, (count + grain - 1) / grain, [&](std::int64_t piece) {
        body(piece * grain, std::min(count, (piece + 1) * grain));
    });
}

/// The sum of body(begin, end) over such pieces.
template <class Body>
std::int64_t team_sum(Team& team, std::int64_t count, std::int64_t grain, const Body& body) {
    if (count <= grain) return count <= 0 ? 0 : body(std::int64_t{0}, count);
    std::atomic<std::int64_t> sum{0};
    team_ranges(team, count, grain, [&](std::int64_t begin, std::int64_t end) {
        sum.fetch_add(body(begin, end), std::memory_order_relaxed);
    });
    return sum.load();
}

} // namespace tropic::cpu
