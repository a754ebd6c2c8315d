// How fast graphs are generated and built, and in how much memory. Every graph is made in a process
// of its own, so that its peak is its own:
//   generate_bench [--edges-only] [EXPRESSION...]
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "graph/generators/registry.h"
#include "tropic/error.h"
#include "tropic/generate.h"

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

double cpu_seconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// One row of the table, printed by the child process.
void measure(std::string_view expression, bool edges_only) {
    const tropic::Context context;
    auto start = Clock::now();
    tropic::generators::GeneratedEdges edges =
        tropic::generators::generate_edges(expression, {}, context);
    const double generating = seconds_since(start);
    const double cpu = cpu_seconds();
    const double millions = static_cast<double>(edges.generated) * 1e-6;
    start = Clock::now();
    tropic::Index entries = 0;
    if (edges_only) {
        for (const auto& block : edges.list.blocks) entries += block.size();
    } else {
        entries =
            tropic::build(std::move(edges.list), tropic::Format::csr(), edges.duplicates, context)
                .entries();
    }
    const double building = seconds_since(start);
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    fmt::print("{:<16} {:>11} {:>11} {:>10.3f} {:>9.1f} {:>7.3f} {:>9.3f} {:>9.1f} {:>9.2f}\n",
               expression, edges.generated, entries, generating, millions / generating, cpu,
               edges_only ? 0.0 : building, millions / (generating + building),
               static_cast<double>(usage.ru_maxrss) * 1024e-9);
}

} // namespace

int main(int count, char** arguments) {
    bool edges_only = false;
    std::vector<std::string> expressions;
    for (int i = 1; i < count; ++i) {
        if (std::string_view(arguments[i]) == "--edges-only") edges_only = true;
        else expressions.emplace_back(arguments[i]);
    }
    if (expressions.empty()) {
        expressions = {"kron:20", "kron:22", "urand:20", "delaunay:2^18", "road:2^20"};
    }
    fmt::print("{:<16} {:>11} {:>11} {:>10} {:>9} {:>7} {:>9} {:>9} {:>9}\n", "graph", "edges",
               "entries", "generate s", "M edges/s", "cpu s", "build s", "M edges/s", "peak GB");
    int failures = 0;
    for (const std::string& expression : expressions) {
        std::fflush(stdout);
        const pid_t child = fork();
        if (child == 0) {
            try {
                measure(expression, edges_only);
                std::fflush(stdout);
                _exit(0);
            } catch (const tropic::Error& error) {
                fmt::print(stderr, "{}\n", error.what());
                _exit(1);
            }
        }
        int status = 0;
        waitpid(child, &status, 0);
        failures += status == 0 ? 0 : 1;
    }
    return failures == 0 ? 0 : 1;
}
