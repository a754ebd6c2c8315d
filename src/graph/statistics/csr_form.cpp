#include "graph/statistics/csr_form.h"

#include <limits>
#include <numeric>

#include "support/parallel.h"
#include "tropic/coordinates.h"

namespace tropic {

namespace {

constexpr Index grain = 1 << 14;

/// Positions of all rows, given the positions of the stored ones (their ids ascend): what lies
/// between two stored rows starts where the later one starts.
template <class Id, class Start>
Array spread_positions(std::span<const Id> ids, const Start& start, Index rows, Index entries,
                       const Context& context) {
    // As many rows as 64 bits count are refused, with or without the one more that is no number.
    const Index positions = rows + (rows < std::numeric_limits<Index>::max() ? 1 : 0);
    Array result =
        Array::allocate(index_type_for(entries), positions, context, "row positions of the matrix");
    visit_index(result.type(), [&](auto tag) {
        using Pos = typename decltype(tag)::type;
        const auto pos = result.mutable_as<Pos>();
        const auto count = static_cast<Index>(ids.size());
        parallel_ranges(context, count + 1, grain, [&](Index begin, Index end) {
            for (Index r = begin; r < end; ++r) {
                const Index first = r == 0 ? 0 : ids[r - 1] + Index{1};
                const Index last = r == count ? rows : static_cast<Index>(ids[r]);
                const auto value = static_cast<Pos>(r == count ? entries : start(r));
                for (Index i = first; i <= last; ++i) pos[i] = value;
            }
        });
    });
    return result;
}

Tensor with_positions(const Tensor& matrix, Array positions) {
    std::vector<Level> levels(2);
    levels[1] = {LevelKind::compressed, std::move(positions), matrix.level(1).crd};
    return {matrix.shape(),  Format::csr(),   std::move(levels),
            matrix.values(), matrix.unique(), matrix.sorted()};
}

Tensor csr_of_dcsr(const Tensor& matrix, const Context& context) {
    const Level& outer = matrix.level(0);
    const Level& inner = matrix.level(1);
    Array positions = visit_index(outer.crd.type(), [&](auto id_tag) {
        using Id = typename decltype(id_tag)::type;
        return visit_index(inner.pos.type(), [&](auto pos_tag) {
            using Pos = typename decltype(pos_tag)::type;
            const auto pos = inner.pos.as<Pos>();
            return spread_positions(
                outer.crd.as<Id>(), [&](Index r) { return pos[r]; }, matrix.dim(0),
                matrix.entries(), context);
        });
    });
    return with_positions(matrix, std::move(positions));
}

/// Every entry is a stored row of its own; of equal neighbours only the first has rows to write.
Tensor csr_of_coo(const Tensor& matrix, const Context& context) {
    const Level& outer = matrix.level(0);
    Array positions = visit_index(outer.crd.type(), [&](auto id_tag) {
        using Id = typename decltype(id_tag)::type;
        return spread_positions(
            outer.crd.as<Id>(), [](Index e) { return e; }, matrix.dim(0), matrix.entries(),
            context);
    });
    return with_positions(matrix, std::move(positions));
}

Array gather(const Array& values, std::span<const Index> from, const Context& context) {
    Array result = Array::allocate(values.type(), values.size(), context, "sorted values");
    if (values.type() == ElementType::pattern) return result;
    visit_type(values.type(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        const auto in = values.as<T>();
        const auto out = result.mutable_as<T>();
        parallel_ranges(context, values.size(), grain, [&](Index begin, Index end) {
            for (Index e = begin; e < end; ++e) out[e] = in[from[e]];
        });
    });
    return result;
}

} // namespace

Tensor sort_rows(const Tensor& matrix, const Context& context) {
    if (matrix.sorted()) return matrix;
    Array from = Array::allocate(ElementType::int64, matrix.entries(), context, "order of entries");
    Array sorted = Array::allocate(matrix.level(1).crd.type(), matrix.entries(), context,
                                   "sorted coordinates");
    const auto order = from.mutable_as<Index>();
    visit_csr(matrix, [&]<class Pos, class Crd>(const CsrView<Pos, Crd>& view) {
        const auto out = sorted.mutable_as<Crd>();
        parallel_ranges(context, view.rows, 1 << 8, [&](Index begin, Index end) {
            for (Index i = begin; i < end; ++i) {
                const auto row = order.subspan(view.pos[i], view.pos[i + 1] - view.pos[i]);
                std::iota(row.begin(), row.end(), Index{view.pos[i]});
                std::sort(row.begin(), row.end(), [&](Index a, Index b) {
                    return view.crd[a] != view.crd[b] ? view.crd[a] < view.crd[b] : a < b;
                });
                for (Index e = view.pos[i]; e < view.pos[i + 1]; ++e) out[e] = view.crd[order[e]];
            }
        });
    });
    std::vector<Level> levels = matrix.levels();
    levels[1].crd = std::move(sorted);
    return {matrix.shape(),    matrix.format(),
            std::move(levels), gather(matrix.values(), order, context),
            matrix.unique(),   true};
}

Tensor sorted_csr(const Tensor& matrix, const Context& context) {
    if (matrix.format() == Format::csr()) return sort_rows(matrix, context);
    if (matrix.sorted()) {
        if (matrix.format() == Format::dcsr()) return csr_of_dcsr(matrix, context);
        if (matrix.format() == Format::coo()) return csr_of_coo(matrix, context);
    }
    return sort_rows(convert(matrix, Format::csr(), context), context);
}

} // namespace tropic
