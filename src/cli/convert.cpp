#include <filesystem>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/id_map.h"
#include "cli/json_output.h"
#include "cli/outputs.h"
#include "cli/text_output.h"
#include "graph/files/reader.h"
#include "support/memory.h"

namespace tropic::cli {

namespace {

struct ConvertOptions {
    std::string input;
    std::string output;
    std::string output_format;
    bool new_ids = false;
    std::string map; ///< the file for the way back to the ids of the source
    ShapeOptions shape;
};

WriteOptions write_options(const ConvertOptions& options) {
    WriteOptions write;
    write.original_ids = !options.new_ids;
    if (!options.output_format.empty()) {
        FileFormat format{};
        if (!parse_file_format(options.output_format, format)) {
            throw Error({.code = ErrorCode::usage,
                         .message = fmt::format("--to does not know '{}'", options.output_format),
                         .accepted = "mtx, el, metis, dimacs, gset, gap, tns, tg"});
        }
        write.format = format;
    }
    return write;
}

/// A map leads back from the numbers of the output; refused before anything is read.
void check_map(const ConvertOptions& options, FileFormat format) {
    if (options.map.empty() || format != FileFormat::edge_list || options.new_ids) return;
    throw Error({.code = ErrorCode::usage,
                 .message = "edge lists keep the ids of the source, and need no map",
                 .hint = "leave --map out, or add --new-ids"});
}

std::uintmax_t size_of_file(const std::string& path) {
    std::error_code error;
    const auto size = std::filesystem::file_size(path, error);
    return error ? 0 : size;
}

void run_convert(const ConvertOptions& options, const RunOptions& run_options) {
    Run run(run_options);
    const WriteOptions write = write_options(options);
    const FileFormat format = format_of_output(options.output, write);
    check_outputs({{"OUT", options.output}, {"--map", options.map}}, run_options.json,
                  run.context());
    // OUT may be IN itself, which is read by then.
    require_not_read({{"--map", options.map}}, {options.input});
    check_map(options, format);
    const Graph graph = run.load(options.input, options.shape);
    const std::vector<std::string> remarks =
        write_graph(graph, options.output, write, run.context());
    if (!options.map.empty()) write_id_map(graph, format, options.map, run.context());
    run.show_files();
    run.finish_progress();
    const std::uintmax_t bytes = size_of_file(options.output);
    if (run_options.json) {
        Json json = describe(graph);
        json["written"] = {{"file", options.output}, {"bytes", bytes}, {"remarks", remarks}};
        fmt::print("{}\n", dump(json));
        return;
    }
    run.warn(graph.warnings);
    run.warn(remarks);
    // Standard output may be the file itself.
    if (is_standard_output(options.output) || is_standard_output(options.map)) return;
    fmt::print("{}{}{}", graph_text(graph),
               row("written", fmt::format("{}, {}", options.output, bytes_text(bytes))),
               steps_text(graph.steps));
}

void add_output_options(CLI::App& command, ConvertOptions& options) {
    command.add_option("--to", options.output_format, "Format of the output, if not by its suffix")
        ->type_name("mtx|el|metis|dimacs|gset|gap|tns|tg");
    command.add_flag("--new-ids", options.new_ids,
                     "Edge lists: write vertices as numbered here, not by the ids of the source");
    command
        .add_option("--map", options.map,
                    "Write 'number id' for every vertex: its number in OUT, its id in the source")
        ->type_name("FILE");
}

} // namespace

void add_convert(CLI::App& program, Shared& shared) {
    auto options = std::make_shared<ConvertOptions>();
    CLI::App* command =
        program.add_subcommand("convert", "Read a graph, reshape it if wanted, write it");
    command->add_option("IN", options->input, "A file or a generator expression")->required();
    command
        ->add_option(
            "OUT", options->output,
            "The file to write; its suffix names the format, and .gz, .xz or .zst after it "
            "compress; - is standard output, with --to and without --json")
        ->required();
    add_output_options(*command, *options);
    options->shape.add_reading_to(*command);
    options->shape.add_shaping_to(*command);
    shared.run.add_to(*command);
    command->footer(R"(Examples:
  tropic convert web.txt web.mtx                     edge list to Matrix Market
  tropic convert web.mtx web.tg                      to Tropic's binary format, which opens at once
  tropic convert web.txt web.graph --symmetrise --drop-loops --duplicates first
                                                     to METIS, which wants a simple undirected graph
  tropic convert roads.gr.xz roads.wel.zst           compressed in, compressed out
  tropic convert web.txt web.mtx --drop-isolated --map web.ids
                                                     with the way back to the ids of web.txt

The file appears whole or not at all.)");
    command->callback([options, &shared] { run_convert(*options, shared.run); });
}

void add_generate(CLI::App& program, Shared& shared) {
    auto options = std::make_shared<ConvertOptions>();
    CLI::App* command = program.add_subcommand("generate", "Make a graph and write it");
    command->add_option("SPEC", options->input, "A generator expression; see tropic generators")
        ->required();
    command->add_option("OUT", options->output, "The file to write; its suffix names the format")
        ->required();
    add_output_options(*command, *options);
    options->shape.add_shaping_to(*command);
    shared.run.add_to(*command);
    command->footer(R"(Examples:
  tropic generate kron:20 kron20.tg                  Graph500 Kronecker graph, 2^20 vertices
  tropic generate grid:1000x1000,weights=1..255 grid.gr   a weighted grid for shortest paths
  tropic generate delaunay:2^18 mesh.graph --seed 7  a triangulation of random points

The same expression and seed give the same graph on every machine.)");
    command->callback([options, &shared] {
        if (!is_generator_expression(options->input)) {
            throw Error(
                {.code = ErrorCode::usage,
                 .message = fmt::format("'{}' is not a generator expression", options->input),
                 .accepted = "name:arguments, such as kron:16 or grid:100x100",
                 .hint = "tropic generators lists them; tropic convert reads files"});
        }
        run_convert(*options, shared.run);
    });
}

} // namespace tropic::cli
