// The kernels of graph libraries: Tropic's algorithms against SuiteSparse:GraphBLAS with the best
// published algebraic algorithm for each, igraph and Boost.Graph, in the same run on the same
// graphs and sources.
// `kernels_bench --help` shows the options.
// What is timed: a run from the call to the answer in the contestant's memory. Before that the
// graph is in the contestant's own form, with its transpose (all graphs are undirected: it is the
// graph), degrees and symmetry known; everything else is timed: splitting edges by weight, sorting
// and directing for triangles, allocating results. Breadth-first search and shortest paths
// start at a different source in each run, betweenness at four.
// The first run is checked and not timed. A time is the median of the others: ten, or fewer of a
// contestant that takes seconds (the table says how many). A ratio above 1 means that Tropic is
// faster. igraph and Boost use one thread; igraph's PageRank goes on to 1e-10. They run on all
// graphs, but for what takes them longer than a minute: the table says so.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <map>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arguments.h"
#include "kernels/bandwidth.h"
#include "kernels/check.h"
#include "kernels/graphs.h"
#include "kernels/measure.h"
#include "kernels/plot.h"
#include "pause.h"
#include "peers/contestant.h"
#include "peers/library_calls.h"
#include "process.h"
#include "tropic/tropic.h"

namespace {

using namespace tropic::bench;
using nlohmann::json;

constexpr const char* help = R"(Tropic's algorithms against other libraries.
  --quick          small graphs, three runs
  --graph 'A B'    expressions or files
                   (kron:18 kron:20 urand:18 urand:20 grid:1000x1000,remove=0.3 road:1048576)
  --kernel 'A B'   of bfs sssp pagerank components triangles betweenness (all)
  --peer 'A B'     of graphblas igraph boost, or none (all)
  --part 'A B'     of table memory scaling start (all)
  --runs R         of which the median counts (10)
  --json FILE      the tables once more
  --plot FILE      the growth of times with the graph (kernels_scaling.svg)
)";

struct Entry {
    std::string_view name;
    std::unique_ptr<Contestant> (*make)();
    bool parallel;
};
constexpr std::array<Entry, 4> contestants = {{{"tropic", make_tropic, true},
                                               {"graphblas", make_graphblas, true},
                                               {"igraph", make_igraph, false},
                                               {"boost", make_boost, false}}};
constexpr std::array<Kernel, 6> all_kernels = {Kernel::bfs,       Kernel::sssp,
                                               Kernel::pagerank,  Kernel::components,
                                               Kernel::triangles, Kernel::betweenness};

constexpr std::string_view kernel_names = "bfs sssp pagerank components triangles betweenness";
constexpr std::string_view peer_names = "graphblas igraph boost none";
constexpr std::string_view part_names = "table memory scaling start";

/// Seconds a run of a peer may take.
constexpr unsigned longest_run = 60;

struct Options {
    std::string program;
    std::vector<std::string> kernels;
    std::vector<std::string> graphs;
    std::vector<std::string> peers;
    std::vector<std::string> parts;
    std::string json_path;
    std::string plot_path = "kernels_scaling.svg";
    int runs = 10;
    bool quick = false;

    bool wants(Kernel kernel) const { return has(kernels, name_of(kernel)); }
    bool wants_peer(std::string_view name) const { return has(peers, name); }
    bool wants_part(std::string_view name) const { return has(parts, name); }

  private:
    /// All, if none are named.
    static bool has(const std::vector<std::string>& wanted, std::string_view name) {
        return wanted.empty() || std::ranges::find(wanted, name) != wanted.end();
    }
};

/// Contestants of one graph, loaded when first wanted.
class Field {
  public:
    Field(const BenchGraph& graph, const Options& options) : graph_(&graph) {
        for (const Entry& entry : contestants) {
            const std::string_view name = entry.name;
            if (name != "tropic" && !options.wants_peer(name)) continue;
            entries_.push_back(&entry);
        }
    }
    const std::vector<const Entry*>& entries() const noexcept { return entries_; }

    Contestant& of(const Entry& entry) {
        auto& contestant = loaded_[&entry];
        if (contestant == nullptr) {
            contestant = entry.make();
            contestant->load(*graph_);
        }
        return *contestant;
    }

  private:
    const BenchGraph* graph_;
    std::vector<const Entry*> entries_;
    std::map<const Entry*, std::unique_ptr<Contestant>> loaded_;
};

/// Runs this program again with the given arguments and returns what it prints.
std::string child(const Options& options, const std::string& arguments,
                  const char* environment = "") {
    return printed_by(fmt::format("{} '{}' {}", environment, options.program, arguments));
}

