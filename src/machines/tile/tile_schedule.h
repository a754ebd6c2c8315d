// One tile's time in a compute set: vertices in order, each on the context that is free first.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "machines/tile/codelet.h"
#include "machines/tile/machine.h"

namespace tropic::tile {

class TileSchedule {
  public:
    static constexpr std::uint32_t most_workers = 64;

    explicit TileSchedule(const Machine& machine) : machine_(&machine) { free_.fill(0); }

    /// The context that the next vertex of one worker runs on: the first of those free earliest.
    std::uint32_t next_worker() const {
        std::uint32_t best = 0;
        for (std::uint32_t w = 1; w < machine_->workers; ++w) {
            if (free_[w] < free_[best]) best = w;
        }
        return best;
    }

    /// A worker's slots come round once every `workers` cycles.
    void add_worker(std::uint32_t worker, std::uint64_t slots) {
        free_[worker] += machine_->worker_start_cycles + slots * machine_->workers;
    }

    /// All workers at once; `slots` of the longest.
    void add_multi(std::uint64_t slots) {
        finish_at(cycles() + machine_->multi_start_cycles + slots * machine_->workers);
    }

    void add_supervisor(std::uint64_t cycles_taken) {
        finish_at(cycles() + machine_->supervisor_start_cycles + cycles_taken);
    }

    /// A vertex that is said to take so many cycles.
    void add_estimate(VertexKind kind, std::uint32_t worker, std::uint64_t cycles_taken) {
        if (kind == VertexKind::worker) {
            free_[worker] += machine_->worker_start_cycles + cycles_taken;
        } else {
            finish_at(cycles() + cycles_taken);
        }
    }

    std::uint64_t cycles() const {
        return *std::max_element(free_.begin(), free_.begin() + machine_->workers);
    }

  private:
    void finish_at(std::uint64_t cycle) {
        std::fill(free_.begin(), free_.begin() + machine_->workers, cycle);
    }

    const Machine* machine_;
    std::array<std::uint64_t, most_workers> free_;
};

} // namespace tropic::tile
