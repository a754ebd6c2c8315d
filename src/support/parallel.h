// Parallel loops on a context's threads. Bodies are called through a reference, once for each
// piece, so that a loop costs nothing to compile and no file but parallel.cpp sees oneTBB.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "tropic/context.h"
#include "tropic/types.h"

namespace tropic {

namespace detail {

/// What a loop calls: `body(object, begin, end)`.
using RangeBody = void (*)(const void* object, Index begin, Index end);
void run_ranges(const Context& context, Index count, Index grain, const void* object,
                RangeBody body);
void run_pieces(const Context& context, Index count, const void* object, RangeBody body);

} // namespace detail

/// Calls `body(begin, end)` on pieces of [0, count) of about `grain` elements, in parallel.
template <class Body>
void parallel_ranges(const Context& context, Index count, Index grain, const Body& body) {
    detail::run_ranges(context, count, grain, &body,
                       [](const void* object, Index begin, Index end) {
                           (*static_cast<const Body*>(object))(begin, end);
                       });
}

/// Calls `body(i)` for every i in [0, count), each a task of its own: for few, coarse pieces.
template <class Body> void parallel_each(const Context& context, Index count, const Body& body) {
    detail::run_pieces(context, count, &body, [](const void* object, Index piece, Index) {
        (*static_cast<const Body*>(object))(piece);
    });
}

/// Combines `body(begin, end)` of fixed pieces from left to right, so that the result does not
/// depend on the number of threads even where `combine` rounds.
template <class Value, class Body, class Combine>
Value parallel_combine(const Context& context, Index count, Index grain, Value identity,
                       const Body& body, const Combine& combine) {
    const Index pieces = count <= 0 ? 0 : (count + grain - 1) / grain;
    // Objects of their own, so that threads may write them at the same time: the elements of a
    // vector of bool share bytes.
    struct Slot {
        Value value;
    };
    std::vector<Slot> partial(static_cast<std::size_t>(pieces), Slot{identity});
    parallel_each(context, pieces, [&](Index piece) {
        const Index begin = piece * grain;
        partial[piece].value = body(begin, std::min(count, begin + grain));
    });
    Value result = identity;
    for (const Slot& slot : partial) result = combine(result, slot.value);
    return result;
}

/// Sorts int64 elements ascending.
void parallel_sort(const Context& context, std::int64_t* begin, std::int64_t* end);

/// How many items `ordered_pipeline` keeps under way.
inline std::size_t pipeline_slots(const Context& context) {
    return context.threads() == 1 ? 1 : static_cast<std::size_t>(context.threads()) * 2;
}

/// Takes items through three stages, each item in one of `pipeline_slots` slots that are used again
/// once it is finished: `take(slot)` one at a time, false when there is no more; `work(slot)` in
/// parallel; `finish(slot)` one at a time, in the order taken. The failure nearest the first item
/// is thrown, after the items before it were finished.
void ordered_pipeline(const Context& context, const std::function<bool(std::size_t slot)>& take,
                      const std::function<void(std::size_t slot)>& work,
                      const std::function<void(std::size_t slot)>& finish);

} // namespace tropic
