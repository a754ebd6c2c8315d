// Vertex weights and sizes of a graph for METIS and SCOTCH.
#include <cmath>

#include <fmt/format.h>

#include "graph/partition/adjacency.h"
#include "support/parallel.h"
#include "tropic/error.h"

namespace tropic {

namespace {

/// What sums are scaled to if they are too large or not of integers: high enough to keep precision,
/// and rounding every vertex up still stays within 32 bits.
constexpr double scaled_sum = 1 << 29;

/// Column `c` of a vertex-major table of doubles.
struct Column {
    std::span<const double> table;
    int columns;
    int c;
    double operator[](Index v) const { return table[v * columns + c]; }
};

struct Totals {
    double sum = 0;
    bool integral = true;
};

Totals totals_of(const Column& weights, Index vertices, std::string_view what) {
    Totals totals;
    for (Index v = 0; v < vertices; ++v) {
        const double weight = weights[v];
        if (!(weight >= 0) || std::isinf(weight)) {
            throw Error({.code = ErrorCode::range,
                         .message = fmt::format("vertex {} has the {} {}", v, what, weight),
                         .accepted = "finite numbers from 0 on",
                         .hint = "partition into blocks, which need no weights"});
        }
        totals.sum += weight;
        totals.integral = totals.integral && weight == std::trunc(weight);
    }
    return totals;
}

double factor_for(const Totals& totals, std::string_view what, std::string_view library,
                  Partition& result) {
    if (totals.integral && totals.sum <= static_cast<double>(largest_weight_sum)) return 1;
    const double factor = scaled_sum / totals.sum;
    result.warnings.push_back(fmt::format(
        "{}s are scaled by {:.3g} for {}, which adds 32-bit integers", what, factor, library));
    return factor;
}

Array doubles_of(const Array& table, Index expected, std::string_view what,
                 const Context& context) {
    if (table.size() != expected) {
        throw Error(ErrorCode::inconsistent,
                    fmt::format("{} {}s instead of {}", table.size(), what, expected));
    }
    return cast(table, ElementType::float64, context);
}

void copy_scaled(const Column& from, double factor, std::span<std::int32_t> to, int columns,
                 int c) {
    const auto vertices = static_cast<Index>(to.size()) / columns;
    for (Index v = 0; v < vertices; ++v) {
        to[v * columns + c] = static_cast<std::int32_t>(std::llround(from[v] * factor));
    }
}

void take_weights(VertexWeights& weights, std::string_view library, const Graph& graph,
                  Partition& result, const Context& context) {
    constexpr std::string_view what = "vertex weight";
    const Index vertices = graph.vertices();
    const Array table =
        doubles_of(graph.vertex_weights, vertices * graph.constraints, what, context);
    std::vector<Column> used;
    std::vector<double> factors;
    for (int c = 0; c < graph.constraints; ++c) {
        const Column column = {table.as<double>(), graph.constraints, c};
        const Totals totals = totals_of(column, vertices, what);
        // Nothing can be balanced where every weight is 0, and both libraries divide by the sum.
        if (totals.sum == 0) continue;
        used.push_back(column);
        factors.push_back(factor_for(totals, what, library, result));
    }
    if (used.empty()) return;
    weights.constraints = static_cast<int>(used.size());
    weights.weights = Array::allocate(ElementType::int32, vertices * weights.constraints, context,
                                      "vertex weights to partition by");
    for (int c = 0; c < weights.constraints; ++c) {
        copy_scaled(used[c], factors[c], weights.weights.mutable_as<std::int32_t>(),
                    weights.constraints, c);
    }
}

} // namespace

VertexWeights vertex_weights_for(std::string_view library, const Graph& graph, Partition& result,
                                 const Context& context) {
    VertexWeights weights;
    if (graph.constraints > 0 && !graph.vertex_weights.empty()) {
        take_weights(weights, library, graph, result, context);
    }
    if (!graph.vertex_sizes.empty()) {
        constexpr std::string_view what = "vertex size";
        const Array table = doubles_of(graph.vertex_sizes, graph.vertices(), what, context);
        const Column column = {table.as<double>(), 1, 0};
        const Totals totals = totals_of(column, graph.vertices(), what);
        weights.sizes = Array::allocate(ElementType::int32, graph.vertices(), context,
                                        "vertex sizes to partition by");
        copy_scaled(column, factor_for(totals, what, library, result),
                    weights.sizes.mutable_as<std::int32_t>(), 1, 0);
    }
    return weights;
}

} // namespace tropic
