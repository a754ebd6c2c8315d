// Graphs made from a graph.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "graph/build/convert.h"
#include "graph/build/csr_tools.h"
#include "graph/derived/graph_cache.h"
#include "graph/derived/oriented.h"
#include "graph/derived/select_entries.h"
#include "support/parallel.h"
#include "tropic/error.h"
#include "tropic/transform.h"

namespace tropic::derived {

namespace {

struct TriangleName {
    std::string_view name;
    building::Kept keep;
};

constexpr std::array<TriangleName, 4> triangles = {{
    {"lower", {.below = true, .diagonal = true, .above = false}},
    {"upper", {.below = false, .diagonal = true, .above = true}},
    {"strict_lower", {.below = true, .diagonal = false, .above = false}},
    {"strict_upper", {.below = false, .diagonal = false, .above = true}},
}};

Tensor pattern_of(const Tensor& matrix) {
    return matrix.with_values(Array::allocate(ElementType::pattern, matrix.entries(), {}, ""));
}

/// A csr matrix that holds (j, i) wherever it holds (i, j), each once and no (i, i).
Tensor simple_pattern(const Graph& graph, const Tensor& csr, bool symmetric,
                      const Context& context) {
    Graph work;
    work.name = graph.name;
    work.tensor = pattern_of(csr);
    work.kind = symmetric ? EdgeKind::undirected : EdgeKind::directed;
    work = drop_self_loops(std::move(work), context);
    work = merge_duplicates(std::move(work), Duplicates::first, context);
    if (!symmetric) work = symmetrise(std::move(work), Duplicates::first, context);
    return building::sorted_csr(work.tensor, context);
}

} // namespace

bool GraphCache::has_loops(const Context& context) {
    if (!loops_) {
        loops_ = visit_csr(rows(context), [&](const auto& view) {
            return parallel_combine(
                context, std::min(view.rows, view.cols), Index{1} << 14, false,
                [&](Index begin, Index end) {
                    for (Index row = begin; row < end; ++row) {
                        const auto* const first = view.crd.data() + view.pos[row];
                        const auto* const last = view.crd.data() + view.pos[row + 1];
                        if (std::binary_search(first, last, row)) return true;
                    }
                    return false;
                },
                [](bool a, bool b) { return a || b; });
        });
    }
    return *loops_;
}

std::shared_ptr<GraphCache> GraphCache::made(Tensor csr, std::string_view name) const {
    Graph graph;
    graph.name = fmt::format("{}({})", name, graph_.name);
    graph.source = "derived";
    graph.tensor = std::move(csr);
    graph.ids = graph_.ids;
    return std::make_shared<GraphCache>(std::move(graph));
}

std::shared_ptr<GraphCache> GraphCache::make(std::string_view name, const Context& context) {
    if (name == "pattern") return shared_from_this();
    const Tensor& csr = rows(context);
    if (name == "transpose") {
        if (symmetric(true, context)) return shared_from_this();
        auto turned =
            made(building::relabelled_transpose(columns(!csr.is_pattern(), context)), name);
        std::ranges::reverse(turned->graph_.ids);
        turned->graph_.kind = graph_.kind;
        turned->columns_ = building::relabelled_transpose(csr);
        return turned;
    }
    for (const TriangleName& triangle : triangles) {
        if (name == triangle.name) {
            return made(building::filtered(csr, triangle.keep, context), name);
        }
    }
    require_square(graph_, fmt::format("{}(...)", name));
    if (name == "symmetrised") {
        if (symmetric(true, context)) return shared_from_this();
        Graph graph = graph_;
        graph.tensor = csr;
        return std::make_shared<GraphCache>(
            symmetrise(std::move(graph), Duplicates::first, context));
    }
    if (name == "simple") {
        const bool mirrored = symmetric(false, context);
        if (mirrored && csr.unique() && !has_loops(context)) return shared_from_this();
        auto simple = made(simple_pattern(graph_, csr, mirrored, context), name);
        simple->graph_.kind = EdgeKind::undirected;
        simple->loops_ = false;
        return simple;
    }
    if (name == "by_degree") {
        Graph graph = graph_;
        graph.tensor = csr;
        Array old_of = vertex_order(graph, Order::degree_descending, 1, context);
        auto renumbered = std::make_shared<GraphCache>(
            permute(std::move(graph), old_of, "renumbered by degree", context));
        renumbered->old_of_ = std::move(old_of);
        return renumbered;
    }
    if (name == "oriented") {
        const auto simple = derived("simple", context);
        Oriented oriented = orient(simple->rows(context), context);
        auto result = made(std::move(oriented.csr), name);
        result->loops_ = false;
        result->old_of_ = std::move(oriented.old_of);
        if (!graph_.ids.empty()) {
            result->graph_.ids.assign(2, graph_.ids[0].compose(result->old_of_, context));
        }
        return result;
    }
    throw Error(ErrorCode::unsupported, fmt::format("there is no graph {}(...)", name));
}

std::shared_ptr<GraphCache> GraphCache::subgraph(const std::uint64_t* bits,
                                                 const Context& context) {
    const std::scoped_lock lock(mutex_);
    const auto has = [bits](Index v) { return (bits[v / 64] >> (v % 64) & 1) != 0; };
    auto result =
        made(select_entries(rows(context), context,
                            [&](Index row, Index, Index col) { return has(row) && has(col); }),
             "subgraph");
    // Of edges that go both ways, both stay or none.
    result->graph_.kind = graph_.kind;
    return result;
}

std::shared_ptr<GraphCache> GraphCache::filter(const std::uint8_t* kept, const Context& context) {
    const std::scoped_lock lock(mutex_);
    return made(select_entries(rows(context), context,
                               [&](Index, Index entry, Index) { return kept[entry] != 0; }),
                "filter");
}

} // namespace tropic::derived
