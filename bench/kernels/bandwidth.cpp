#include "bandwidth.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

namespace tropic::bench {

namespace {

constexpr std::size_t words = std::size_t{1} << 27; // 1 GB
constexpr int passes = 5;

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

std::uint64_t sum(const std::uint64_t* begin, const std::uint64_t* end) {
    std::uint64_t total = 0;
    for (; begin < end; ++begin) total += *begin;
    return total;
}

/// Paths of two edges a -> b -> c where edges lead from lower to higher degree.
double directed_paths(const BenchGraph& graph) {
    const auto degree = [&](std::int64_t v) { return graph.pos[v + 1] - graph.pos[v]; };
    const auto before = [&](std::int64_t a, std::int64_t b) {
        return degree(a) < degree(b) || (degree(a) == degree(b) && a < b);
    };
    double paths = 0;
    for (std::int64_t v = 0; v < graph.vertices(); ++v) {
        double in = 0;
        for (std::int64_t e = graph.pos[v]; e < graph.pos[v + 1]; ++e) {
            in += before(graph.crd[e], v) ? 1 : 0;
        }
        paths += in * (static_cast<double>(degree(v)) - in);
    }
    return paths;
}

} // namespace

double read_bandwidth(int threads) {
    const std::vector<std::uint64_t> data(words, 1);
    std::atomic<std::uint64_t> total = 0;
    double best = 0;
    for (int pass = 0; pass < passes; ++pass) {
        const double begin = now();
        std::vector<std::thread> workers;
        workers.reserve(static_cast<std::size_t>(threads));
        const std::size_t share = words / static_cast<std::size_t>(threads);
        for (std::size_t t = 0; t < static_cast<std::size_t>(threads); ++t) {
            workers.emplace_back(
                [&, t] { total += sum(data.data() + t * share, data.data() + (t + 1) * share); });
        }
        for (std::thread& worker : workers) worker.join();
        best = std::max(best, static_cast<double>(words * sizeof(std::uint64_t)) / (now() - begin));
    }
    return best;
}

double least_traffic(Kernel kernel, const BenchGraph& graph, int rounds) {
    const auto n = static_cast<double>(graph.vertices());
    const auto m = static_cast<double>(graph.entries());
    switch (kernel) {
    case Kernel::bfs:
        return 4 * m + 12 * n;
    case Kernel::sssp:
        return (graph.largest_weight <= 255 ? 5 : 6) * m + 16 * n;
    case Kernel::pagerank:
        return rounds * (4 * m + 16 * n);
    case Kernel::components:
        return m >= 8 * n ? 24 * n : 4 * m + 12 * n;
    case Kernel::triangles:
        return 8 * m + 4 * directed_paths(graph);
    case Kernel::betweenness:
        break;
    }
    return 2 * (4 * m + 36 * n);
}

} // namespace tropic::bench
