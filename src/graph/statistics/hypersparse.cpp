#include "graph/statistics/hypersparse.h"

#include "support/memory.h"
#include "support/parallel.h"

namespace tropic {

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

/// Every coordinate replaced by its rank among `ids`.
Array ranked(const Array& coordinates, const std::vector<Index>& ids, const Context& context) {
    Array result = Array::allocate(index_type_for(static_cast<Index>(ids.size())),
                                   coordinates.size(), context, "renumbered coordinates");
    visit_index(coordinates.type(), [&](auto from_tag) {
        using From = typename decltype(from_tag)::type;
        visit_index(result.type(), [&](auto to_tag) {
            using To = typename decltype(to_tag)::type;
            const auto from = coordinates.as<From>();
            const auto to = result.mutable_as<To>();
            parallel_ranges(context, coordinates.size(), 1 << 12, [&](Index begin, Index end) {
                for (Index e = begin; e < end; ++e) {
                    const auto found = std::lower_bound(ids.begin(), ids.end(), Index{from[e]});
                    to[e] = static_cast<To>(found - ids.begin());
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

} // namespace

Squeezed squeeze_if_hypersparse(const Tensor& matrix, const Context& context) {
    const Index entries = matrix.entries();
    const bool square = matrix.dim(0) == matrix.dim(1);
    // In csr all rows are there anyway; of a square one all vertices are.
    const bool only_cols = matrix.format() == Format::csr() && !square;
    const bool both = matrix.format() == Format::dcsr() || matrix.format() == Format::coo();
    const bool worth =
        mostly_empty(matrix.dim(1), entries) || (both && mostly_empty(matrix.dim(0), entries));
    if (!worth || !(only_cols || (both && matrix.sorted()))) return {matrix};

    const Array& outer = matrix.level(0).crd;
    const Array& inner = matrix.level(1).crd;
    const auto count = static_cast<std::uint64_t>(outer.size() + inner.size());
    const MemoryCharge charge(context.budget(), count * sizeof(Index) * 2, "the ids of vertices");
    std::vector<Index> rows;
    std::vector<Index> cols;
    append(cols, inner);
    if (both) append(square ? cols : rows, outer);
    make_distinct(cols);
    make_distinct(rows);
    if (square) rows = cols;

    std::vector<Level> levels = matrix.levels();
    levels[1].crd = ranked(inner, cols, context);
    std::vector<Index> shape = {matrix.dim(0), static_cast<Index>(cols.size())};
    if (both) {
        levels[0].crd = ranked(outer, rows, context);
        shape[0] = static_cast<Index>(rows.size());
    }
    const Index dropped_rows = matrix.dim(0) - shape[0];
    const Index dropped_cols = matrix.dim(1) - shape[1];
    return {Tensor(std::move(shape), matrix.format(), std::move(levels), matrix.values(),
                   matrix.unique(), matrix.sorted()),
            dropped_rows, dropped_cols};
}

} // namespace tropic
