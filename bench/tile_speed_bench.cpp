// How fast the model of the tile machine is: the thesis' breadth-first search, against a plain
// serial sweep over the same entries, with one host thread and with two.
// `tile_speed_bench --help` shows the options.
// A level of the search looks at the rows of all blocks; the sweep multiplies the same matrix with
// a vector, row by row, on this host. Times are medians. Sweeps are counted in time of the
// processor, which other work on this host hardly changes; the gain of a second thread is of the
// clock on the wall, so the host should have nothing else to do.
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arguments.h"
#include "bfs.h"

namespace {

constexpr const char* help = R"(The model of the tile machine against a serial sweep on this host.
  --graph GRAPH    an expression or a file (kron:18,48)
  --json FILE      the numbers once more
)";

double cpu_now() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// Processor seconds of one product with the matrix as this host would do it.
double sweep_seconds(const tile_example::Matrix& matrix, int runs) {
    std::vector<float> x(matrix.n, 1.0F);
    std::vector<float> y(matrix.n);
    std::vector<double> seconds;
    for (int run = 0; run < runs; ++run) {
        const double begin = cpu_now();
        for (std::size_t i = 0; i < matrix.n; ++i) {
            float sum = 0;
            for (auto e = matrix.pos[i]; e < matrix.pos[i + 1]; ++e) {
                sum += x[static_cast<std::size_t>(matrix.col[static_cast<std::size_t>(e)])];
            }
            y[i] = sum;
        }
        seconds.push_back(cpu_now() - begin);
        x.swap(y); // the next run needs this one's result: none can be left out
        for (float& value : x) value = value > 0 ? 1.0F : 0.0F;
    }
    std::sort(seconds.begin(), seconds.end());
    return seconds[seconds.size() / 2];
}

double peak_gigabytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / (1024.0 * 1024.0);
}

std::size_t busiest(const tile_example::Matrix& matrix) {
    std::size_t best = 0;
    for (std::size_t i = 0; i < matrix.n; ++i) {
        if (matrix.pos[i + 1] - matrix.pos[i] > matrix.pos[best + 1] - matrix.pos[best]) best = i;
    }
    return static_cast<std::size_t>(matrix.old_of[best]);
}

int bench(const std::string& graph, const std::string& json_path) {
    const auto matrix = tile_example::load_undirected(graph, 1);
    const double sweep = sweep_seconds(matrix, 9);
    fmt::print("{}: {} vertices, {} entries; a serial sweep takes {:.4f} s\n", graph, matrix.n,
               matrix.entries(), sweep);
    nlohmann::json json{{"graph", graph},
                        {"vertices", matrix.n},
                        {"entries", matrix.entries()},
                        {"sweep_seconds", sweep}};
    const std::size_t source = busiest(matrix);
    double one_thread = 0;
    for (const unsigned threads : {1U, 2U}) {
        tile_example::Options options;
        options.graph = graph;
        options.threads = threads;
        std::vector<double> seconds;
        std::vector<double> cpu_seconds;
        unsigned levels = 0;
        double compilation = 0;
        for (int run = 0; run < 3; ++run) {
            const auto result = tile_example::run_bfs(matrix, source, options);
            levels = result.levels;
            compilation = result.timings.graph_compilation * 1e-6;
            seconds.push_back(result.timings.execution * 1e-6 / levels);
            cpu_seconds.push_back(result.timings.execution_cpu * 1e-6 / levels);
        }
        std::sort(seconds.begin(), seconds.end());
        std::sort(cpu_seconds.begin(), cpu_seconds.end());
        const double level = seconds[1];
        const double cpu_level = cpu_seconds[1];
        if (threads == 1) one_thread = level;
        fmt::print("{} thread{}: {:.4f} s a level ({} levels), {:.4f} s of the processor: {:.1f} "
                   "sweeps; {:.2f} times one thread; compilation {:.1f} s\n",
                   threads, threads == 1 ? "" : "s", level, levels, cpu_level, cpu_level / sweep,
                   one_thread / level, compilation);
        const std::string key = threads == 1 ? "one_thread" : "two_threads";
        json[key] = {{"level_seconds", level},
                     {"level_cpu_seconds", cpu_level},
                     {"levels", levels},
                     {"sweeps", cpu_level / sweep},
                     {"speedup", one_thread / level},
                     {"compilation_seconds", compilation}};
    }
    json["peak_gigabytes"] = peak_gigabytes();
    fmt::print("peak memory {:.2f} GB\n", peak_gigabytes());
    if (!json_path.empty()) std::ofstream(json_path) << json.dump(2) << "\n";
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    using namespace tropic::bench;
    if (showed_help(argc, argv, help)) return 0;
    std::string graph = "kron:18,48";
    std::string json_path;
    for (int a = 1; a < argc; a += 2) {
        const std::string option = argv[a];
        if (a + 1 == argc) refuse_option(option);
        if (option == "--graph") graph = argv[a + 1];
        else if (option == "--json") json_path = argv[a + 1];
        else refuse_option(option);
    }
    try {
        return bench(graph, json_path);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "tile_speed_bench: %s\n", error.what());
        return 1;
    }
}