Kernel kernel_named(std::string_view name) {
    for (const Kernel kernel : all_kernels) {
        if (name_of(kernel) == name) return kernel;
    }
    throw std::runtime_error(fmt::format("there is no kernel {}", name));
}

/// A peer that may take too long runs in a process of its own, which gives up then: nothing.
std::optional<Times> measure_apart(const Options& options, const Entry& entry, Kernel kernel,
                                   const BenchGraph& graph, std::int64_t triangles) {
    // What igraph has of OpenMP would use all threads.
    const std::string text =
        child(options,
              fmt::format("--cell {} {} '{}' {} {}", entry.name, name_of(kernel), graph.name,
                          options.runs, triangles),
              "OMP_NUM_THREADS=1");
    if (text.empty()) return {};
    return times_of(text);
}

void cell_child(const std::vector<std::string>& arguments) {
    const auto entry = std::ranges::find(contestants, arguments[1], &Entry::name);
    const LoadedGraph loaded = load_bench_graph(arguments[3]);
    const auto contestant = entry->make();
    contestant->load(loaded.neutral);
    auto triangles = number_of<std::int64_t>("triangles", arguments[5], -1);
    std::signal(SIGALRM, [](int) { _exit(0); });
    const Times times = measure(*contestant, kernel_named(arguments[2]), loaded.neutral,
                                number_of("runs", arguments[4]), triangles, longest_run);
    fmt::print("{}", to_text(times));
}

/// One line of the table: a kernel on a graph with so many threads.
bool table_row(Field& field, const BenchGraph& graph, Kernel kernel, int threads, double bandwidth,
               std::int64_t& triangles, const Options& options, json& rows) {
    json row{{"graph", graph.name}, {"kernel", name_of(kernel)}, {"threads", threads}};
    std::string line = fmt::format("{:<28} {:<12} {:>2}", graph.name, name_of(kernel), threads);
    double ours = 0;
    bool right = true;
    std::string remarks;
    for (const Entry* entry : field.entries()) {
        if (!entry->parallel && threads > 1) continue;
        const std::string reason = entry->make()->unable(kernel, graph);
        if (!reason.empty()) {
            row[entry->name] = {{"unable", reason}};
            continue;
        }
        std::optional<Times> measured;
        if (entry->parallel) {
            Contestant& contestant = field.of(*entry);
            contestant.use_threads(threads);
            let_threads_sleep();
            measured = measure(contestant, kernel, graph, options.runs, triangles);
        } else {
            measured = measure_apart(options, *entry, kernel, graph, triangles);
        }
        if (!measured) {
            row[entry->name] = {{"unable", fmt::format("a run takes over {} s", longest_run)}};
            line += fmt::format("  {} over {} s, skipped", entry->name, longest_run);
            continue;
        }
        const Times& times = *measured;
        right &= times.complaint.empty();
        if (!times.complaint.empty()) {
            remarks += fmt::format("\n    WRONG: {}: {}", entry->name, times.complaint);
        }
        json result{{"seconds", times.median()},
                    {"least", times.seconds.front()},
                    {"most", times.seconds.back()},
                    {"runs", times.seconds.size()},
                    {"complaint", times.complaint}};
        line += fmt::format("  {} {:.3f} ms", entry->name, times.median() * 1e3);
        if (static_cast<int>(times.seconds.size()) < options.runs) {
            line += fmt::format(" [{} runs]", times.seconds.size());
        }
        if (entry == &contestants[0]) {
            ours = times.median();
            const double bytes = least_traffic(kernel, graph, times.rounds);
            if (bytes > 0) {
                result["bytes_per_edge"] = bytes / static_cast<double>(graph.entries());
                result["bandwidth_share"] = bytes / ours / bandwidth;
                line += fmt::format(" ({:.1f} B/edge, {:.0f} % of bandwidth)",
                                    bytes / static_cast<double>(graph.entries()),
                                    100 * bytes / ours / bandwidth);
            }
        } else {
            result["ratio"] = times.median() / ours;
            line += fmt::format(" ({:.2f}x)", times.median() / ours);
        }
        row[entry->name] = result;
    }
    fmt::print("{}{}\n", line, remarks);
    std::fflush(stdout);
    rows.push_back(row);
    return right;
}

