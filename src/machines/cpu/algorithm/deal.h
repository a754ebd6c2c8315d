// Pieces of work, dealt out to the workers of a loop.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>

namespace tropic::cpu {

/// The chunks of a loop, dealt out in runs: a worker goes through its own, side by side, so that
/// neighbours in the graph are seldom another's at the same time, and then helps the others.
class Deal {
  public:
    Deal(std::int64_t chunks, int workers)
        : chunks_(chunks), workers_(std::min(workers, most_workers)) {}

    /// The next chunk for a worker, or -1.
    std::int64_t take(int worker) noexcept {
        for (int turn = 0; turn < workers_; ++turn) {
            const int whose = (worker + turn) % workers_;
            const std::int64_t begin = chunks_ * whose / workers_;
            const std::int64_t count = chunks_ * (whose + 1) / workers_ - begin;
            std::atomic<std::int64_t>& taken = taken_[whose].value;
            // Who finds nothing left knows that those who took the rest have entered the loop.
            if (taken.load(std::memory_order_acquire) >= count) continue;
            const std::int64_t mine = taken.fetch_add(1, std::memory_order_acq_rel);
            if (mine < count) return begin + mine;
        }
        return -1;
    }

  private:
    static constexpr int most_workers = 64;
    struct alignas(64) Taken {
        std::atomic<std::int64_t> value{0};
    };
    std::int64_t chunks_;
    int workers_;
    std::array<Taken, most_workers> taken_;
};

} // namespace tropic::cpu
