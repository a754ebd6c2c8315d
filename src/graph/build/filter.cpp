// Transforms that only leave entries out or merge them.
#include <fmt/format.h>

#include "graph/build/combine.h"
#include "graph/build/csr_tools.h"
#include "tropic/transform.h"

namespace tropic {

namespace {

Graph keep_entries(Graph graph, std::string what, const building::Kept& keep,
                   const Context& context) {
    const building::Squeezed squeezed =
        building::squeeze_if_hypersparse(graph.tensor, building::Numbering::alike, context);
    const Tensor csr = convert(squeezed.matrix, Format::csr(), context);
    const Tensor result = building::filtered(csr, keep, context);
    graph.steps.push_back({std::move(what),
                           {{"entries", csr.entries()},
                            {"dropped", csr.entries() - result.entries()},
                            {"kept", result.entries()}}});
    if (result.entries() != csr.entries()) building::put_back(graph, result, squeezed, context);
    return graph;
}

} // namespace

Graph drop_self_loops(Graph graph, const Context& context) {
    require_square(graph, "dropping self loops");
    return keep_entries(std::move(graph), "dropped self loops",
                        {.below = true, .diagonal = false, .above = true}, context);
}

Graph triangle(Graph graph, Triangle which, const Context& context) {
    require_matrix(graph, "taking a triangle");
    // Of edges stored both ways, a triangle has each once.
    if (graph.kind == EdgeKind::undirected) graph.kind = EdgeKind::undirected_once;
    const bool lower = which == Triangle::lower || which == Triangle::strictly_lower;
    const bool strict = which == Triangle::strictly_lower || which == Triangle::strictly_upper;
    return keep_entries(
        std::move(graph),
        fmt::format("{}{} triangle", strict ? "strictly " : "", lower ? "lower" : "upper"),
        {.below = lower, .diagonal = !strict, .above = !lower}, context);
}

Graph merge_duplicates(Graph graph, Duplicates rule, const Context& context) {
    BuildReport report{.entries_in = graph.entries(), .merged = 0};
    if (!graph.tensor.unique() && rule != Duplicates::keep) {
        const Format format = graph.tensor.format();
        CoordinateList list = coordinates_of(graph.tensor, context);
        graph.tensor = {};
        graph.tensor = build(std::move(list), format, rule, context, &report);
    }
    graph.steps.push_back({fmt::format("merged duplicates ({})", name_of(rule)),
                           {{"entries", report.entries_in},
                            {"merged", report.merged},
                            {"kept", report.entries_in - report.merged}}});
    building::warn_of_lost_counts(graph, rule, report.merged);
    return graph;
}

} // namespace tropic
