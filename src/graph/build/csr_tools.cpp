#include "graph/build/csr_tools.h"

#include <cstring>

#include "tropic/coordinates.h"

namespace tropic::building {

Tensor sorted_csr(const Tensor& matrix, const Context& context) {
    if (matrix.sorted()) return convert(matrix, Format::csr(), context);
    return build(coordinates_of(matrix, context), Format::csr(), Duplicates::keep, context);
}

void put_back(Graph& graph, const Tensor& csr, const Context& context) {
    const Format format = graph.tensor.format();
    graph.tensor = {};
    graph.tensor = convert(csr, format, context);
}

void put_back(Graph& graph, const Tensor& csr, const Squeezed& squeezed, const Context& context) {
    put_back(graph, csr, context);
    graph.tensor = unsqueezed(graph.tensor, squeezed, context);
}

Array positions_from_counts(Array counts, const Context& context) {
    const auto starts = counts.mutable_as<std::int64_t>();
    for (Index row = 1; row < counts.size(); ++row) starts[row] += starts[row - 1];
    return cast(counts, index_type_for(starts[counts.size() - 1]), context);
}

Tensor filtered(const Tensor& csr, const Kept& keep, const Context& context) {
    return visit_csr(csr, [&](const auto& view) {
        using Crd = std::remove_cvref_t<decltype(view.crd[0])>;
        Array counts = Array::zeros(ElementType::int64, view.rows + 1, context, "row positions");
        const auto count = counts.mutable_as<std::int64_t>();
        for_row_ranges(context, view.pos, [&](Index begin, Index end) {
            for (Index row = begin; row < end; ++row) {
                Index kept = 0;
                for (Index p = view.pos[row]; p < view.pos[row + 1]; ++p) {
                    kept += keep(row, view.crd[p]) ? 1 : 0;
                }
                count[row + 1] = kept;
            }
        });
        std::vector<Level> levels(2);
        levels[1].kind = LevelKind::compressed;
        levels[1].pos = positions_from_counts(counts, context);
        const Index entries = count[view.rows];
        levels[1].crd =
            Array::allocate(csr.level(1).crd.type(), entries, context, "column indices");
        Array values = Array::allocate(csr.type(), entries, context, "values");
        const auto crd = levels[1].crd.mutable_as<Crd>();
        const std::size_t width = size_of(csr.type());
        const auto* from = static_cast<const std::byte*>(csr.values().data());
        auto* to = static_cast<std::byte*>(values.mutable_data());
        for_row_ranges(context, view.pos, [&](Index begin, Index end) {
            Index out = count[begin];
            for (Index row = begin; row < end; ++row) {
                for (Index p = view.pos[row]; p < view.pos[row + 1]; ++p) {
                    if (!keep(row, view.crd[p])) continue;
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

Array gathered(const Array& array, const Array& old_of, Index group, const Context& context) {
    if (array.empty()) return array;
    Array result = Array::allocate(array.type(), old_of.size() * group, context, "vertex weights");
    const std::size_t width = size_of(array.type()) * static_cast<std::size_t>(group);
    const auto* from = static_cast<const std::byte*>(array.data());
    auto* to = static_cast<std::byte*>(result.mutable_data());
    parallel_ranges(context, old_of.size(), 1 << 16, [&](Index begin, Index end) {
        for (Index v = begin; v < end; ++v) {
            std::memcpy(to + v * width, from + old_of.index_at(v) * width, width);
        }
    });
    return result;
}

} // namespace tropic::building
