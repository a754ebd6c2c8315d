// From one format to another, by the cheapest way there is: by nothing at all, by transposing, by
// taking levels apart and putting them together again, or by sorting.
#include "graph/build/convert.h"

#include <fmt/format.h>

#include "graph/build/assemble.h"
#include "graph/build/build.h"
#include "graph/build/expand.h"
#include "graph/build/list_block.h"
#include "graph/build/matrix_source.h"
#include "support/parallel.h"
#include "tropic/error.h"

namespace tropic {

namespace building {

bool is_csr_like(const Format& format) {
    return format.levels == std::vector{LevelKind::dense, LevelKind::compressed};
}

Tensor relabelled_transpose(const Tensor& matrix) {
    Format format = matrix.format();
    for (int& d : format.order) d = 1 - d;
    return Tensor({matrix.dim(1), matrix.dim(0)}, format, matrix.levels(), matrix.values(),
                  matrix.unique(), matrix.sorted());
}

Tensor with_sides_exchanged(const Tensor& matrix, const Context& context) {
    Format format = matrix.format();
    std::swap(format.order[0], format.order[1]);
    const Index rows = matrix.dim(format.order[0]);
    const Index cols = matrix.dim(format.order[1]);
    if (bits_below(rows) + bits_below(cols) > 64) {
        return build(coordinates_of(matrix, context), format, Duplicates::keep, context);
    }
    require_room(matrix.shape(), format, matrix.entries(), matrix.type(), context);
    MatrixSource source(matrix, MatrixSource::Side::columns, {});
    return build_csr(source, rows, cols, matrix.shape(), format, matrix.type(), Duplicates::keep,
                     {}, context, nullptr);
}

namespace {

/// The list without its zeros.
CoordinateList without_zeros(CoordinateList list, const Context& context) {
    parallel_each(context, static_cast<Index>(list.blocks.size()), [&](Index b) {
        CoordinateBlock& block = list.blocks[b];
        std::vector<Index> kept;
        visit_type(list.value_type, [&](auto tag) {
            using T = typename decltype(tag)::type;
            const auto values = block.values.as<T>();
            for (Index e = 0; e < block.size(); ++e) {
                if (values[e] != T{}) kept.push_back(e);
            }
            const auto pick = [&](const Array& from, auto type) {
                using Element = typename decltype(type)::type;
                Array to = Array::allocate(from.type(), static_cast<Index>(kept.size()), context,
                                           "a list of coordinates");
                const auto out = to.mutable_as<Element>();
                for (std::size_t k = 0; k < kept.size(); ++k) out[k] = from.as<Element>()[kept[k]];
                return to;
            };
            for (Array& coordinates : block.coordinates) {
                visit_index(list.index_type,
                            [&](auto index) { coordinates = pick(coordinates, index); });
            }
            block.values = pick(block.values, tag);
        });
    });
    return list;
}

bool has_dense_inside(const Format& format) {
    return !format.levels.empty() && format.levels.back() == LevelKind::dense;
}

} // namespace

} // namespace building

Tensor convert(const Tensor& tensor, const Format& format, const Context& context) {
    using namespace building;
    if (tensor.format() == format) return tensor;
    require_buildable(format, tensor.rank());
    require_room(tensor.shape(), format, tensor.entries(), tensor.type(), context);
    if (has_dense_inside(tensor.format()) && !has_dense_inside(format)) {
        return build(without_zeros(coordinates_of(tensor, context), context), format,
                     Duplicates::keep, context);
    }
    const bool same_order = tensor.format().order == format.order;
    if (same_order && tensor.sorted()) {
        return assemble(expanded(tensor, context), format, context);
    }
    if (is_csr_like(format) && is_csr_like(tensor.format())) {
        return with_sides_exchanged(tensor, context);
    }
    return build(coordinates_of(tensor, context), format, Duplicates::keep, context);
}

} // namespace tropic
