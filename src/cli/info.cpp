#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/json_output.h"
#include "cli/text_output.h"

namespace tropic::cli {

namespace {

struct InfoOptions {
    std::string graph;
    bool quick = false;
    ShapeOptions shape;
};

void run_info(const InfoOptions& options, const RunOptions& run_options) {
    Run run(run_options);
    const Graph graph = run.load(options.graph, options.shape, !options.quick);
    std::optional<Statistics> statistics;
    if (!options.quick && graph.tensor.rank() == 2) {
        statistics = statistics_of(graph.tensor, run.context());
    }
    run.finish_progress();
    if (run_options.json) {
        Json json = describe(graph);
        if (statistics) json["statistics"] = to_json(*statistics, graph.is_square());
        fmt::print("{}\n", dump(json));
        return;
    }
    run.warn(graph.warnings);
    fmt::print("{}{}{}", graph_text(graph),
               statistics ? statistics_text(*statistics, graph.is_square()) : "",
               steps_text(graph.steps));
}

} // namespace

void add_info(CLI::App& program, Shared& shared) {
    auto options = std::make_shared<InfoOptions>();
    CLI::App* command = program.add_subcommand("info", "What is in a graph: size, degrees, values");
    command
        ->add_option("GRAPH", options->graph, "A file, or a generator expression such as kron:16")
        ->required();
    command->add_flag("--quick", options->quick,
                      "Sizes only: no statistics, and .tg files open without reading their data");
    options->shape.add_reading_to(*command);
    options->shape.add_shaping_to(*command);
    shared.run.add_to(*command);
    command->footer(R"(Examples:
  tropic info web.mtx                      size, degrees, symmetry of a Matrix Market file
  tropic info wiki-Vote.txt.gz --json      the same of a compressed edge list, for a program
  tropic info kron:16                      of a generated Kronecker graph with 2^16 vertices
  tropic info web.mtx --symmetrise --drop-loops   of the graph after these changes)");
    command->callback([options, &shared] { run_info(*options, shared.run); });
}

} // namespace tropic::cli