bool run_table(const Options& options, json& report) {
    std::array<double, 3> bandwidth = {0, read_bandwidth(1), read_bandwidth(2)};
    fmt::print("read bandwidth: {:.1f} GB/s with one thread, {:.1f} GB/s with two\n",
               bandwidth[1] / 1e9, bandwidth[2] / 1e9);
    report["read_bandwidth"] = {bandwidth[1], bandwidth[2]};
    json rows = json::array();
    bool right = true;
    for (const std::string& expression : options.graphs) {
        const LoadedGraph loaded = load_bench_graph(expression);
        Field field(loaded.neutral, options);
        for (const Kernel kernel : all_kernels) {
            if (!options.wants(kernel)) continue;
            std::int64_t triangles = -1;
            for (const int threads : {1, 2}) {
                right &= table_row(field, loaded.neutral, kernel, threads,
                                   bandwidth[static_cast<std::size_t>(threads)], triangles, options,
                                   rows);
            }
        }
    }
    report["table"] = rows;
    return right;
}

/// A figure of /proc/self/status in bytes.
double memory_now(const std::string& name) {
    std::ifstream file("/proc/self/status");
    std::string line;
    while (std::getline(file, line)) {
        if (line.starts_with(name + ":")) return std::stod(line.substr(name.size() + 1)) * 1024;
    }
    throw std::runtime_error("/proc/self/status has no " + name);
}

/// In a process of its own: prints the bytes of the graph and the most that were in use beyond
/// what the process had before it, the graph included.
void memory_child(const std::string& name, const std::string& expression) {
    const Kernel kernel = kernel_named(name);
    const tropic::Algorithm algorithm = library_algorithm(kernel, largest_weight_of(expression));
    algorithm.compile();
    const double before = memory_now("VmRSS");
    const LoadedGraph loaded = load_bench_graph(expression);
    const std::vector<Task> tasks = make_tasks(kernel, loaded.neutral, 1);
    const tropic::PreparedGraph graph(*loaded.graph);
    const auto bytes = static_cast<double>(loaded.graph->tensor.bytes());
    // The neutral copy is not part of what Tropic needs.
    const double held = memory_now("VmRSS") - before - bytes;
    std::ofstream("/proc/self/clear_refs") << "5";
    const auto result = algorithm.run(library_arguments(tasks[0], graph), {});
    fmt::print("{} {}\n", bytes, memory_now("VmHWM") - before - held);
}

void run_memory(const Options& options, json& report) {
    json rows = json::array();
    fmt::print("\npeak memory, the graph included, relative to the graph\n");
    for (const std::string& expression : options.graphs) {
        std::string line = fmt::format("{:<28}", expression);
        for (const Kernel kernel : all_kernels) {
            if (!options.wants(kernel)) continue;
            std::istringstream text(
                child(options, fmt::format("--memory {} '{}'", name_of(kernel), expression)));
            double graph = 0;
            double peak = 0;
            text >> graph >> peak;
            line += fmt::format("  {} {:.2f}", name_of(kernel), peak / graph);
            rows.push_back({{"graph", expression},
                            {"kernel", name_of(kernel)},
                            {"graph_bytes", graph},
                            {"peak_bytes", peak}});
        }
        fmt::print("{}\n", line);
        std::fflush(stdout);
    }
    report["memory"] = rows;
}

void run_scaling(const Options& options, json& report) {
    const int last = options.quick ? 17 : 22;
    std::map<Kernel, Curve> curves;
    for (int scale = options.quick ? 12 : 16; scale <= last; ++scale) {
        const LoadedGraph loaded = load_bench_graph(fmt::format("kron:{}", scale));
        const auto contestant = make_tropic();
        contestant->load(loaded.neutral);
        contestant->use_threads(2);
        for (const Kernel kernel : all_kernels) {
            // The work of counting triangles grows faster than the graph.
            if (!options.wants(kernel) || kernel == Kernel::triangles) continue;
            const std::vector<Task> tasks = make_tasks(kernel, loaded.neutral, options.runs + 1);
            std::vector<double> seconds;
            for (const Task& task : tasks) {
                const double begin = now();
                contestant->run(task);
                seconds.push_back(now() - begin);
            }
            std::sort(seconds.begin() + 1, seconds.end());
            // Larger graphs need more rounds of PageRank.
            const int rounds = std::max(contestant->answer(kernel).rounds, 1);
            Curve& curve = curves[kernel];
            curve.name = name_of(kernel);
            if (kernel == Kernel::pagerank) curve.name += ", one round";
            curve.x.push_back(static_cast<double>(loaded.neutral.entries()));
            curve.y.push_back(seconds[seconds.size() / 2] / rounds);
        }
    }
    std::vector<Curve> drawn;
    json rows = json::array();
    fmt::print("\ngrowth with the number of entries, kron:{} to kron:{}, two threads\n",
               options.quick ? 12 : 16, last);
    for (auto& [kernel, curve] : curves) {
        fmt::print("{:<20} x^{:.2f}:", curve.name, growth(curve));
        for (const double seconds : curve.y) fmt::print(" {:.3f}", seconds * 1e3);
        fmt::print(" ms\n");
        rows.push_back({{"kernel", curve.name},
                        {"entries", curve.x},
                        {"seconds", curve.y},
                        {"exponent", growth(curve)}});
        drawn.push_back(curve);
    }
    report["scaling"] = rows;
    if (drawn.empty()) return;
    std::ofstream(options.plot_path) << log_log_plot(
        drawn, "Time by size of Kronecker graphs, two threads", "entries of the graph", "seconds");
    fmt::print("plot: {}\n", options.plot_path);
}

