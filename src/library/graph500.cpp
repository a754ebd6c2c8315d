#include "library/graph500.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "graph/generators/random.h"
#include "library/prepare.h"
#include "support/parallel.h"
#include "tropic/error.h"
#include "tropic/generate.h"
#include "tropic/statistics.h"
#include "tropic/transform.h"

namespace tropic::library {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The edges as they are generated, loops and duplicates included, in one piece.
EdgeTuples tuples_of(const Graph& raw, const Context& context) {
    const Tensor coo = convert(raw.tensor, Format::coo(), context);
    return {coo.level(0).crd, coo.level(1).crd, coo.values()};
}

/// Kernel 1: both directions of every edge once, without loops; of duplicates the least value.
Graph construct(const EdgeTuples& tuples, Index vertices, const Context& context) {
    Graph graph;
    graph.name = "graph500";
    graph.source = "kron";
    graph.ids.resize(2);
    graph.tensor = matrix_from_edges(vertices, vertices, tuples.from, tuples.to, tuples.values,
                                     Format::csr(), Duplicates::min, context);
    graph = symmetrise(std::move(graph), Duplicates::min, context);
    graph = drop_self_loops(std::move(graph), context);
    graph.kind = EdgeKind::undirected;
    return graph;
}

/// Different vertices with neighbours, drawn at random.
std::vector<Index> search_keys(const Graph& graph, int count, std::uint64_t seed,
                               const Context& context) {
    const Array degrees = row_degrees(graph.tensor, context);
    const generators::Random random(seed, generators::Stream::removal);
    std::vector<Index> keys;
    const auto n = static_cast<std::uint64_t>(graph.vertices());
    for (std::uint64_t draw = 0; draw < 64 * n && static_cast<int>(keys.size()) < count; ++draw) {
        const auto key = static_cast<Index>(generators::below(random.at(draw), n));
        if (degrees.index_at(key) == 0 || std::ranges::find(keys, key) != keys.end()) continue;
        keys.push_back(key);
    }
    return keys;
}

void validate(const EdgeTuples& tuples, const Graph& graph, std::string_view kernel,
              Graph500Search& search, const Array& parent, const Array& distance,
              const Context& context) {
    const auto start = Clock::now();
    const std::string complaint = validate_tree(tuples, graph.vertices(), search.key, parent,
                                                distance, search.edges, context);
    search.validate_seconds = seconds_since(start);
    if (!complaint.empty()) {
        throw Error(ErrorCode::internal, fmt::format("the {} tree from {} is not valid: {}", kernel,
                                                     search.key, complaint));
    }
}

} // namespace

Array in_single_precision(const Array& values, const Context& context) {
    Array result = Array::allocate(ElementType::float32, values.size(), context, "values of edges");
    const std::span<const double> from = values.as<double>();
    const std::span<float> to = result.mutable_as<float>();
    const float most = std::nextafter(1.0F, 0.0F);
    parallel_ranges(context, values.size(), Index{1} << 16, [&](Index begin, Index end) {
        for (Index e = begin; e < end; ++e) to[e] = std::min(static_cast<float>(from[e]), most);
    });
    return result;
}

Graph500Result run_graph500(const Graph500Options& options, const Context& context) {
    Graph500Result result;
    auto start = Clock::now();
    const Graph raw = tropic::generate(
        fmt::format("kron:{},{},raw,weights={},seed={}", options.scale, options.edge_factor,
                    options.paths ? "0.0..1.0" : "none", options.seed),
        {}, context);
    EdgeTuples tuples = tuples_of(raw, context);
    if (options.paths) tuples.values = in_single_precision(tuples.values, context);
    result.generation_seconds = seconds_since(start);
    result.vertices = raw.vertices();
    result.edges = tuples.from.size();

    start = Clock::now();
    const PreparedGraph graph(construct(tuples, raw.vertices(), context));
    result.construction_seconds = seconds_since(start);
    result.entries = graph.graph().entries();

    const bool wide = needs_wide(graph.graph());
    const auto report = [&](int kernel, std::size_t done) {
        if (options.progress) options.progress(kernel, static_cast<int>(done));
    };
    const std::vector<Index> keys = search_keys(graph.graph(), options.keys, options.seed, context);
    if (keys.empty()) {
        throw Error({.code = ErrorCode::range,
                     .message = "no vertex of the graph has an edge to another one: there is "
                                "nothing to search from",
                     .hint = "a larger scale or edge factor, or another seed"});
    }
    const Algorithm& bfs = library_function("bfs", "parents", {}, wide);
    bfs.compile();
    for (const Index key : keys) {
        const AlgorithmResult tree = bfs.run({{"A", graph}, {"source", key}}, context);
        if (result.bfs.empty()) result.construction_seconds += tree.binding_seconds;
        Graph500Search search{.key = key, .seconds = tree.seconds};
        validate(tuples, graph.graph(), "BFS", search, tree.tensor("parent").values(), {}, context);
        result.bfs.push_back(search);
        report(2, result.bfs.size());
    }
    if (!options.paths) return result;
    const Algorithm& sssp = library_function("sssp", "tree", {{"weight", "float"}}, wide);
    sssp.compile();
    for (const Index key : keys) {
        const AlgorithmResult tree =
            sssp.run({{"A", graph}, {"source", key}, {"delta", options.delta}}, context);
        if (result.sssp.empty()) result.construction_seconds += tree.binding_seconds;
        Graph500Search search{.key = key, .seconds = tree.seconds};
        validate(tuples, graph.graph(), "SSSP", search, tree.tensor("parent").values(),
                 tree.tensor("dist").values(), context);
        result.sssp.push_back(search);
        report(3, result.sssp.size());
    }
    return result;
}

} // namespace tropic::library
