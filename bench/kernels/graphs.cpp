#include "graphs.h"

#include <algorithm>

#include "tropic/tropic.h"

namespace tropic::bench {

namespace {

bool has_weights(const std::string& expression) {
    return expression.starts_with("road") || expression.find("weights") < expression.size();
}

} // namespace

std::int64_t largest_weight_of(const std::string& expression) {
    return has_weights(expression) ? 65535 : 255;
}

LoadedGraph load_bench_graph(const std::string& expression) {
    LoadedGraph made;
    made.graph = std::make_unique<Graph>(
        generate(has_weights(expression) ? expression : expression + ",weights=1..255"));
    const Tensor& tensor = made.graph->tensor;
    made.neutral.name = expression;
    made.neutral.graph = made.graph.get();
    visit_csr(tensor, [&](const auto& csr) {
        made.neutral.pos.assign(csr.pos.begin(), csr.pos.end());
        made.neutral.crd.assign(csr.crd.begin(), csr.crd.end());
    });
    const auto weights = tensor.values().as<std::int32_t>();
    made.neutral.weights.assign(weights.begin(), weights.end());
    made.neutral.largest_weight = largest_weight_of(expression);
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
