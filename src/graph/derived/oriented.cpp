#include "graph/derived/oriented.h"

#include <algorithm>

#include "graph/build/csr_tools.h"
#include "support/parallel.h"

namespace tropic::derived {

namespace {

constexpr Index grain = 1 << 14;

/// Vertices by descending degree, equal ones in their order: by counting.
template <class Pos, class I>
void order_by_degree(std::span<const Pos> pos, std::span<I> old_of, std::span<I> new_of,
                     const Context& context) {
    const auto vertices = static_cast<Index>(old_of.size());
    const Pos longest = parallel_combine(
        context, vertices, grain, Pos{0},
        [&](Index begin, Index end) {
            Pos most = 0;
            for (Index v = begin; v < end; ++v) most = std::max<Pos>(most, pos[v + 1] - pos[v]);
            return most;
        },
        [](Pos a, Pos b) { return std::max(a, b); });
    std::vector<Index> places(static_cast<std::size_t>(longest) + 1);
    for (Index v = 0; v < vertices; ++v) ++places[longest - (pos[v + 1] - pos[v])];
    Index sum = 0;
    for (Index& place : places) sum += std::exchange(place, sum);
    for (Index v = 0; v < vertices; ++v) {
        const Index place = places[longest - (pos[v + 1] - pos[v])]++;
        new_of[v] = static_cast<I>(place);
        old_of[place] = static_cast<I>(v);
    }
}

} // namespace

Oriented orient(const Tensor& csr, const Context& context) {
    return visit_csr(csr, [&](const auto& view) -> Oriented {
        using Pos = std::remove_cvref_t<decltype(view.pos[0])>;
        using Crd = std::remove_cvref_t<decltype(view.crd[0])>;
        const Index vertices = view.rows;
        const ElementType type = element_type_of<Crd>();
        Array old_numbers = Array::allocate(type, vertices, context, "vertex numbers");
        Array new_numbers = Array::allocate(type, vertices, context, "vertex numbers");
        const auto old_of = old_numbers.mutable_as<Crd>();
        const auto new_of = new_numbers.mutable_as<Crd>();
        order_by_degree<Pos, Crd>(view.pos, old_of, new_of, context);

        // Half of the entries stay. Rows are looked at in their old order, which is that of memory.
        Array counts = Array::zeros(ElementType::int64, vertices + 1, context, "row positions");
        const auto count = counts.mutable_as<std::int64_t>();
        building::for_row_ranges(context, view.pos, [&](Index begin, Index end) {
            for (Index v = begin; v < end; ++v) {
                const Crd own = new_of[v];
                Index kept = 0;
                for (Index p = view.pos[v]; p < view.pos[v + 1]; ++p) {
                    kept += new_of[view.crd[p]] < own ? 1 : 0;
                }
                count[own + 1] = kept;
            }
        });
        std::vector<Level> levels(2);
        levels[1].kind = LevelKind::compressed;
        levels[1].pos = building::positions_from_counts(counts, context);
        const Index entries = count[vertices];
        levels[1].crd = Array::allocate(type, entries, context, "column indices");
        const auto crd = levels[1].crd.mutable_as<Crd>();
        building::for_row_ranges(context, view.pos, [&](Index begin, Index end) {
            for (Index v = begin; v < end; ++v) {
                const Crd own = new_of[v];
                Crd* const row = crd.data() + count[own];
                Crd* out = row;
                for (Index p = view.pos[v]; p < view.pos[v + 1]; ++p) {
                    const Crd other = new_of[view.crd[p]];
                    if (other < own) *out++ = other;
                }
                std::sort(row, out);
            }
        });
        Array values = Array::allocate(ElementType::pattern, entries, context, "");
        return {Tensor({vertices, vertices}, Format::csr(), std::move(levels), std::move(values),
                       true, true),
                std::move(old_numbers)};
    });
}

} // namespace tropic::derived
