// A sparse result on its way: every worker appends the entries of its chunks to buffers of its own
// and notes where each chunk began; in the end the pieces are put together in the order of the
// chunks. The first worker has the first chunks: its buffers become the result.
#pragma once

#include <array>
#include <vector>

#include "machines/cpu/growing_buffer.h"
#include "machines/cpu/runtime.h"
#include "machines/cpu/session.h"

namespace tropic::cpu {

inline constexpr int most_dimensions = 8;

/// On cache lines of its own: workers write to their buffers' sizes all the time.
struct alignas(64) WorkerEntries {
    EntryBuffer buffer = {};
    GrowingBuffer values;
    std::array<GrowingBuffer, most_dimensions> coordinates;

    /// A chunk's entries begin here and end where those of the next one in the list begin.
    struct Segment {
        std::int64_t chunk;
        Index begin;
    };
    std::vector<Segment> segments;
};

struct Entries {
    Session* session = nullptr;
    ElementType type = ElementType::float64;
    std::int64_t appended = 0; ///< bit d: coordinates of dimension d are
    bool counted = false;
    std::int64_t rows = 0;
    ExpectedEntries expected;
    Array row_counts; ///< of outermost coordinates; then their positions
    std::vector<WorkerEntries> workers;
};

} // namespace tropic::cpu
