#include "support/parallel.h"

#include <exception>
#include <mutex>
#include <numeric>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/parallel_sort.h>

#include "support/arena.h"
#include "support/handover.h"

namespace tropic {

namespace detail {

void run_ranges(const Context& context, Index count, Index grain, const void* object,
                RangeBody body) {
    if (count <= 0) return;
    if (count <= grain || context.threads() == 1) {
        for (Index begin = 0; begin < count; begin += std::min(grain, count - begin)) {
            body(object, begin, begin + std::min(grain, count - begin));
        }
        return;
    }
    Handover start;
    Handover end;
    const TakenBack at_the_end(end);
    start.give();
    arena_of(context).execute([&] {
        tbb::parallel_for(tbb::blocked_range<Index>(0, count, static_cast<std::size_t>(grain)),
                          [&](const auto& range) {
                              const Handed handed(start, end);
                              body(object, range.begin(), range.end());
                          });
    });
}

void run_pieces(const Context& context, Index count, const void* object, RangeBody body) {
    if (count <= 1 || context.threads() == 1) {
        for (Index i = 0; i < count; ++i) body(object, i, i + 1);
        return;
    }
    Handover start;
    Handover end;
    const TakenBack at_the_end(end);
    start.give();
    arena_of(context).execute([&] {
        tbb::parallel_for(
            Index{0}, count,
            [&](Index i) {
                const Handed handed(start, end);
                body(object, i, i + 1);
            },
            tbb::simple_partitioner{});
    });
}

} // namespace detail

void parallel_sort(const Context& context, std::int64_t* begin, std::int64_t* end) {
#ifdef TROPIC_THREAD_SANITIZER
    // Which task sorts what comes after which is not to be seen from outside.
    static_cast<void>(context);
    std::sort(begin, end);
#else
    arena_of(context).execute([&] { tbb::parallel_sort(begin, end); });
#endif
}

void ordered_pipeline(const Context& context, const std::function<bool(std::size_t)>& take,
                      const std::function<void(std::size_t)>& work,
                      const std::function<void(std::size_t)>& finish) {
    if (context.threads() == 1) {
        while (take(0)) {
            work(0);
            finish(0);
        }
        return;
    }
    // A slot is free again only after its finish, so none is ever in two places at once; the
    // pipeline's tokens bound how many are taken.
    const std::size_t slots = pipeline_slots(context);
    std::vector<std::exception_ptr> errors(slots);
    std::vector<std::size_t> free(slots);
    std::iota(free.begin(), free.end(), 0);
    std::mutex mutex;
    std::exception_ptr take_error;
    // Of the stages that take one item at a time, of each item on its way, and of all there was.
    Handover taking;
    Handover finishing;
    Handover all;
    std::vector<Handover> items(slots);
    taking.give();
    finishing.give();
    const auto input = [&](tbb::flow_control& control) -> std::size_t {
        const Handed stage(taking, taking);
        const Handed back(taking, all);
        std::size_t slot = 0;
        {
            const std::scoped_lock lock(mutex);
            slot = free.back();
            free.pop_back();
        }
        const Handed item(items[slot], items[slot]);
        try {
            if (take(slot)) return slot;
        } catch (...) {
            take_error = std::current_exception();
        }
        control.stop();
        return slot;
    };
    const auto middle = [&](std::size_t slot) {
        const Handed item(items[slot], items[slot]);
        const Handed back(items[slot], all);
        try {
            work(slot);
        } catch (...) {
            errors[slot] = std::current_exception();
        }
        return slot;
    };
    const auto output = [&](std::size_t slot) {
        const Handed stage(finishing, finishing);
        const Handed back(finishing, all);
        const Handed item(items[slot], items[slot]);
        if (errors[slot]) std::rethrow_exception(errors[slot]);
        finish(slot);
        const std::scoped_lock lock(mutex);
        free.push_back(slot);
    };
    const auto run = [&] {
        using Slot = std::size_t;
        tbb::parallel_pipeline(
            slots, tbb::make_filter<void, Slot>(tbb::filter_mode::serial_in_order, input) &
                       tbb::make_filter<Slot, Slot>(tbb::filter_mode::parallel, middle) &
                       tbb::make_filter<Slot, void>(tbb::filter_mode::serial_in_order, output));
    };
    {
        const TakenBack at_the_end(all);
        arena_of(context).execute(run);
    }
    // What could not be taken lies behind everything that was finished.
    if (take_error) std::rethrow_exception(take_error);
}

} // namespace tropic
