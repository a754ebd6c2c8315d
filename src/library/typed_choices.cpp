#include "library/call.h"
#include "tropic/algorithms/choices.h"

namespace tropic {

using library::array_of;
using library::report_of;

IndependentSetResult independent_set(const PreparedGraph& graph,
                                     const IndependentSetOptions& options, const Context& context) {
    require_square(graph.graph(), "independent_set");
    const AlgorithmResult result = library::run({"independent_set", "independent_set"}, graph,
                                                {{"seed", options.seed}}, options.call, context);
    return {array_of(result, "member"), result.integer("members"), report_of(result)};
}

ColouringResult colouring(const PreparedGraph& graph, const ColouringOptions& options,
                          const Context& context) {
    require_square(graph.graph(), "colouring");
    const AlgorithmResult result = library::run({"colouring", "colouring"}, graph,
                                                {{"seed", options.seed}}, options.call, context);
    return {array_of(result, "colour"), static_cast<int>(result.integer("colours")),
            report_of(result)};
}

MatchingResult matching(const PreparedGraph& graph, const MatchingOptions& options,
                        const Context& context) {
    require_square(graph.graph(), "matching");
    const AlgorithmResult result = library::run({"matching", "matching"}, graph,
                                                {{"seed", options.seed}}, options.call, context);
    return {array_of(result, "partner"), result.integer("pairs"), report_of(result)};
}

} // namespace tropic
