#include "graphs.h"

#include <algorithm>
#include <bit>

#include "tropic/tropic.h"

namespace tropic::bench {

namespace {

/// The bucket width at which delta-stepping does well: buckets narrow enough that few edges are
/// relaxed twice, wide enough that one holds work. Peers get the widths that suit them.
std::int32_t fitting_delta(const BenchGraph& graph) {
    if (graph.entries() == 0) return 1;
    const double degree =
        static_cast<double>(graph.entries()) / static_cast<double>(graph.vertices());
    const double largest = *std::ranges::max_element(graph.weights);
    const double wanted = std::max(1.0, 16 * largest / (degree * degree));
    return static_cast<std::int32_t>(std::bit_floor(static_cast<std::uint32_t>(wanted)));
}

} // namespace

LoadedGraph load_bench_graph(const std::string& expression) {
    const bool own =
        expression.starts_with("road") || expression.find("weights") < expression.size();
    LoadedGraph made;
    made.graph =
        std::make_unique<Graph>(generate(own ? expression : expression + ",weights=1..255"));
    const Tensor& tensor = made.graph->tensor;
    made.neutral.name = expression;
    made.neutral.graph = made.graph.get();
    visit_csr(tensor, [&](const auto& csr) {
        made.neutral.pos.assign(csr.pos.begin(), csr.pos.end());
        made.neutral.crd.assign(csr.crd.begin(), csr.crd.end());
    });
    const auto weights = tensor.values().as<std::int32_t>();
    made.neutral.weights.assign(weights.begin(), weights.end());
    made.neutral.delta = fitting_delta(made.neutral);
    return made;
}

std::vector<Task> make_tasks(Kernel kernel, const BenchGraph& graph, int runs) {
    const int each = kernel == Kernel::betweenness ? 4 : kernel <= Kernel::sssp ? 1 : 0;
    std::uint64_t state = 1;
    std::vector<Task> tasks(static_cast<std::size_t>(runs));
    for (Task& task : tasks) {
        task.kernel = kernel;
        while (static_cast<int>(task.sources.size()) < each) {
            state = state * 6364136223846793005U + 1442695040888963407U;
            const auto v = static_cast<std::int64_t>((state >> 16) %
                                                     static_cast<std::uint64_t>(graph.vertices()));
            const bool there = std::ranges::find(task.sources, v) != task.sources.end();
            if (graph.pos[v] < graph.pos[v + 1] && !there) task.sources.push_back(v);
        }
    }
    return tasks;
}

} // namespace tropic::bench
