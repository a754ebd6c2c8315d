// What the kernel benchmark measures: a contestant holds a graph in its own form and runs kernels
// on it. Loading and reading the answer are not timed, `run` is.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tropic {
struct Graph;
}

namespace tropic::bench {

enum class Kernel : std::uint8_t { bfs, sssp, pagerank, components, triangles, betweenness };

std::string_view name_of(Kernel kernel) noexcept;

/// An undirected graph without loops and duplicates, in the neutral form that contestants load:
/// both directions of every edge, neighbours ascending.
struct BenchGraph {
    std::string name;
    const Graph* graph = nullptr; ///< the same as Tropic holds it
    std::vector<std::int64_t> pos;
    std::vector<std::int32_t> crd;
    std::vector<std::int32_t> weights;
    std::int64_t largest_weight = 0; ///< that there can be

    std::int64_t vertices() const noexcept { return static_cast<std::int64_t>(pos.size()) - 1; }
    std::int64_t entries() const noexcept { return static_cast<std::int64_t>(crd.size()); }
};

/// What one run works on: the source of a search, or the sources of betweenness.
struct Task {
    Kernel kernel = Kernel::bfs;
    std::vector<std::int64_t> sources;
};

constexpr double damping = 0.85;
constexpr double tolerance = 1e-4;       ///< of PageRank, on the sum of the changes of a round
constexpr std::int64_t unreachable = -1; ///< as a parent and as a distance

/// Parents, distances or labels; ranks or centralities; triangles.
struct Answer {
    std::vector<std::int64_t> whole;
    std::vector<double> real;
    std::int64_t count = 0;
    int rounds = 0; ///< of PageRank, where the contestant says
};

class Contestant {
  public:
    virtual ~Contestant() = default;

    /// Empty if it can run the kernel, else why not.
    virtual std::string unable(Kernel kernel, const BenchGraph& graph) const = 0;
    /// Takes the graph with its transpose and degrees into its own form. Not timed.
    virtual void load(const BenchGraph& graph) = 0;
    /// The next runs use that many threads. Not timed.
    virtual void use_threads(int threads) = 0;
    /// Timed.
    virtual void run(const Task& task) = 0;
    /// What the last run computed. Not timed.
    virtual Answer answer(Kernel kernel) = 0;
};

std::unique_ptr<Contestant> make_graphblas();
std::unique_ptr<Contestant> make_igraph();
std::unique_ptr<Contestant> make_boost();
std::unique_ptr<Contestant> make_tropic();

} // namespace tropic::bench
