#include "library/call.h"
#include "tropic/algorithms/neighbours.h"

namespace tropic {

using library::array_of;
using library::report_of;

namespace {

const char* function_of(TrianglesMethod method) {
    switch (method) {
    case TrianglesMethod::fastest:
        return "fastest";
    case TrianglesMethod::burkhardt:
        return "burkhardt";
    case TrianglesMethod::cohen:
        return "cohen";
    case TrianglesMethod::sandia_ll:
        return "sandia_ll";
    case TrianglesMethod::sandia_uu:
        break;
    }
    return "sandia_uu";
}

} // namespace

TrianglesResult triangles(const PreparedGraph& graph, const TrianglesOptions& options,
                          const Context& context) {
    library::require_method("triangles", options.method, TrianglesMethod::sandia_uu);
    require_square(graph.graph(), "triangles");
    const AlgorithmResult result =
        library::run({"triangles", function_of(options.method)}, graph, {}, options.call, context);
    return {result.integer("triangles"), report_of(result)};
}

ClusteringResult clustering(const PreparedGraph& graph, const ClusteringOptions& options,
                            const Context& context) {
    require_square(graph.graph(), "clustering");
    const AlgorithmResult result =
        library::run({"clustering", "clustering"}, graph, {}, options.call, context);
    return {array_of(result, "coefficient"), result.number("mean"), report_of(result)};
}

KCoreResult k_core(const PreparedGraph& graph, const KCoreOptions& options,
                   const Context& context) {
    require_square(graph.graph(), "k_core");
    const AlgorithmResult result =
        library::run({"k_core", "k_core"}, graph, {}, options.call, context);
    return {array_of(result, "core"), static_cast<int>(result.integer("degeneracy")),
            report_of(result)};
}

KTrussResult k_truss(const PreparedGraph& graph, const KTrussOptions& options,
                     const Context& context) {
    library::require_simple(graph.graph(), "k_truss", context);
    const AlgorithmResult result =
        library::run({"k_truss", "k_truss"}, graph, {{"k", options.k}}, options.call, context);
    return {array_of(result, "support"), result.integer("edges_left"), report_of(result)};
}

JaccardResult jaccard(const PreparedGraph& graph, const JaccardOptions& options,
                      const Context& context) {
    library::require_simple(graph.graph(), "jaccard", context);
    const AlgorithmResult result =
        library::run({"jaccard", "jaccard"}, graph, {}, options.call, context);
    return {array_of(result, "similarity"), report_of(result)};
}

} // namespace tropic
