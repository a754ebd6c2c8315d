#include <charconv>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/json_output.h"
#include "cli/outputs.h"
#include "cli/part_files.h"
#include "cli/text_output.h"

namespace tropic::cli {

namespace {

/// Parts shown in the table of a terminal; JSON and the output files hold all of them.
constexpr std::size_t most_parts_shown = 32;

struct PartitionCommand {
    std::string graph;
    Index parts = 0;
    std::string method = "metis";
    std::string balance;
    std::string grid;
    double imbalance = 0.03;
    std::string output;
    std::string lists;
    ShapeOptions shape;
};

[[noreturn]] void refuse(std::string message, std::string accepted) {
    throw Error(
        {.code = ErrorCode::usage, .message = std::move(message), .accepted = std::move(accepted)});
}

PartitionOptions partition_options(const PartitionCommand& command, std::uint64_t seed) {
    PartitionOptions options;
    options.parts = command.parts;
    options.imbalance = command.imbalance;
    options.seed = seed;
    if (!parse_partition_method(command.method, options.method)) {
        refuse(fmt::format("--method does not know '{}'", command.method), "metis, scotch, 1d, 2d");
    }
    const bool blocks =
        options.method == PartitionMethod::block_1d || options.method == PartitionMethod::block_2d;
    if (!command.balance.empty() && !blocks) refuse("--balance goes with --method 1d or 2d", "");
    if (!command.balance.empty() && !parse_block_balance(command.balance, options.balance)) {
        refuse(fmt::format("--balance does not know '{}'", command.balance),
               "vertices, random, entries");
    }
    if (!command.grid.empty()) {
        if (options.method != PartitionMethod::block_2d) refuse("--grid goes with --method 2d", "");
        const std::string& text = command.grid;
        const char* end = text.data() + text.size();
        const auto rows = std::from_chars(text.data(), end, options.grid_rows);
        const char* columns_begin = rows.ptr == end ? end : rows.ptr + 1;
        const auto columns = std::from_chars(columns_begin, end, options.grid_cols);
        if (rows.ec != std::errc{} || rows.ptr == end || *rows.ptr != 'x' ||
            columns.ec != std::errc{} || columns.ptr != end) {
            refuse(fmt::format("--grid does not understand '{}'", text),
                   "ROWSxCOLUMNS, such as 38x38");
        }
    }
    return options;
}

std::string parts_table(const Partition& partition) {
    const bool has_vertices = !partition.vertices_of_part.empty();
    std::string out =
        fmt::format("\n  {:<14}{:>12}{:>14}\n", "part", has_vertices ? "vertices" : "", "entries");
    const std::size_t count = partition.entries_of_part.size();
    for (std::size_t p = 0; p < std::min(count, most_parts_shown); ++p) {
        out += fmt::format("  {:<14}{:>12}{:>14}\n", p,
                           has_vertices ? std::to_string(partition.vertices_of_part[p]) : "",
                           partition.entries_of_part[p]);
    }
    if (count > most_parts_shown) {
        out += fmt::format("  ... {} more; --json shows all\n", count - most_parts_shown);
    }
    return out;
}

void run_partition(const PartitionCommand& command, const RunOptions& run_options) {
    Run run(run_options);
    const PartitionOptions options = partition_options(command, run_options.seed);
    const std::vector<OutputFile> files = {{"-o", command.output}, {"--lists", command.lists}};
    check_outputs(files, run_options.json, run.context());
    require_not_read(files, {command.graph});
    const Graph graph = run.load(command.graph, command.shape);
    const Partition result = partition(graph, options, run.context());
    if (!command.output.empty()) write_parts(graph, result, command.output, run.context());
    if (!command.lists.empty()) write_part_lists(graph, result, command.lists, run.context());
    run.show_files();
    run.finish_progress();
    if (run_options.json) {
        Json json = {{"graph", describe(graph)},
                     {"method", name_of(result.options.method)},
                     {"parts", result.parts},
                     {"quality", quality_json(graph, result)},
                     {"vertices_of_part", result.vertices_of_part},
                     {"entries_of_part", result.entries_of_part},
                     {"steps", to_json(result.steps)},
                     {"warnings", result.warnings}};
        if (result.options.method == PartitionMethod::block_2d) {
            json["grid"] = {result.options.grid_rows, result.options.grid_cols};
        }
        fmt::print("{}\n", dump(json));
        return;
    }
    run.warn(graph.warnings);
    run.warn(result.warnings);
    if (is_standard_output(command.output) || is_standard_output(command.lists)) return;
    std::vector<Step> steps = graph.steps;
    steps.insert(steps.end(), result.steps.begin(), result.steps.end());
    fmt::print("{}{}{}{}", graph_text(graph), partition_text(graph, result), parts_table(result),
               steps_text(steps));
    if (!command.output.empty()) fmt::print("\n{}", row("written", command.output));
    if (!command.lists.empty()) fmt::print("{}", row("written", command.lists));
}

} // namespace

void add_partition(CLI::App& program, Shared& shared) {
    auto options = std::make_shared<PartitionCommand>();
    CLI::App* command = program.add_subcommand("partition", "Cut a graph into parts");
    command->add_option("GRAPH", options->graph, "A file or a generator expression")->required();
    command->add_option("K", options->parts, "How many parts")->required();
    command->add_option("--method", options->method, "How to cut (default: metis)")
        ->type_name("metis|scotch|1d|2d");
    command
        ->add_option("--balance", options->balance, "1d, 2d: what every block has equally many of")
        ->type_name("vertices|random|entries");
    command->add_option("--grid", options->grid, "2d: rows and columns of blocks")
        ->type_name("RxC");
    command
        ->add_option("--imbalance", options->imbalance,
                     "metis, scotch: share by which a part may be too heavy (default: 0.03)")
        ->check(CLI::Range(0.0, 10.0).description(""));
    command->add_option(
        "-o,--output", options->output,
        "Write 'id part' for every vertex, in the ids of the source; 2d: 'row id part' "
        "and 'column id part'");
    command->add_option("--lists", options->lists,
                        "Write the local and foreign vertices and edges of every part, as JSON");
    options->shape.add_reading_to(*command);
    options->shape.add_shaping_to(*command);
    shared.run.add_to(*command);
    command->footer(R"(Examples:
  tropic partition mesh.graph 8                      eight parts with few edges between them
  tropic partition web.mtx 16 --method scotch -o web.parts
  tropic partition kron:16 1444 --method 2d --grid 38x38 --balance random
                                                     blocks of the matrix for a grid of tiles
  tropic partition mesh.graph 8 -o - | sort -k2n     the parts on standard output: no report then,
                                                     and --json is refused)");
    command->callback([options, &shared] { run_partition(*options, shared.run); });
}

} // namespace tropic::cli
