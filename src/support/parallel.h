// Parallel loops on a context's threads. The only header that shows oneTBB to the rest of the code.
#pragma once

#include <algorithm>
#include <vector>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/task_arena.h>

#include "tropic/context.h"
#include "tropic/types.h"

namespace tropic {

/// The arena of the context's threads.
tbb::task_arena& arena_of(const Context& context);

/// Calls `body(begin, end)` on pieces of [0, count) of about `grain` elements, in parallel.
template <class Body>
void parallel_ranges(const Context& context, Index count, Index grain, const Body& body) {
    if (count <= 0) return;
    if (count <= grain || context.threads() == 1) {
        for (Index begin = 0; begin < count; begin += grain) {
            body(begin, std::min(count, begin + grain));
        }
        return;
    }
    arena_of(context).execute([&] {
        tbb::parallel_for(tbb::blocked_range<Index>(0, count, static_cast<std::size_t>(grain)),
                          [&](const auto& range) { body(range.begin(), range.end()); });
    });
}

/// Calls `body(i)` for every i in [0, count), each a task of its own: for few, coarse pieces.
template <class Body> void parallel_each(const Context& context, Index count, const Body& body) {
    if (count == 1 || context.threads() == 1) {
        for (Index i = 0; i < count; ++i) body(i);
        return;
    }
    arena_of(context).execute([&] {
        tbb::parallel_for(Index{0}, count, [&](Index i) { body(i); }, tbb::simple_partitioner{});
    });
}

/// Combines `body(begin, end)` of fixed pieces from left to right, so that the result does not
/// depend on the number of threads even where `combine` rounds.
template <class Value, class Body, class Combine>
Value parallel_combine(const Context& context, Index count, Index grain, Value identity,
                       const Body& body, const Combine& combine) {
    const Index pieces = count <= 0 ? 0 : (count + grain - 1) / grain;
    std::vector<Value> partial(static_cast<std::size_t>(pieces), identity);
    parallel_each(context, pieces, [&](Index piece) {
        const Index begin = piece * grain;
        partial[static_cast<std::size_t>(piece)] = body(begin, std::min(count, begin + grain));
    });
    Value result = identity;
    for (const Value& value : partial) result = combine(result, value);
    return result;
}

} // namespace tropic
