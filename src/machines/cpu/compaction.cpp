// Very wide labels. Workspaces are as long as their label has values; where the tensors have far
// fewer entries than that, the coordinates that occur are numbered anew, in their order, for the
// time of one kernel.
#include <algorithm>

#include "machines/cpu/session.h"
#include "support/parallel.h"

namespace tropic::cpu {

namespace {

constexpr Index grain = 1 << 16;

/// Shorter workspaces are no burden: memory that is never touched costs nothing.
constexpr Index least_size = 1 << 26;

/// Worth it if at most one coordinate in so many can occur.
constexpr Index least_ratio = 16;

/// Every coordinate that occurs, once, ascending.
template <class T>
std::vector<Index> coordinates_of_levels(const std::vector<const Array*>& levels) {
    std::vector<Index> all;
    for (const Array* crd : levels) {
        const auto from = crd->as<T>();
        all.insert(all.end(), from.begin(), from.end());
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

/// The tensor with other coordinates in a level, whose dimension gets another size.
template <class Renumber>
Tensor renumbered(const Session& session, const Tensor& tensor, std::int64_t level, Index size,
                  const Renumber& renumber) {
    std::vector<Level> levels = tensor.levels();
    Array& crd = levels[static_cast<std::size_t>(level)].crd;
    Array fresh = Array::allocate(crd.type(), crd.size(), session.context(), "coordinates");
    visit_index(crd.type(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        const auto from = crd.as<T>();
        const auto to = fresh.mutable_as<T>();
        parallel_ranges(session.context(), crd.size(), grain, [&](Index begin, Index end) {
            for (Index e = begin; e < end; ++e) to[e] = static_cast<T>(renumber(from[e]));
        });
    });
    crd = std::move(fresh);
    std::vector<Index> shape = tensor.shape();
    shape[static_cast<std::size_t>(tensor.format().order[level])] = size;
    return {std::move(shape), tensor.format(), std::move(levels),
            tensor.values(),  tensor.unique(), tensor.sorted()};
}

} // namespace

void* compact(Session* session, std::int64_t count, TensorView** views, const std::int64_t* levels,
              std::int64_t* size) {
    if (*size < least_size) return nullptr;
    std::vector<const Array*> occurring;
    Index entries = 0;
    for (std::int64_t v = 0; v < count; ++v) {
        occurring.push_back(&stored(views[v]).tensor.level(static_cast<int>(levels[v])).crd);
        entries += occurring.back()->size();
    }
    if (entries > *size / least_ratio) return nullptr;
    auto made = std::make_unique<Compaction>();
    made->size = *size;
    visit_index(session->index_type(), [&](auto tag) {
        made->old_of = coordinates_of_levels<typename decltype(tag)::type>(occurring);
    });
    const std::vector<Index>& old_of = made->old_of;
    *size = static_cast<std::int64_t>(old_of.size());
    for (std::int64_t v = 0; v < count; ++v) {
        views[v] =
            adopt(*session,
                  renumbered(*session, stored(views[v]).tensor, levels[v], *size, [&](Index old) {
                      return std::lower_bound(old_of.begin(), old_of.end(), old) - old_of.begin();
                  }));
        made->views.push_back(views[v]);
    }
    session->compactions.push_back(std::move(made));
    return session->compactions.back().get();
}

TensorView* expand(Session* session, void* handle, TensorView* result, std::int64_t level) {
    if (handle == nullptr) return result;
    const auto at = std::ranges::find_if(session->compactions,
                                         [&](const auto& own) { return own.get() == handle; });
    for (TensorView* view : (*at)->views) release(session, view);
    if (level >= 0) {
        const std::vector<Index>& old_of = (*at)->old_of;
        TensorView* const compacted = result;
        result = adopt(*session, renumbered(*session, stored(compacted).tensor, level, (*at)->size,
                                            [&](Index fresh) { return old_of[fresh]; }));
        release(session, compacted);
    }
    session->compactions.erase(at);
    return result;
}

} // namespace tropic::cpu
