// The loops of compiled programs: cut into chunks that depend on the work alone, run by workers
// that each keep their workspaces from chunk to chunk and from kernel to kernel.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "machines/cpu/runtime.h"
#include "tropic/array.h"

namespace tropic::cpu {

/// Zeroed memory that grows with what is asked of it.
struct Workspace {
    Array memory;
    void* begin = nullptr; ///< aligned
    std::int64_t bytes = 0;

    /// Memory of that many bytes: what is there, or fresh zeros if that is less.
    void* reserve(std::int64_t wanted, const Context& context);
};

/// One thread's turn at a kernel; on cache lines of its own.
struct alignas(64) Worker {
    Context context;
    bool wide = false;
    std::vector<Workspace> workspaces = {}; ///< by slot
    Workspace sort_words = {};              ///< what sort_coordinates needs
    Workspace sort_bits = {};               ///< zero between uses
};

class BorrowedTeam;
class Team;

class Loops {
  public:
    Loops(const Context& context, bool wide);
    ~Loops();
    Loops(const Loops&) = delete;
    Loops& operator=(const Loops&) = delete;

    /// See Runtime::plan, Runtime::plan_ranges and Runtime::run.
    std::int64_t plan(std::int64_t count, const void* pos, double cost);
    std::int64_t plan_ranges(std::int64_t count, std::int64_t entries);
    void run(KernelBody body, void* const* frame);

    /// Calls body(piece) for pieces 0 .. count - 1, at the same time and in any order.
    void each(std::int64_t count, const std::function<void(std::int64_t)>& body);

    std::int64_t chunks() const noexcept { return static_cast<std::int64_t>(bounds_.size()) - 1; }
    int workers() const noexcept { return static_cast<int>(workers_.size()); }

    /// Who runs, or ran, a chunk of the planned loop.
    int worker_of(std::int64_t chunk) const noexcept { return worker_of_[chunk]; }

  private:
    Team& team();
    void cut_evenly(std::int64_t count, std::int64_t chunks);
    std::int64_t finish_plan(std::int64_t count);

    Context context_;
    bool wide_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::vector<std::int64_t> bounds_;
    std::vector<int> worker_of_;
    std::unique_ptr<BorrowedTeam> team_; ///< from the first loop that is worth several threads
};

void* workspace(Worker* worker, std::int64_t slot, std::int64_t bytes);
void sort_coordinates(Worker* worker, void* coordinates, std::int64_t count, std::int64_t size);

} // namespace tropic::cpu
