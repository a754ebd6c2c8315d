#include "machines/cpu/loops.h"

#include <algorithm>
#include <atomic>

#include "machines/cpu/team.h"
#include "machines/cpu/team_loops.h"

namespace tropic::cpu {

namespace {

/// A chunk worth handing to another thread takes at least this long (nanoseconds); waking a thread
/// that sleeps takes about as much.
constexpr double least_chunk = 20'000;

/// Enough to balance many threads; taking a chunk costs some ten nanoseconds.
constexpr std::int64_t most_chunks = 256;

/// Every range of a loop goes through all rows: more of them would do little else.
constexpr std::int64_t most_ranges = 16;
/// Of a loop over ranges, in nanoseconds.
constexpr double entry_cost = 2;

constexpr std::int64_t alignment = 64;

std::int64_t chunks_for(std::int64_t units, std::int64_t count, double cost) {
    const double chunks = static_cast<double>(units) * cost / least_chunk;
    if (!(chunks >= 2)) return 1;
    return std::min({static_cast<std::int64_t>(std::min(chunks, 1e9)), most_chunks, count});
}

/// The first iteration before which there are at least `target` units of work.
template <class Pos>
std::int64_t iteration_at(const Pos* pos, std::int64_t count, std::int64_t target) {
    std::int64_t low = 0;
    std::int64_t high = count;
    while (low < high) {
        const std::int64_t middle = low + (high - low) / 2;
        if (middle + (pos[middle] - pos[0]) < target) low = middle + 1;
        else high = middle;
    }
    return low;
}

template <class Pos>
void balanced(std::vector<std::int64_t>& bounds, std::int64_t count, const Pos* pos, double cost) {
    const std::int64_t units = count + (pos[count] - pos[0]);
    const std::int64_t chunks = chunks_for(units, count, cost);
    for (std::int64_t chunk = 1; chunk < chunks; ++chunk) {
        const std::int64_t bound = iteration_at(pos, count, units / chunks * chunk);
        // One iteration may be the work of several chunks.
        if (bound > bounds.back() && bound < count) bounds.push_back(bound);
    }
}

/// Chunks that nobody has taken. The first worker takes them from the front and the others from
/// the back: what the first appends to a sparse result is in its place already.
class ChunksLeft {
  public:
    explicit ChunksLeft(std::int64_t count) : ends_(static_cast<std::uint64_t>(count) << 32) {}

    /// -1: there is none.
    std::int64_t take_first() { return take(1, 0); }
    std::int64_t take_last() { return take(0, 1); }

  private:
    std::int64_t take(std::uint64_t from_front, std::uint64_t from_back) {
        std::uint64_t ends = ends_.load(std::memory_order_relaxed);
        for (;;) {
            const std::uint64_t begin = ends & 0xffffffffU;
            const std::uint64_t end = ends >> 32;
            if (begin == end) return -1;
            const std::uint64_t less = (begin + from_front) | ((end - from_back) << 32);
            if (ends_.compare_exchange_weak(ends, less, std::memory_order_relaxed)) {
                return static_cast<std::int64_t>(from_front == 1 ? begin : end - 1);
            }
        }
    }

    std::atomic<std::uint64_t> ends_; ///< the first in the lower half, the one behind the last
};

} // namespace

Loops::~Loops() = default;

Loops::Loops(const Context& context, bool wide)
    : context_(context), wide_(wide), bounds_{0, 0}, worker_of_(1) {
    for (int number = 0; number < context.threads(); ++number) {
        workers_.push_back(std::make_unique<Worker>(Worker{context, wide}));
    }
}

std::int64_t Loops::plan(std::int64_t count, const void* pos, double cost) {
    bounds_.clear();
    bounds_.push_back(0);
    count = std::max<std::int64_t>(count, 0);
    if (pos != nullptr && wide_) {
        balanced(bounds_, count, static_cast<const std::int64_t*>(pos), cost);
    } else if (pos != nullptr) {
        balanced(bounds_, count, static_cast<const std::int32_t*>(pos), cost);
    } else {
        cut_evenly(count, chunks_for(count, count, cost));
    }
    return finish_plan(count);
}

std::int64_t Loops::plan_ranges(std::int64_t count, std::int64_t entries) {
    bounds_.assign(1, 0);
    count = std::max<std::int64_t>(count, 0);
    cut_evenly(count, std::min({chunks_for(entries, count, entry_cost), most_ranges,
                                static_cast<std::int64_t>(workers_.size())}));
    return finish_plan(count);
}

void Loops::cut_evenly(std::int64_t count, std::int64_t chunks) {
    for (std::int64_t chunk = 1; chunk < chunks; ++chunk) {
        bounds_.push_back(count / chunks * chunk + std::min(chunk, count % chunks));
    }
}

std::int64_t Loops::finish_plan(std::int64_t count) {
    bounds_.push_back(count);
    worker_of_.assign(bounds_.size() - 1, 0);
    return chunks();
}

void Loops::run(KernelBody body, void* const* frame) {
    const std::int64_t count = chunks();
    if (count == 1 || workers_.size() == 1) {
        for (std::int64_t chunk = 0; chunk < count; ++chunk) {
            context_.check_cancelled();
            worker_of_[chunk] = 0;
            body(frame, chunk, bounds_[chunk], bounds_[chunk + 1], workers_[0].get());
        }
        return;
    }
    ChunksLeft left(count);
    FirstFailure failure;
    auto share = [&](int number) noexcept {
        try {
            while (!failure.any()) {
                const std::int64_t chunk = number == 0 ? left.take_first() : left.take_last();
                if (chunk < 0) return;
                context_.check_cancelled();
                worker_of_[chunk] = number;
                body(frame, chunk, bounds_[chunk], bounds_[chunk + 1], workers_[number].get());
            }
        } catch (...) {
            failure.keep();
        }
    };
    team().run(share);
    failure.raise();
}

void Loops::each(std::int64_t count, const std::function<void(std::int64_t)>& body) {
    if (count <= 1 || workers_.size() == 1) {
        for (std::int64_t piece = 0; piece < count; ++piece) body(piece);
    } else {
        team_pieces(team(), count, body);
    }
}

Team& Loops::team() {
    if (team_ == nullptr) team_ = std::make_unique<BorrowedTeam>(context_.threads());
    return **team_;
}

void* Workspace::reserve(std::int64_t wanted, const Context& context) {
    if (begin != nullptr && wanted <= bytes) return begin;
    *this = {};
    memory = Array::zeros(ElementType::uint8, std::max<std::int64_t>(wanted, 1) + alignment,
                          context, "a workspace");
    const auto address = reinterpret_cast<std::uintptr_t>(memory.mutable_data());
    const std::uintptr_t aligned = (address + alignment - 1) / alignment * alignment;
    begin = static_cast<char*>(memory.mutable_data()) + (aligned - address);
    bytes = wanted;
    return begin;
}

void* workspace(Worker* worker, std::int64_t slot, std::int64_t bytes) {
    const auto place = static_cast<std::size_t>(slot);
    if (place >= worker->workspaces.size()) worker->workspaces.resize(place + 1);
    return worker->workspaces[place].reserve(bytes, worker->context);
}

} // namespace tropic::cpu
