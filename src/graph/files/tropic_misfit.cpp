// Whether the arrays of a graph fit its shape and each other, by their sizes and ends alone. What a
// reader must know before anyone uses arrays of a file it has not verified, and what a writer must
// know to make no file that cannot be read.
#include <fmt/format.h>

#include "graph/files/tropic_description.h"
#include "support/counted.h"

namespace tropic::binary {

namespace {

bool is_index(const Array& array) {
    return array.type() == ElementType::int32 || array.type() == ElementType::int64;
}

/// Checks one level under `parents` positions and turns `parents` into its own positions.
std::string misfit_of_level(const Level& level, Index extent, Index& parents) {
    if (level.kind == LevelKind::dense) {
        if (__builtin_mul_overflow(parents, extent, &parents)) {
            return "is dense with more elements than 64 bits can count";
        }
        return {};
    }
    if (!is_index(level.crd)) {
        return fmt::format("has coordinates of type {}", name_of(level.crd.type()));
    }
    if (level.kind == LevelKind::singleton) {
        if (level.crd.size() == parents) return {};
        return fmt::format("has {} for {} above", counted(level.crd.size(), "coordinates"),
                           counted(parents, "positions"));
    }
    if (!is_index(level.pos)) {
        return fmt::format("has positions of type {}", name_of(level.pos.type()));
    }
    // `parents` is the size of an array in memory or a product checked above: compared without
    // adding one.
    if (level.pos.size() - 1 != parents) {
        return fmt::format("has {} for {} above, where there must be one more",
                           counted(level.pos.size(), "positions"), counted(parents, "rows"));
    }
    const Index first = level.pos.index_at(0);
    const Index last = level.pos.index_at(parents);
    if (first != 0 || last != level.crd.size()) {
        return fmt::format("has positions from {} to {} for {}", first, last,
                           counted(level.crd.size(), "coordinates"));
    }
    parents = level.crd.size();
    return {};
}

std::string misfit_of_tensor(const Tensor& tensor) {
    const auto rank = static_cast<std::size_t>(tensor.rank());
    const Format& format = tensor.format();
    if (format.levels.size() != rank || format.order.size() != rank ||
        tensor.levels().size() != rank) {
        return fmt::format("a tensor of rank {} has {}", rank,
                           counted(static_cast<Index>(tensor.levels().size()), "levels"));
    }
    for (const Index extent : tensor.shape()) {
        if (extent < 0) return fmt::format("a dimension has the size {}", extent);
    }
    // A tensor of rank 0 has no entries, not one.
    Index positions = rank == 0 ? 0 : 1;
    for (std::size_t l = 0; l < rank; ++l) {
        const Level& level = tensor.levels()[l];
        if (level.kind != format.levels[l]) return fmt::format("level {} is of another kind", l);
        const std::string misfit = misfit_of_level(level, tensor.dim(format.order[l]), positions);
        if (!misfit.empty()) return fmt::format("level {} {}", l, misfit);
    }
    if (tensor.values().size() != positions) {
        return fmt::format("{} for {}", counted(tensor.values().size(), "values"),
                           counted(positions, "entries"));
    }
    if (rank > 0 && tensor.is_pattern() && format.levels.back() == LevelKind::dense) {
        return "a dense tensor has no values";
    }
    return {};
}

std::string misfit_of_ids(const Graph& graph, std::size_t d) {
    const VertexIds& ids = graph.ids[d];
    const Index extent = graph.tensor.shape()[d];
    if (ids.is_offset()) {
        Index last = 0;
        if (extent == 0 || !__builtin_add_overflow(ids.offset(), extent - 1, &last)) return {};
        return fmt::format("the ids of {} start at {}, and the last is more than 64 bits hold",
                           counted(extent, "vertices"), ids.offset());
    }
    if (!is_index(ids.table()))
        return fmt::format("ids are of type {}", name_of(ids.table().type()));
    if (ids.table().size() == extent) return {};
    return fmt::format("{} for {}", counted(ids.table().size(), "ids"),
                       counted(extent, "vertices"));
}

} // namespace

std::string misfit_of(const Graph& graph) {
    if (std::string misfit = misfit_of_tensor(graph.tensor); !misfit.empty()) return misfit;
    if (!graph.ids.empty() && graph.ids.size() != graph.tensor.shape().size()) {
        return fmt::format("ids for {} of {}",
                           counted(static_cast<Index>(graph.ids.size()), "dimensions"),
                           graph.tensor.rank());
    }
    for (std::size_t d = 0; d < graph.ids.size(); ++d) {
        if (std::string misfit = misfit_of_ids(graph, d); !misfit.empty()) return misfit;
    }
    const Index vertices = graph.vertices();
    Index weights = 0;
    if (graph.constraints < 0 ||
        __builtin_mul_overflow(vertices, Index{graph.constraints}, &weights) ||
        graph.vertex_weights.size() != weights) {
        return fmt::format("{} for {} with {} each",
                           counted(graph.vertex_weights.size(), "vertex weights"),
                           counted(vertices, "vertices"), graph.constraints);
    }
    if (!graph.vertex_sizes.empty() && graph.vertex_sizes.size() != vertices) {
        return fmt::format("{} for {}", counted(graph.vertex_sizes.size(), "vertex sizes"),
                           counted(vertices, "vertices"));
    }
    for (const Array* array : {&graph.vertex_weights, &graph.vertex_sizes}) {
        if (array->type() == ElementType::pattern && !array->empty()) {
            return "vertex weights or sizes have no values";
        }
    }
    return {};
}

} // namespace tropic::binary