/// In a process of its own: prints the seconds from the name of an algorithm to compiled code.
void start_child(const std::string& name, bool cached) {
    const double begin = now();
    const tropic::Algorithm algorithm =
        library_algorithm(kernel_named(name), largest_weight_of(""), cached);
    algorithm.compile();
    fmt::print("{}\n", now() - begin);
}

void run_start(const Options& options, json& report) {
    json rows = json::array();
    fmt::print("\nstart of an algorithm: compiled, and found in the cache (median of {})\n",
               options.runs);
    for (const Kernel kernel : all_kernels) {
        if (!options.wants(kernel)) continue;
        const auto start = [&](const char* how) {
            std::vector<double> seconds;
            for (int run = 0; run <= options.runs; ++run) {
                seconds.push_back(
                    std::stod(child(options, fmt::format("--start {} {}", name_of(kernel), how))));
            }
            std::sort(seconds.begin() + 1, seconds.end());
            return seconds[seconds.size() / 2];
        };
        const double cold = start("cold");
        const double cached = start("cached");
        fmt::print("{:<12} {:>8.1f} ms {:>8.1f} ms\n", name_of(kernel), cold * 1e3, cached * 1e3);
        rows.push_back({{"kernel", name_of(kernel)}, {"cold", cold}, {"cached", cached}});
    }
    report["start"] = rows;
}

int bench(const Options& options) {
    json report;
    bool right = true;
    if (options.wants_part("table")) right = run_table(options, report);
    if (options.wants_part("memory")) run_memory(options, report);
    if (options.wants_part("scaling")) run_scaling(options, report);
    if (options.wants_part("start")) run_start(options, report);
    if (!options.json_path.empty()) std::ofstream(options.json_path) << report.dump(2) << "\n";
    return right ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
    if (showed_help(argc, argv, help)) return 0;
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    Options options;
    options.program = argv[0];
    try {
        if (arguments.size() == 3 && arguments[0] == "--memory") {
            memory_child(arguments[1], arguments[2]);
            return 0;
        }
        if (arguments.size() == 6 && arguments[0] == "--cell") {
            cell_child(arguments);
            return 0;
        }
        if (arguments.size() == 3 && arguments[0] == "--start") {
            start_child(arguments[1], arguments[2] == "cached");
            return 0;
        }
        for (std::size_t a = 0; a < arguments.size(); ++a) {
            const std::string& option = arguments[a];
            if (option == "--quick") {
                options.quick = true;
                options.runs = 3;
                continue;
            }
            if (a + 1 == arguments.size()) throw std::runtime_error(option + " wants a value");
            const std::string& value = arguments[++a];
            if (option == "--kernel") options.kernels = words_of(option, value, kernel_names);
            else if (option == "--graph") options.graphs = words_of(value);
            else if (option == "--peer") options.peers = words_of(option, value, peer_names);
            else if (option == "--part") options.parts = words_of(option, value, part_names);
            else if (option == "--runs") options.runs = number_of(option, value);
            else if (option == "--json") options.json_path = value;
            else if (option == "--plot") options.plot_path = value;
            else throw std::runtime_error("there is no option " + option);
        }
        if (options.graphs.empty()) {
            options.graphs = options.quick
                                 ? words_of("kron:14 urand:14 grid:200x200,remove=0.3 road:65536")
                                 : words_of("kron:18 kron:20 urand:18 urand:20 "
                                            "grid:1000x1000,remove=0.3 road:1048576");
        }
        return bench(options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "kernels_bench: %s\n", error.what());
        return 1;
    }
}
