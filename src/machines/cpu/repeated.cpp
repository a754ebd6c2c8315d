// Dense tensors that are the same along some dimensions: stored once for all of their coordinates.
#include <algorithm>

#include "machines/cpu/session_loops.h"

namespace tropic::cpu {

namespace {

constexpr Index grain = 1 << 16;

} // namespace

TensorView* repeat(Session* session, TensorView* view, const FormatView* format,
                   const std::int64_t* sizes) {
    stored(view).own_values = false;
    StoredTensor* const made = adopt(*session, stored(view).tensor);
    for (std::int64_t level = made->rank; level < format->rank; ++level) {
        made->level_views.push_back({sizes[level - made->rank], nullptr, nullptr});
    }
    made->levels = made->level_views.data();
    made->rank = format->rank;
    made->repeated_order.assign(format->order, format->order + format->rank);
    return made;
}

Tensor every_place(Session& session, const StoredTensor& repeated) {
    const Tensor& once = repeated.tensor;
    const std::size_t rank = repeated.level_views.size();
    std::vector<Index> shape(rank);
    Format format;
    format.levels.assign(rank, LevelKind::dense);
    format.order = repeated.repeated_order;
    for (std::size_t level = 0; level < rank; ++level) {
        const Index size = repeated.level_views[level].size;
        shape[static_cast<std::size_t>(format.order[level])] = size;
    }
    Array values = dense_values(session, once.type(), shape);
    Index times = values.empty() ? 0 : 1; // a factor of the number of places, which was counted
    for (auto level = static_cast<std::size_t>(once.rank()); level < rank; ++level) {
        times *= repeated.level_views[level].size;
    }
    visit_type(once.type(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        const auto from = once.values().as<T>();
        const auto to = values.mutable_as<T>();
        session_ranges(session, once.entries(),
                       std::max<Index>(grain / std::max<Index>(times, 1), 1),
                       [&](Index begin, Index end) {
                           for (Index place = begin; place < end; ++place) {
                               std::fill_n(to.begin() + place * times, times, from[place]);
                           }
                       });
    });
    return {std::move(shape),
            std::move(format),
            std::vector<Level>(rank),
            std::move(values),
            true,
            true};
}

} // namespace tropic::cpu
