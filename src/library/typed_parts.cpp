#include "library/call.h"
#include "tropic/algorithms/parts.h"

namespace tropic {

using library::array_of;
using library::report_of;

namespace {

bool stores_both_directions(const PreparedGraph& graph) {
    return graph.graph().kind == EdgeKind::undirected;
}

} // namespace

ComponentsResult components(const PreparedGraph& graph, const ComponentsOptions& options,
                            const Context& context) {
    library::require_method("components", options.method, ComponentsMethod::label_minimum);
    require_square(graph.graph(), "components");
    const char* function = options.method == ComponentsMethod::label_minimum ? "label_minimum"
                           : stores_both_directions(graph)                   ? "undirected"
                                                                             : "components";
    const AlgorithmResult result =
        library::run({"components", function}, graph, {}, options.call, context);
    return {array_of(result, "component"), report_of(result)};
}

ComponentsResult strong_components(const PreparedGraph& graph,
                                   const StrongComponentsOptions& options, const Context& context) {
    require_square(graph.graph(), "strong_components");
    const AlgorithmResult result =
        library::run({"strong_components", "strong_components"}, graph, {}, options.call, context);
    return {array_of(result, "component"), report_of(result)};
}

LabelPropagationResult label_propagation(const PreparedGraph& graph,
                                         const LabelPropagationOptions& options,
                                         const Context& context) {
    require_square(graph.graph(), "label_propagation");
    const AlgorithmResult result = library::run(
        {"label_propagation", stores_both_directions(graph) ? "undirected" : "label_propagation"},
        graph, {{"limit", options.limit}}, options.call, context);
    return {array_of(result, "label"), static_cast<int>(result.integer("rounds")),
            report_of(result)};
}

LouvainResult louvain(const PreparedGraph& graph, const LouvainOptions& options,
                      const Context& context) {
    library::require_undirected(graph.graph(), "louvain", context);
    static_cast<void>(library::length_type(graph, false, "louvain", context));
    const AlgorithmResult result = library::run(
        {"louvain", "louvain"}, graph, {{"tolerance", options.tolerance}}, options.call, context);
    return {array_of(result, "community"), result.number("modularity"),
            static_cast<int>(result.integer("levels")), report_of(result)};
}

} // namespace tropic
