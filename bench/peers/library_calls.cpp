#include "library_calls.h"

#include <array>
#include <utility>

namespace tropic::bench {

std::string_view name_of(Kernel kernel) noexcept {
    switch (kernel) {
    case Kernel::bfs:
        return "bfs";
    case Kernel::sssp:
        return "sssp";
    case Kernel::pagerank:
        return "pagerank";
    case Kernel::components:
        return "components";
    case Kernel::triangles:
        return "triangles";
    case Kernel::betweenness:
        break;
    }
    return "betweenness";
}

LibraryName library_name(Kernel kernel) {
    switch (kernel) {
    case Kernel::bfs:
        return {"bfs", "parents"};
    case Kernel::sssp:
        return {"sssp", "delta_stepping"};
    case Kernel::pagerank:
        return {"pagerank", "pagerank"};
    case Kernel::components:
        return {"components", "undirected"};
    case Kernel::triangles:
        return {"triangles", "fastest"};
    case Kernel::betweenness:
        break;
    }
    return {"betweenness", "four"};
}

Algorithm library_algorithm(Kernel kernel, std::int64_t largest, bool cache) {
    const LibraryName name = library_name(kernel);
    AlgorithmOptions options;
    options.function = name.function;
    options.cache = cache;
    if (kernel == Kernel::sssp && std::in_range<std::uint16_t>(largest)) {
        options.types = {{"value", std::in_range<std::uint8_t>(largest) ? "uint8" : "uint16"}};
    }
    return Algorithm::from_library(name.algorithm, options);
}

Arguments library_arguments(const Task& task, const PreparedGraph& graph) {
    Arguments arguments{{"A", graph}};
    switch (task.kernel) {
    case Kernel::bfs:
    case Kernel::sssp:
        arguments.set("source", task.sources[0]);
        break;
    case Kernel::pagerank:
        arguments.set("damping", damping).set("tolerance", tolerance);
        break;
    case Kernel::components:
    case Kernel::triangles:
        break;
    case Kernel::betweenness: {
        const std::array<const char*, 4> names = {"first", "second", "third", "fourth"};
        for (std::size_t s = 0; s < names.size(); ++s) arguments.set(names[s], task.sources[s]);
        break;
    }
    }
    return arguments;
}

Answer library_answer(Kernel kernel, const AlgorithmResult& result) {
    const auto whole = [&](const char* name) {
        const auto values = result.values<std::int32_t>(name);
        return std::vector<std::int64_t>(values.begin(), values.end());
    };
    Answer answer;
    switch (kernel) {
    case Kernel::bfs:
        answer.whole = whole("parent");
        break;
    case Kernel::sssp:
        answer.whole = whole("dist");
        for (auto& distance : answer.whole) {
            if (distance == INT32_MAX) distance = unreachable;
        }
        break;
    case Kernel::pagerank: {
        const auto ranks = result.values<float>("rank");
        answer.real.assign(ranks.begin(), ranks.end());
        answer.rounds = static_cast<int>(result.number("rounds"));
        break;
    }
    case Kernel::components:
        answer.whole = whole("component");
        break;
    case Kernel::triangles:
        answer.count = static_cast<std::int64_t>(result.number("triangles"));
        break;
    case Kernel::betweenness: {
        const Tensor& centrality = result.tensor("centrality");
        answer.real.resize(static_cast<std::size_t>(centrality.entries()));
        for (Index v = 0; v < centrality.entries(); ++v) {
            answer.real[v] = centrality.values().value_at(v);
        }
        break;
    }
    }
    return answer;
}

} // namespace tropic::bench
