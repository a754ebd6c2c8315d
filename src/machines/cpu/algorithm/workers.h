// The workers of a run and the state of the loop they are at. They keep their buffers from loop to
// loop, so that a loop allocates nothing once it has run a few times.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "machines/cpu/algorithm/algorithm_runtime.h"
#include "machines/cpu/algorithm/member_list.h"
#include "machines/cpu/algorithm/sharing.h"
#include "machines/cpu/growing_buffer.h"
#include "machines/cpu/loops.h"

namespace tropic::cpu {

/// On a cache line of its own: the length of a list that several threads append to.
struct alignas(64) SharedLength {
    std::atomic<std::int64_t> value{0};
};

/// An item of a bucket outside the window of bins.
struct FarItem {
    std::int64_t bucket;
    std::int64_t item;
};

/// Items that lie side by side.
struct ItemList {
    void* items;
    std::int64_t count;
};

/// Memory for the items of bins: blocks of powers of two, used again.
class BinMemory {
  public:
    explicit BinMemory(const Context& context) : context_(context) {}

    /// Gives the bin room for twice what it has, or for a first few items, keeping them.
    void grow(Bin& bin, std::size_t item_bytes);
    void give_back(Bin& bin, std::size_t item_bytes);

  private:
    static constexpr int classes = 48;
    static int class_of(std::size_t bytes);

    void* cut(std::size_t bytes);

    Context context_;
    std::array<std::vector<void*>, classes> free_;
    std::vector<Array> arrays_;
    std::byte* next_ = nullptr; ///< what is left of the last one
    std::size_t left_ = 0;
    std::size_t total_ = 0;
};

/// Memory for entries of a graph that is being built.
struct RowBlock {
    Array columns;
    Array values; ///< bytes
    std::int64_t capacity = 0;
};

/// What a worker has claimed (claims.h) beside what is in its appender: full blocks of items, each
/// with a block of what they were given behind it.
struct ClaimedItems {
    GrowingBuffer full;
    std::vector<std::int64_t> counts; ///< of the items in each
    std::int64_t left = 0;            ///< items of all of them whose claims count
};

/// One thread's turn at loops.
struct alignas(64) LoopWorker : WorkerView {
    explicit LoopWorker(const Context& context) : WorkerView{}, memory(context) {
        sorting.context = context;
    }

    std::vector<Appender> appender_list;
    std::vector<std::vector<std::byte>> buffers; ///< of parallel loops, by insert
    std::vector<ClaimedItems> claimed;           ///< likewise
    std::vector<Workspace> workspaces;           ///< by slot

    // Ordered frontiers.
    BinMemory memory;
    std::vector<Bin> bin_list;
    std::vector<FarItem> far;
    MemberList found_list; ///< of BucketsView::find

    // Graphs that are built (rows.h).
    std::vector<RowBlock> row_blocks;
    std::int64_t chunk = 0;       ///< whose rows come now
    std::int64_t chunk_begin = 0; ///< where they begin in the last block
    Worker sorting;               ///< what sort_coordinates needs
};

/// Entries that lie side by side.
struct RowPiece {
    const void* columns;
    const void* values;
    std::int64_t count;
};

/// A graph that a loop builds.
struct RowState {
    std::int64_t variable = -1;
    std::int64_t rows = 0;
    std::size_t value_bytes = 0; ///< 0: a pattern
    Array pos;
    std::vector<std::vector<RowPiece>> pieces; ///< by chunk, in the order of its rows
};

/// What is kept of a loop for the next time it runs: where its pieces begin, if it runs over as
/// much again, and whether sharing it pays.
struct LoopPlan {
    const void* pos = nullptr;
    std::int64_t count = -1;
    std::vector<std::int64_t> bounds;
    Sharing sharing;
};

struct LoopState {
    const InsertView* inserts = nullptr;
    std::int32_t insert_count = 0;
    std::deque<SharedLength> lengths; ///< by insert
    std::vector<std::pair<const EachView*, LoopPlan>> plans;
    Workspace partials;
    RowState rows;
};

} // namespace tropic::cpu
