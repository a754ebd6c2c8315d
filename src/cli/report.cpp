#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/outputs.h"
#include "cli/text_output.h"
#include "graph/files/byte_sink.h"
#include "report/tile_report.h"

namespace tropic::cli {

namespace {

struct ReportOptions {
    std::string profile;
    std::string html;
    std::string trace;
};

void write_file(const std::string& path, const std::string& text, const Context& context) {
    const auto sink = create_file(path, false, context);
    sink->write(text);
    sink->commit();
}

void run_report(const ReportOptions& options, const RunOptions& run_options) {
    Run run(run_options);
    check_outputs({{"--html", options.html}, {"--trace", options.trace}}, run_options.json,
                  run.context());
    const tile::Profile profile = report::read_profile_json(options.profile);
    if (!options.html.empty()) {
        write_file(options.html, report::html_report(profile), run.context());
    }
    if (!options.trace.empty()) {
        write_file(options.trace, report::chrome_trace(profile), run.context());
    }
    run.show_files();
    if (run_options.json) {
        fmt::print("{}", report::summary_json(profile));
        return;
    }
    if (options.html.empty() && options.trace.empty()) {
        fmt::print("{}", report::text_summary(profile));
        return;
    }
    if (run_options.quiet) return;
    for (const std::string& path : {options.html, options.trace}) {
        if (!path.empty() && path != "-") fmt::print("{}", row("written", path));
    }
}

} // namespace

void add_report(CLI::App& program, Shared& shared) {
    auto options = std::make_shared<ReportOptions>();
    CLI::App* command =
        program.add_subcommand("report", "Where a run on a tile machine spent its time and memory");
    command->add_option("PROFILE", options->profile, "A profile, as a run with --profile writes it")
        ->required();
    command
        ->add_option("--html", options->html,
                     "Write one page with flame graph, steps, balance and memory")
        ->type_name("FILE");
    command
        ->add_option("--trace", options->trace,
                     "Write a trace for ui.perfetto.dev or chrome://tracing")
        ->type_name("FILE");
    shared.run.add_to(*command);
    command->footer(R"(Examples:
  tropic report bfs.json                      time by step, memory, rearrangements as text
  tropic report bfs.json --html bfs.html      the same as a page: flame graph of every tile
  tropic report bfs.json --trace bfs.trace.json   for Perfetto: a chip is a process, a tile a thread
  tropic report bfs.json --json | jq .balance     the figures for a program

Without --html, --trace or --json the summary is printed. Files appear whole or not at all, and
are compressed if their names end in .gz, .xz or .zst. docs/profile-format.md describes profiles.)");
    command->callback([options, &shared] { run_report(*options, shared.run); });
}

} // namespace tropic::cli
