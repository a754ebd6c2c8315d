#include "graph/build/squeeze.h"

#include "support/memory.h"
#include "support/parallel.h"

namespace tropic::building {

namespace {

/// Below this, arrays over all rows and columns are no burden.
constexpr Index small_dimension = 1 << 20;

void append(std::vector<Index>& ids, const Array& coordinates) {
    visit_index(coordinates.type(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        const auto from = coordinates.as<T>();
        ids.insert(ids.end(), from.begin(), from.end());
    });
}

void make_distinct(std::vector<Index>& ids) {
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

/// Every coordinate replaced as `renumber` says, which stays below `extent`.
template <class Renumber>
Array renumbered(const Array& coordinates, Index extent, const Context& context,
                 const Renumber& renumber) {
    Array result = Array::allocate(index_type_for(std::max<Index>(extent - 1, 0)),
                                   coordinates.size(), context, "renumbered coordinates");
    visit_index(coordinates.type(), [&](auto from_tag) {
        using From = typename decltype(from_tag)::type;
        visit_index(result.type(), [&](auto to_tag) {
            using To = typename decltype(to_tag)::type;
            const auto from = coordinates.as<From>();
            const auto to = result.mutable_as<To>();
            parallel_ranges(context, coordinates.size(), 1 << 12, [&](Index begin, Index end) {
                for (Index e = begin; e < end; ++e) {
                    to[e] = static_cast<To>(renumber(Index{from[e]}));
                }
            });
        });
    });
    return result;
}

/// Whether arrays over a whole dimension would be much larger than the matrix itself.
bool mostly_empty(Index dimension, Index entries) {
    return dimension > small_dimension && dimension / 4 > entries;
}

Array array_of(const std::vector<Index>& ids, const Context& context) {
    Array result = Array::allocate(ElementType::int64, static_cast<Index>(ids.size()), context,
                                   "the ids of vertices");
    std::ranges::copy(ids, result.mutable_as<std::int64_t>().begin());
    return result;
}

} // namespace

Squeezed squeeze_if_hypersparse(const Tensor& matrix, Numbering numbering, const Context& context) {
    const bool alike = numbering == Numbering::alike;
    const bool outer_listed = matrix.level(0).kind != LevelKind::dense;
    const bool inner_listed = matrix.level(1).kind != LevelKind::dense;
    const auto outer = static_cast<std::size_t>(matrix.format().order[0]);
    const auto inner = static_cast<std::size_t>(matrix.format().order[1]);
    const Index entries = matrix.entries();
    const bool worth = (outer_listed && mostly_empty(matrix.shape()[outer], entries)) ||
                       mostly_empty(matrix.shape()[inner], entries);
    // A dense level has all its rows anyway, and then all vertices of rows and columns numbered
    // alike are there.
    if (!worth || !inner_listed || (!outer_listed && alike)) return {.matrix = matrix};

    std::vector<Level> levels = matrix.levels();
    const auto count = static_cast<std::uint64_t>(levels[0].crd.size() + levels[1].crd.size());
    const MemoryCharge charge(context.budget(), count * sizeof(Index) * 2, "the ids of vertices");
    std::vector<Index> ids[2]; // of the dimension
    append(ids[inner], levels[1].crd);
    if (outer_listed) append(ids[alike ? inner : outer], levels[0].crd);
    for (std::vector<Index>& some : ids) make_distinct(some);
    if (alike) ids[outer] = ids[inner];

    std::vector<Index> shape = matrix.shape();
    Squeezed result;
    Index* dropped[2] = {&result.dropped_rows, &result.dropped_cols};
    Array* stayed[2] = {&result.row_ids, &result.col_ids};
    const auto squeeze = [&](std::size_t level, std::size_t d) {
        const auto rank = [&](Index id) {
            return std::lower_bound(ids[d].begin(), ids[d].end(), id) - ids[d].begin();
        };
        const auto extent = static_cast<Index>(ids[d].size());
        levels[level].crd = renumbered(levels[level].crd, extent, context, rank);
        *dropped[d] = shape[d] - extent;
        *stayed[d] = array_of(ids[d], context);
        shape[d] = extent;
    };
    if (outer_listed) squeeze(0, outer);
    squeeze(1, inner);
    result.matrix = Tensor(std::move(shape), matrix.format(), std::move(levels), matrix.values(),
                           matrix.unique(), matrix.sorted());
    return result;
}

Tensor unsqueezed(const Tensor& matrix, const Squeezed& squeezed, const Context& context) {
    const Index dropped[2] = {squeezed.dropped_rows, squeezed.dropped_cols};
    const Array* stayed[2] = {&squeezed.row_ids, &squeezed.col_ids};
    std::vector<Level> levels = matrix.levels();
    std::vector<Index> shape = matrix.shape();
    for (std::size_t l = 0; l < levels.size(); ++l) {
        const auto d = static_cast<std::size_t>(matrix.format().order[l]);
        shape[d] += dropped[d];
        if (stayed[d]->empty()) continue;
        const auto ids = stayed[d]->as<std::int64_t>();
        levels[l].crd =
            renumbered(levels[l].crd, shape[d], context, [&](Index rank) { return ids[rank]; });
    }
    return {std::move(shape), matrix.format(), std::move(levels),
            matrix.values(),  matrix.unique(), matrix.sorted()};
}

} // namespace tropic::building
