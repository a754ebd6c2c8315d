#include "tropic/graph.h"
#include "support/counted.h"

#include <fmt/format.h>

#include "support/parallel.h"
#include "tropic/error.h"

namespace tropic {

Index VertexIds::find(Index id, Index count) const noexcept {
    if (table_.empty()) {
        // Compared without subtracting: the offset may be near the ends of the range.
        Index vertex = 0;
        if (__builtin_sub_overflow(id, offset_, &vertex)) return -1;
        return vertex >= 0 && vertex < count ? vertex : -1;
    }
    return visit_index(table_.type(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        const auto table = table_.as<T>();
        const auto found = std::find(table.begin(), table.end(), id);
        return found == table.end() ? Index{-1} : static_cast<Index>(found - table.begin());
    });
}

VertexIds VertexIds::compose(const Array& old_of, const Context& context) const {
    Array table = Array::allocate(ElementType::int64, old_of.size(), context, "vertex ids");
    const auto ids = table.mutable_as<std::int64_t>();
    parallel_ranges(context, old_of.size(), 1 << 16, [&](Index begin, Index end) {
        for (Index v = begin; v < end; ++v) ids[v] = (*this)[old_of.index_at(v)];
    });
    return VertexIds(std::move(table));
}

std::string_view name_of(EdgeKind kind) noexcept {
    switch (kind) {
    case EdgeKind::directed:
        return "directed";
    case EdgeKind::undirected:
        return "undirected";
    case EdgeKind::undirected_once:
        return "undirected, each edge listed once";
    case EdgeKind::bipartite:
        break;
    }
    return "bipartite";
}

void require_matrix(const Graph& graph, std::string_view purpose) {
    if (graph.tensor.rank() == 2) return;
    throw Error({
        .code = ErrorCode::unsupported,
        .message = fmt::format("{} needs a matrix, and this is a tensor of rank {}", purpose,
                               graph.tensor.rank()),
        .file = graph.name,
        .accepted = "a graph or matrix",
    });
}

void require_square(const Graph& graph, std::string_view purpose) {
    require_matrix(graph, purpose);
    if (graph.is_square()) return;
    if (graph.kind == EdgeKind::bipartite) {
        throw Error({
            .code = ErrorCode::unsupported,
            .message = fmt::format("{} needs a graph of one kind of vertices, and this one is "
                                   "bipartite",
                                   purpose),
            .file = graph.name,
            .accepted = "rows and columns that are the same vertices",
            .hint = "read it without --bipartite if they are",
        });
    }
    throw Error({
        .code = ErrorCode::unsupported,
        .message = fmt::format("{} needs a square matrix, and this one has {} and {}", purpose,
                               counted(graph.tensor.dim(0), "rows"),
                               counted(graph.tensor.dim(1), "columns")),
        .file = graph.name,
        .accepted = "as many rows as columns",
    });
}

} // namespace tropic
