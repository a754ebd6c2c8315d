#include <fmt/format.h>

#include "graph/derived/graph_cache.h"
#include "library/call.h"
#include "library/catalogue.h"
#include "tropic/algorithms/paths.h"

namespace tropic {

using library::array_of;
using library::report_of;

namespace {

const char* function_of(BfsMethod method) {
    switch (method) {
    case BfsMethod::levels:
        return "levels";
    case BfsMethod::parents:
        return "parents";
    case BfsMethod::reachability:
        return "reachability";
    case BfsMethod::path_counts:
        break;
    }
    return "path_counts";
}

/// Edges of length 0 may lead round in a circle, and parents with them.
void require_positive(const PreparedGraph& graph, const Context& context) {
    if (graph.graph().entries() == 0) return;
    const double least = graph.cache().value_range(context).least;
    if (least > 0) return;
    throw Error(ErrorCode::range,
                fmt::format("parents of sssp need edge values of more than 0, and {} has {}",
                            library::called(graph.graph()), least),
                "the method bellman_ford finds them for any values");
}

[[noreturn]] void refuse_delta() {
    const library::Entry& entry = *library::find_entry("sssp");
    library::refuse_option(entry, *entry.method("bellman_ford"), "delta");
}

const char* function_of(const SsspOptions& options) {
    if (options.method == SsspMethod::bellman_ford) {
        return options.parents ? "bellman_ford_tree" : "bellman_ford";
    }
    return options.parents ? "tree" : "delta_stepping";
}

} // namespace

BfsResult bfs(const PreparedGraph& graph, const BfsOptions& options, const Context& context) {
    library::require_method("bfs", options.method, BfsMethod::path_counts);
    require_square(graph.graph(), "bfs");
    library::check_source(graph.graph(), options.source);
    Arguments arguments{{"source", options.source}};
    if (options.method == BfsMethod::path_counts) arguments.set("exact", options.exact ? 1 : 0);
    const AlgorithmResult result =
        library::run({"bfs", function_of(options.method)}, graph, arguments, options.call, context);
    return {array_of(result, "level"), array_of(result, "parent"), array_of(result, "reached"),
            array_of(result, "paths"), report_of(result)};
}

SsspResult sssp(const PreparedGraph& graph, const SsspOptions& options, const Context& context) {
    library::require_method("sssp", options.method, SsspMethod::bellman_ford);
    require_square(graph.graph(), "sssp");
    library::check_source(graph.graph(), options.source);
    const bool any = options.method == SsspMethod::bellman_ford;
    Arguments arguments{{"source", options.source}};
    if (!any) arguments.set("delta", options.delta);
    else if (options.delta != 0) refuse_delta();
    const auto types = library::types_of_paths(graph, any, "sssp", context);
    if (options.parents && !any) require_positive(graph, context);
    AlgorithmResult result =
        library::run({.file = "sssp", .function = function_of(options), .types = types}, graph,
                     arguments, options.call, context);
    library::check_lengths(graph, result, "dist", "sssp", context);
    return {array_of(result, "dist"), array_of(result, "parent"), report_of(result)};
}

ApspResult apsp(const PreparedGraph& graph, const ApspOptions& options, const Context& context) {
    library::require_method("apsp", options.method, ApspMethod::floyd_warshall);
    require_square(graph.graph(), "apsp");
    const bool any = options.method == ApspMethod::floyd_warshall;
    const std::string type = library::length_type(graph, any, "apsp", context);
    AlgorithmResult result = library::run({.file = "apsp",
                                           .function = any ? "floyd_warshall" : "by_source",
                                           .types = {{"weight", type}}},
                                          graph, {}, options.call, context);
    library::check_lengths(graph, result, "D", "apsp", context);
    return {array_of(result, "D"), report_of(result)};
}

TopologicalSortResult topological_sort(const PreparedGraph& graph,
                                       const TopologicalSortOptions& options,
                                       const Context& context) {
    require_square(graph.graph(), "topological_sort");
    library::require_directed(graph.graph(), "topological_sort");
    const AlgorithmResult result =
        library::run({"topological_sort", "topological_sort"}, graph, {}, options.call, context);
    return {array_of(result, "position"), array_of(result, "level"), report_of(result)};
}

SpanningTreeResult spanning_tree(const PreparedGraph& graph, const SpanningTreeOptions& options,
                                 const Context& context) {
    library::require_method("spanning_tree", options.method, SpanningTreeMethod::prim);
    require_square(graph.graph(), "spanning_tree");
    library::require_finite(graph, "spanning_tree", context);
    const std::string type = library::length_type(graph, true, "spanning_tree", context);
    const AlgorithmResult result =
        library::run({.file = "spanning_tree",
                      .function = options.method == SpanningTreeMethod::prim ? "prim" : "boruvka",
                      .types = {{"weight", type}}},
                     graph, {}, options.call, context);
    return {array_of(result, "from"), array_of(result, "to"), result.number("total"),
            result.integer("trees"), report_of(result)};
}

} // namespace tropic
