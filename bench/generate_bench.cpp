// How fast graphs are generated and built, and in how much memory. Every run happens in a process
// of its own, so that its peak is its own; the table has medians and the range of the total.
// `generate_bench --help` shows the options.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arguments.h"
#include "graph/generators/registry.h"
#include "tropic/error.h"
#include "tropic/generate.h"

namespace {

using Clock = std::chrono::steady_clock;
using tropic::bench::number_of;

constexpr const char* help = R"(Graphs generated and built: times, edges a second, peak memory.
generate_bench [OPTIONS] [EXPRESSION...]    (kron:20 kron:22 urand:20 delaunay:2^18 road:2^20)
  --edges-only     makes the list of edges and builds no graph of it
  --threads N      0: one per core (0)
  --runs R         of which the median counts, 3 or more (5)
  --json FILE      the table once more
)";

struct Options {
    std::string json;
    int runs = 5;
    int threads = 0; ///< 0: all
    bool edges_only = false;
    std::vector<std::string> expressions;
};

/// One run, as the child process writes it to its pipe.
struct Run {
    std::int64_t edges = 0;
    std::int64_t entries = 0;
    double generating = 0;
    double building = 0;
    double processor = 0; ///< seconds of all threads, in user and system mode
    double peak_bytes = 0;

    double total() const { return generating + building; }
};

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

Run measure(std::string_view expression, const Options& options) {
    const tropic::Context context({.threads = options.threads});
    Run run;
    auto start = Clock::now();
    tropic::generators::GeneratedEdges edges =
        tropic::generators::generate_edges(expression, {}, context);
    run.generating = seconds_since(start);
    run.edges = edges.generated;
    start = Clock::now();
    if (options.edges_only) {
        run.entries = edges.list.entries();
    } else {
        run.entries =
            tropic::build(std::move(edges.list), tropic::Format::csr(), edges.duplicates, context)
                .entries();
        run.building = seconds_since(start);
    }
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    run.processor = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    run.peak_bytes = static_cast<double>(usage.ru_maxrss) * 1024;
    return run;
}

/// `measure` in a process of its own; nothing if that failed, which it said itself.
std::optional<Run> measure_apart(std::string_view expression, const Options& options) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) return {};
    const pid_t child = fork();
    if (child == 0) {
        try {
            const Run run = measure(expression, options);
            _exit(write(ends[1], &run, sizeof run) == sizeof run ? 0 : 1);
        } catch (const tropic::Error& error) {
            fmt::print(stderr, "{}\n", error.what());
            _exit(1);
        }
    }
    close(ends[1]);
    Run run;
    const bool whole = child > 0 && read(ends[0], &run, sizeof run) == sizeof run;
    close(ends[0]);
    int status = 1;
    if (child > 0) waitpid(child, &status, 0);
    return whole && status == 0 ? std::optional(run) : std::nullopt;
}

template <class Of> std::vector<double> sorted(const std::vector<Run>& runs, const Of& of) {
    std::vector<double> values(runs.size());
    std::ranges::transform(runs, values.begin(), of);
    std::ranges::sort(values);
    return values;
}

/// Prints the row of an expression and gives it as JSON.
nlohmann::json row(const std::string& expression, const std::vector<Run>& runs) {
    const auto generating = sorted(runs, [](const Run& r) { return r.generating; });
    const auto building = sorted(runs, [](const Run& r) { return r.building; });
    const auto total = sorted(runs, [](const Run& r) { return r.total(); });
    const auto processor = sorted(runs, [](const Run& r) { return r.processor; });
    const auto peak = sorted(runs, [](const Run& r) { return r.peak_bytes; });
    const std::size_t middle = runs.size() / 2;
    const double millions = static_cast<double>(runs[0].edges) * 1e-6;
    fmt::print(
        "{:<16} {:>11} {:>11} {:>10.3f} {:>9.3f} {:>9.3f} {:>15} {:>9.1f} {:>7.3f} {:>8.2f}\n",
        expression, runs[0].edges, runs[0].entries, generating[middle], building[middle],
        total[middle], fmt::format("{:.3f} - {:.3f}", total.front(), total.back()),
        millions / total[middle], processor[middle], peak[middle] * 1e-9);
    std::fflush(stdout);
    return {{"what", expression},
            {"edges", runs[0].edges},
            {"entries", runs[0].entries},
            {"generate_seconds", generating},
            {"build_seconds", building},
            {"total_seconds", total},
            {"processor_seconds", processor},
            {"peak_bytes", peak}};
}

Options parse(int count, char** arguments) {
    Options options;
    for (int i = 1; i < count; ++i) {
        const std::string_view word(arguments[i]);
        const bool more = i + 1 < count;
        if (word == "--edges-only") options.edges_only = true;
        else if (word == "--json" && more) options.json = arguments[++i];
        else if (word == "--runs" && more) options.runs = number_of(word, arguments[++i], 3);
        else if (word == "--threads" && more) options.threads = number_of(word, arguments[++i], 0);
        else options.expressions.emplace_back(word);
    }
    if (options.expressions.empty()) {
        options.expressions = {"kron:20", "kron:22", "urand:20", "delaunay:2^18", "road:2^20"};
    }
    return options;
}

} // namespace

int main(int count, char** arguments) {
    if (tropic::bench::showed_help(count, arguments, help)) return 0;
    const Options options = parse(count, arguments);
    fmt::print("medians of {} runs\n", options.runs);
    fmt::print("{:<16} {:>11} {:>11} {:>10} {:>9} {:>9} {:>15} {:>9} {:>7} {:>8}\n", "graph",
               "edges", "entries", "generate s", "build s", "total s", "range", "M edges/s",
               "cpu s", "peak GB");
    nlohmann::json rows = nlohmann::json::array();
    int failures = 0;
    for (const std::string& expression : options.expressions) {
        std::vector<Run> runs;
        while (static_cast<int>(runs.size()) < options.runs) {
            const std::optional<Run> run = measure_apart(expression, options);
            if (!run) break;
            runs.push_back(*run);
        }
        if (static_cast<int>(runs.size()) == options.runs) rows.push_back(row(expression, runs));
        else ++failures;
    }
    if (!options.json.empty()) std::ofstream(options.json) << rows.dump(2) << '\n';
    return failures == 0 ? 0 : 1;
}
