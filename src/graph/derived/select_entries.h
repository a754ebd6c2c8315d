// The entries of a csr matrix that a rule keeps.
#pragma once

#include <cstring>

#include "graph/build/csr_tools.h"

namespace tropic::derived {

/// Those for which keep(row, entry, column) holds, in their order. `keep` is asked twice.
template <class Keep>
Tensor select_entries(const Tensor& csr, const Context& context, const Keep& keep) {
    return visit_csr(csr, [&](const auto& view) {
        using Crd = std::remove_cvref_t<decltype(view.crd[0])>;
        Array counts = Array::zeros(ElementType::int64, view.rows + 1, context, "row positions");
        const auto count = counts.template mutable_as<std::int64_t>();
        building::for_row_ranges(context, view.pos, [&](Index begin, Index end) {
            for (Index row = begin; row < end; ++row) {
                for (Index p = view.pos[row]; p < view.pos[row + 1]; ++p) {
                    count[row + 1] += keep(row, p, static_cast<Index>(view.crd[p])) ? 1 : 0;
                }
            }
        });
        std::vector<Level> levels(2);
        levels[1].kind = LevelKind::compressed;
        levels[1].pos = building::positions_from_counts(counts, context);
        const Index entries = count[view.rows];
        levels[1].crd =
            Array::allocate(csr.level(1).crd.type(), entries, context, "column indices");
        Array values = Array::allocate(csr.type(), entries, context, "values");
        const auto crd = levels[1].crd.template mutable_as<Crd>();
        const std::size_t width = size_of(csr.type());
        const auto* from = static_cast<const std::byte*>(csr.values().data());
        auto* to = static_cast<std::byte*>(values.mutable_data());
        building::for_row_ranges(context, view.pos, [&](Index begin, Index end) {
            Index out = count[begin];
            for (Index row = begin; row < end; ++row) {
                for (Index p = view.pos[row]; p < view.pos[row + 1]; ++p) {
                    if (!keep(row, p, static_cast<Index>(view.crd[p]))) continue;
                    crd[out] = view.crd[p];
                    if (width > 0) std::memcpy(to + out * width, from + p * width, width);
                    ++out;
                }
            }
        });
        return Tensor(csr.shape(), csr.format(), std::move(levels), std::move(values), csr.unique(),
                      csr.sorted());
    });
}

} // namespace tropic::derived
