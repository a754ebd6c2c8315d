// tropic graph500: the benchmark, with the output its specification asks for.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/json_output.h"
#include "library/graph500.h"

namespace tropic::cli {

namespace {

using library::Graph500Options;
using library::Graph500Search;

struct Spread {
    double least = 0;
    double first_quartile = 0;
    double median = 0;
    double third_quartile = 0;
    double largest = 0;
    double mean = 0;
    double deviation = 0;
};

double quantile(const std::vector<double>& sorted, double share) {
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

/// `harmonic`: mean and deviation of rates, the latter as the specification has it.
Spread spread_of(std::vector<double> values, bool harmonic) {
    Spread spread;
    if (values.empty()) return spread;
    std::ranges::sort(values);
    spread = {.least = values.front(),
              .first_quartile = quantile(values, 0.25),
              .median = quantile(values, 0.5),
              .third_quartile = quantile(values, 0.75),
              .largest = values.back()};
    const auto count = static_cast<double>(values.size());
    double mean = 0;
    for (const double value : values) mean += (harmonic ? 1 / value : value) / count;
    double squares = 0;
    for (const double value : values) {
        const double off = (harmonic ? 1 / value : value) - mean;
        squares += off * off;
    }
    const double deviation = values.size() > 1 ? std::sqrt(squares / (count - 1)) : 0;
    spread.mean = harmonic ? 1 / mean : mean;
    spread.deviation =
        harmonic && count > 1 ? deviation / (mean * mean * std::sqrt(count - 1)) : deviation;
    return spread;
}

template <class Value>
Spread spread_of(const std::vector<Graph500Search>& searches, bool harmonic, const Value& value) {
    std::vector<double> values;
    values.reserve(searches.size());
    for (const Graph500Search& search : searches) values.push_back(value(search));
    return spread_of(std::move(values), harmonic);
}

/// The names of the figures of a spread, in their order.
std::vector<std::pair<std::string, double>> figures(std::string_view what, const Spread& spread,
                                                    bool harmonic) {
    const std::string_view prefix = harmonic ? "harmonic_" : "";
    return {{fmt::format("min_{}", what), spread.least},
            {fmt::format("firstquartile_{}", what), spread.first_quartile},
            {fmt::format("median_{}", what), spread.median},
            {fmt::format("thirdquartile_{}", what), spread.third_quartile},
            {fmt::format("max_{}", what), spread.largest},
            {fmt::format("{}mean_{}", prefix, what), spread.mean},
            {fmt::format("{}stddev_{}", prefix, what), spread.deviation}};
}

std::vector<std::pair<std::string, double>>
kernel_figures(const std::vector<Graph500Search>& searches) {
    std::vector<std::pair<std::string, double>> all;
    const auto add = [&](std::string_view what, bool harmonic, const auto& value) {
        const auto more = figures(what, spread_of(searches, harmonic, value), harmonic);
        all.insert(all.end(), more.begin(), more.end());
    };
    const auto edges = [](const Graph500Search& s) { return static_cast<double>(s.edges); };
    add("time", false, [](const Graph500Search& s) { return s.seconds; });
    add("nedge", false, edges);
    add("TEPS", true, [&](const Graph500Search& s) { return edges(s) / s.seconds; });
    add("validate", false, [](const Graph500Search& s) { return s.validate_seconds; });
    return all;
}

void print_line(std::string_view label, const std::string& value) {
    fmt::print("{:<32}{}\n", fmt::format("{}:", label), value);
}

/// What only kernel 3 has a use for, where that is left out, was meant for something else.
void require_kernel_3(const Graph500Options& options) {
    if (options.paths || options.delta == 0) return;
    throw Error(
        {.code = ErrorCode::usage,
         .message = "--delta is the width of a step of kernel 3, which --bfs-only leaves out",
         .hint = "leave out one of them"});
}

void run_graph500(Graph500Options options, double timeout, const RunOptions& run_options) {
    Run run(run_options, {.seconds = timeout, .what = "graph500"});
    options.seed = run_options.seed;
    options.progress = [&](int kernel, int done) {
        run.context().report(kernel == 2 ? "breadth-first searches" : "shortest paths",
                             static_cast<std::uint64_t>(done),
                             static_cast<std::uint64_t>(options.keys));
    };
    const library::Graph500Result result = library::run_graph500(options, run.context());
    run.finish_progress();
    constexpr std::size_t wanted = 64;
    if (result.bfs.size() < wanted) {
        run.warn({fmt::format("the specification wants {} searches, and these are {}", wanted,
                              result.bfs.size())});
    }
    const auto bfs = kernel_figures(result.bfs);
    const auto sssp = kernel_figures(result.sssp);
    if (run_options.json) {
        Json json = {
            {"SCALE", options.scale},    {"edgefactor", options.edge_factor},
            {"NBFS", result.bfs.size()}, {"graph_generation", result.generation_seconds},
            {"num_mpi_processes", 1},    {"construction_time", result.construction_seconds}};
        for (const auto& [name, value] : bfs) json["bfs"][name] = value;
        if (options.paths) {
            for (const auto& [name, value] : sssp) json["sssp"][name] = value;
        }
        fmt::print("{}\n", dump(json));
        return;
    }
    print_line("SCALE", std::to_string(options.scale));
    print_line("edgefactor", std::to_string(options.edge_factor));
    print_line("NBFS", std::to_string(result.bfs.size()));
    print_line("graph_generation", fmt::format("{:.6g}", result.generation_seconds));
    print_line("num_mpi_processes", "1");
    print_line("construction_time", fmt::format("{:.6g}", result.construction_seconds));
    for (const auto& [name, value] : bfs) print_line("bfs  " + name, fmt::format("{:.6g}", value));
    if (!options.paths) return;
    for (const auto& [name, value] : sssp) print_line("sssp " + name, fmt::format("{:.6g}", value));
}

} // namespace

void add_graph500(CLI::App& program, Shared& shared) {
    auto options = std::make_shared<Graph500Options>();
    auto timeout = std::make_shared<double>(0);
    CLI::App* command = program.add_subcommand("graph500", "The Graph500 benchmark");
    command->add_option("--scale", options->scale, "2^SCALE vertices")
        ->required()
        ->check(CLI::Range(1, 40).description(""))
        ->type_name("SCALE");
    command
        ->add_option("--edge-factor", options->edge_factor, "Edges for each vertex (default: 16)")
        ->check(CLI::Range(1, 1024).description(""))
        ->type_name("N");
    command->add_option("--keys", options->keys, "How many vertices to search from (default: 64)")
        ->check(CLI::Range(1, 4096).description(""))
        ->type_name("N");
    command
        ->add_option("--delta", options->delta,
                     "The width of a step of kernel 3 (default: by the edge values)")
        ->check(more_than_zero())
        ->type_name("VALUE");
    command->add_flag(
        "--bfs-only", [options](std::int64_t) { options->paths = false; },
        "Kernels 1 and 2 only; edges have no values then");
    TimeLimit::add_option(*command, *timeout);
    shared.run.add_to(*command);
    command->footer(
        R"(Kernel 1 builds the graph from a list of edges, kernel 2 searches it breadth-first from 64
random vertices with neighbours, kernel 3 finds the shortest paths from them. Every tree is
validated by the five rules of the specification. TEPS are edges of the list inside the tree,
loops and duplicates included, for each second of the search.

Examples:
  tropic graph500 --scale 20
  tropic graph500 --scale 18 --edge-factor 32 --bfs-only --json)");
    command->callback([options, timeout, &shared] {
        require_kernel_3(*options);
        run_graph500(*options, *timeout, shared.run);
    });
}

} // namespace tropic::cli
