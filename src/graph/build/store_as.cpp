// Transforms that leave the entries and change how they are stored.
#include <fmt/format.h>

#include "tropic/error.h"
#include "tropic/transform.h"

namespace tropic {

Graph cast(Graph graph, ElementType type, const Context& context) {
    const auto& levels = graph.tensor.format().levels;
    if (type == ElementType::pattern && !levels.empty() && levels.back() == LevelKind::dense) {
        throw Error({.code = ErrorCode::unsupported,
                     .message = "a dense tensor cannot do without values",
                     .file = graph.name,
                     .accepted = "sparse formats",
                     .hint = "store it sparse first, such as csr"});
    }
    const ElementType before = graph.tensor.type();
    try {
        graph.tensor = graph.tensor.with_values(cast(graph.tensor.values(), type, context));
    } catch (const Error& error) {
        if (error.code() != ErrorCode::range) throw;
        Diagnostic misfit = error.diagnostic();
        misfit.file = graph.name;
        throw Error(std::move(misfit));
    }
    graph.steps.push_back({fmt::format("values from {} to {}", name_of(before), name_of(type)),
                           {{"entries", graph.entries()}}});
    return graph;
}

Graph store_as(Graph graph, const Format& format, const Context& context) {
    const Index before = graph.entries();
    graph.tensor = convert(graph.tensor, format, context);
    Step step{fmt::format("stored as {}", format.name()), {{"entries", before}}};
    if (graph.entries() != before) step.counts.emplace_back("stored", graph.entries());
    graph.steps.push_back(std::move(step));
    return graph;
}

} // namespace tropic
