// From an expression to a graph: the edges of the generator, built, with an account of what was
// done.
#include "tropic/generate.h"

#include <bit>

#include <fmt/format.h>

#include "graph/generators/registry.h"

namespace tropic {

namespace {

using generators::GeneratedEdges;

/// What happened before building.
std::vector<Step> first_steps(std::string_view generator, const GeneratedEdges& edges) {
    std::vector<Step> steps;
    Step generated{.what = fmt::format("generated {}", generator), .counts = {}};
    if (edges.seed_used) generated.counts.emplace_back("seed", std::bit_cast<Index>(edges.seed));
    generated.counts.emplace_back("vertices", edges.list.shape[0]);
    generated.counts.emplace_back("edges", edges.generated);
    steps.push_back(std::move(generated));
    if (edges.loops_dropped) {
        steps.push_back({"dropped self loops", {{"edges", edges.loops}}});
    }
    if (edges.kind == EdgeKind::undirected) {
        steps.push_back({"stored both directions", {{"entries", edges.list.entries()}}});
    }
    return steps;
}

} // namespace

bool is_generator_expression(std::string_view text) {
    const auto colon = text.find(':');
    return colon != std::string_view::npos &&
           generators::find_generator(text.substr(0, colon)) != nullptr;
}

Graph generate(std::string_view expression, const GenerateOptions& options,
               const Context& context) {
    GeneratedEdges edges = generators::generate_edges(expression, options, context);
    Graph graph;
    graph.name = expression;
    graph.source = expression.substr(0, expression.find(':'));
    graph.kind = edges.kind;
    graph.ids = {VertexIds(0), VertexIds(0)};
    graph.steps = first_steps(graph.source, edges);
    BuildReport report;
    graph.tensor = build(std::move(edges.list), Format::csr(), edges.duplicates, context, &report);
    if (edges.duplicates != Duplicates::keep) {
        graph.steps.push_back(
            {"merged duplicates", {{"merged", report.merged}, {"entries", graph.entries()}}});
    }
    return graph;
}

std::span<const GeneratorHelp> generator_help() {
    static const std::vector<GeneratorHelp> help = [] {
        std::vector<GeneratorHelp> lines;
        for (const generators::Generator& generator : generators::all_generators()) {
            lines.push_back(generator.help);
        }
        return lines;
    }();
    return help;
}

} // namespace tropic
