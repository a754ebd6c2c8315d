#include "library/call.h"
#include "tropic/algorithms/ranks.h"

namespace tropic {

using library::array_of;
using library::report_of;

namespace {

/// Single precision ends where rounding is as large as what is asked for.
constexpr double finest_for_float = 1e-5;

PagerankResult ranks_of(const AlgorithmResult& result) {
    return {array_of(result, "rank"), static_cast<int>(result.integer("rounds")),
            result.number("change"), report_of(result)};
}

} // namespace

PagerankResult pagerank(const PreparedGraph& graph, const PagerankOptions& options,
                        const Context& context) {
    require_square(graph.graph(), "pagerank");
    return ranks_of(library::run(
        {.file = "pagerank",
         .function = "pagerank",
         .types = {{"real", options.tolerance < finest_for_float ? "double" : "float"}}},
        graph,
        {{"damping", options.damping}, {"tolerance", options.tolerance}, {"limit", options.limit}},
        options.call, context));
}

PagerankResult personalised_pagerank(const PreparedGraph& graph,
                                     const PersonalisedPagerankOptions& options,
                                     const Context& context) {
    require_square(graph.graph(), "personalised_pagerank");
    library::check_source(graph.graph(), options.source);
    return ranks_of(library::run({"personalised_pagerank", "personalised_pagerank"}, graph,
                                 {{"source", options.source},
                                  {"damping", options.damping},
                                  {"tolerance", options.tolerance},
                                  {"limit", options.limit}},
                                 options.call, context));
}

HitsResult hits(const PreparedGraph& graph, const HitsOptions& options, const Context& context) {
    require_square(graph.graph(), "hits");
    const AlgorithmResult result = library::run(
        {"hits", "hits"}, graph, {{"tolerance", options.tolerance}, {"limit", options.limit}},
        options.call, context);
    return {array_of(result, "hub"), array_of(result, "authority"),
            static_cast<int>(result.integer("rounds")), result.number("change"), report_of(result)};
}

KatzResult katz(const PreparedGraph& graph, const KatzOptions& options, const Context& context) {
    require_square(graph.graph(), "katz");
    const AlgorithmResult result = library::run({"katz", "katz"}, graph,
                                                {{"alpha", options.alpha},
                                                 {"beta", options.beta},
                                                 {"tolerance", options.tolerance},
                                                 {"limit", options.limit}},
                                                options.call, context);
    return {array_of(result, "centrality"), static_cast<int>(result.integer("rounds")),
            report_of(result)};
}

BetweennessResult betweenness(const PreparedGraph& graph, const BetweennessOptions& options,
                              const Context& context) {
    require_square(graph.graph(), "betweenness");
    Arguments arguments;
    if (options.samples != 0) {
        arguments.set("samples", options.samples).set("seed", options.seed);
    }
    const AlgorithmResult result =
        library::run({"betweenness", options.samples != 0 ? "sampled" : "exact"}, graph, arguments,
                     options.call, context);
    return {array_of(result, "centrality"), array_of(result, "source"), report_of(result)};
}

ClosenessResult closeness(const PreparedGraph& graph, const ClosenessOptions& options,
                          const Context& context) {
    require_square(graph.graph(), "closeness");
    const AlgorithmResult result =
        library::run({"closeness", "closeness"}, graph, {}, options.call, context);
    return {array_of(result, "centrality"), report_of(result)};
}

} // namespace tropic
