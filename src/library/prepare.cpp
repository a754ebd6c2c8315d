#include "library/prepare.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include <fmt/format.h>

#include "graph/derived/graph_cache.h"
#include "support/counted.h"
#include "support/is_nan.h"
#include "tropic/algorithms/matrices.h"
#include "tropic/error.h"
#include "tropic/statistics.h"
#include "tropic/transform.h"
#include "verify/adjacency.h"

namespace tropic::library {

namespace {

/// The last step of a graph as a note: "symmetrised for triangles: added 12".
std::string note_of(const Graph& graph, std::string_view purpose) {
    const Step& step = graph.steps.back();
    std::string counts;
    for (const auto& [what, count] : step.counts) {
        counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", what, count);
    }
    return fmt::format("{} for {}: {}", step.what, purpose, counts);
}

/// The zeros of a dense matrix are edges that are not there: statistics would count them. What is
/// left of truths are ones, which say nothing.
Graph without_absent(Graph graph, const Context& context) {
    if (graph.tensor.format() != Format::dense(2)) return graph;
    graph = store_as(std::move(graph), Format::csr(), context);
    return graph.tensor.type() == ElementType::boolean
               ? cast(std::move(graph), ElementType::pattern, context)
               : graph;
}

} // namespace

std::string called(const Graph& graph) {
    return graph.name.empty() ? "the graph" : graph.name;
}

Graph shaped(Graph graph, Shape shape, std::string_view purpose, std::vector<std::string>& notes,
             const Context& context) {
    require_matrix(graph, purpose);
    graph = without_absent(std::move(graph), context);
    if (shape == Shape::matrix) return graph;
    require_square(graph, purpose);
    const bool once = graph.kind == EdgeKind::undirected_once;
    if (shape == Shape::edges && !once) return graph;
    const Statistics statistics = statistics_of(graph.tensor, context);
    if (!statistics.pattern_symmetric || (statistics.values && !statistics.value_symmetric)) {
        graph = symmetrise(std::move(graph), Duplicates::min, context);
        notes.push_back(note_of(graph, purpose));
    }
    if (shape != Shape::simple) return graph;
    if (statistics.self_loops > 0) {
        graph = drop_self_loops(std::move(graph), context);
        notes.push_back(note_of(graph, purpose));
    }
    if (statistics.duplicates > 0) {
        graph = merge_duplicates(std::move(graph), Duplicates::first, context);
        notes.push_back(note_of(graph, purpose));
    }
    return graph;
}

namespace {

bool has_method_for_negative(std::string_view purpose) {
    const Entry* const entry = find_entry(purpose);
    return entry != nullptr && std::ranges::any_of(entry->methods, &Method::negative);
}

std::string length_type(const Graph& graph, const ValueRange& range, bool negative_allowed,
                        std::string_view purpose) {
    if (is_nan(range.least) || is_nan(range.largest)) {
        throw Error(ErrorCode::range, fmt::format("{} needs numbers on all edges, and a value of "
                                                  "{} is none",
                                                  purpose, called(graph)));
    }
    if (range.least < 0 && !negative_allowed) {
        throw Error({.code = ErrorCode::range,
                     .message = fmt::format("{} needs edge values of at least 0, and {} has {}",
                                            purpose, called(graph), range.least),
                     .hint = has_method_for_negative(purpose)
                                 ? "--method with one that allows negative values (see --help)"
                                 : ""});
    }
    const ElementType type = graph.tensor.type();
    if (type == ElementType::float32) return "float";
    if (type == ElementType::float64) return "double";
    // A path has an edge to each vertex at the most, and no edge twice; one more is added to try
    // it. While a circle of negative length is not found yet, edges come again.
    const double largest = std::max(std::abs(range.least), std::abs(range.largest));
    double longest = largest * static_cast<double>(std::max<Index>(graph.vertices(), 1));
    if (range.least >= 0) longest = std::min(longest, range.total + largest);
    if (longest < static_cast<double>(std::numeric_limits<std::int32_t>::max())) return "int";
    constexpr double most = 9.2e18; // a little less than int64 holds: the sum is rounded
    return longest < most ? "int64" : "double";
}

} // namespace

std::string length_type(const PreparedGraph& graph, bool negative_allowed, std::string_view purpose,
                        const Context& context) {
    return length_type(graph.graph(), graph.cache().value_range(context), negative_allowed,
                       purpose);
}

std::map<std::string, std::string> types_of_paths(const PreparedGraph& graph, bool negative_allowed,
                                                  std::string_view purpose,
                                                  const Context& context) {
    const ValueRange range = graph.cache().value_range(context);
    const std::string lengths = length_type(graph.graph(), range, negative_allowed, purpose);
    std::string values = lengths;
    if ((lengths == "int" || lengths == "int64") && range.least >= 0) {
        if (range.largest <= std::numeric_limits<std::uint8_t>::max()) values = "uint8";
        else if (range.largest <= std::numeric_limits<std::uint16_t>::max()) values = "uint16";
    }
    return {{"weight", lengths}, {"value", values}};
}

void require_finite(const PreparedGraph& graph, std::string_view purpose, const Context& context) {
    const ValueRange range = graph.cache().value_range(context);
    if (std::isfinite(range.least) && std::isfinite(range.largest)) return;
    const double odd = std::isfinite(range.least) ? range.largest : range.least;
    throw Error({.code = ErrorCode::range,
                 .message = fmt::format("{} needs finite values, and {} has {}", purpose,
                                        called(graph.graph()), odd)});
}

namespace {

/// A length that left its range, of a path from any source, as what is wrong with it; or nothing.
std::string range_complaint(const PreparedGraph& prepared, const Array& lengths,
                            const Context& context) {
    const Graph& graph = prepared.graph();
    const derived::GraphCache::Side side = prepared.cache().side(false, true, context);
    const auto pos = side.pos.as<std::int64_t>();
    const auto crd = side.crd.as<std::int64_t>();
    const Array all = prepared.cache().values(false, ElementType::float64, context);
    const auto values = all.as<double>();
    const Index n = graph.vertices();
    const auto name = [&](Index v) { return verify::vertex_text(graph, v); };
    for (Index first = 0; first < lengths.size(); first += n) {
        context.check_cancelled();
        for (Index u = 0; u < n; ++u) {
            const double length = lengths.value_at(first + u);
            if (is_nan(length) || length == -std::numeric_limits<double>::infinity()) {
                return fmt::format("the length of the path to {} is {}", name(u), length);
            }
            if (!std::isfinite(length)) continue;
            for (Index e = pos[u]; e < pos[u + 1]; ++e) {
                if (!std::isfinite(values[e]) || std::isfinite(lengths.value_at(first + crd[e]))) {
                    continue;
                }
                return fmt::format("the length of a path to {} is beyond the largest number",
                                   name(crd[e]));
            }
        }
    }
    return {};
}

} // namespace

void check_lengths(const PreparedGraph& graph, AlgorithmResult& result, const std::string& name,
                   std::string_view purpose, const Context& context) {
    const Array& lengths = result.tensor(name).values();
    if (!is_float(lengths.type()) || graph.graph().tensor.is_pattern()) return;
    const ValueRange range = graph.cache().value_range(context);
    const double most = lengths.type() == ElementType::float32
                            ? static_cast<double>(std::numeric_limits<float>::max())
                            : std::numeric_limits<double>::max();
    // Far enough below the largest number for rounding not to matter.
    const double largest = std::max(std::abs(range.least), std::abs(range.largest));
    if (largest * static_cast<double>(graph.graph().vertices()) < most / 2) return;
    const std::string complaint = range_complaint(graph, lengths, context);
    if (!complaint.empty()) {
        const char* hint = "smaller edge values, divided by the same number";
        if (lengths.type() == ElementType::float32) {
            hint = "float64 as the type of the edge values (--type float64), or smaller values";
        }
        throw Error(
            {.code = ErrorCode::range,
             .message = fmt::format("{} of {}: {}", purpose, called(graph.graph()), complaint),
             .hint = std::isinf(range.least) ? "" : hint});
    }
    if (range.largest == std::numeric_limits<double>::infinity()) {
        result.notes.push_back(fmt::format("edges of {} whose value is inf lead nowhere for {}",
                                           called(graph.graph()), purpose));
    }
}

void require_directed(const Graph& graph, std::string_view purpose) {
    if (graph.kind != EdgeKind::undirected || graph.entries() == 0) return;
    throw Error({.code = ErrorCode::unsupported,
                 .message = fmt::format("{} needs directed edges, and {} is undirected: the graph "
                                        "has a cycle at each edge, there and back",
                                        purpose, called(graph))});
}

std::string lanes_type(const LanesOption& option, double count) {
    if (count != std::floor(count) || count < 2 || count > most_factors) {
        throw Error({.code = ErrorCode::range,
                     .message = fmt::format("there cannot be {} {}", count, option.name),
                     .accepted = fmt::format("2 to {}", most_factors)});
    }
    return fmt::format("{}[{}]", option.element, static_cast<int>(count));
}

void check_source(const Graph& graph, Index source) {
    if (source >= 0 && source < graph.vertices()) return;
    throw Error(
        {.code = ErrorCode::range,
         .message = fmt::format("there is no vertex at position {} of {}", source, called(graph)),
         .accepted = graph.vertices() == 0 ? "nothing: the graph has no vertices"
                                           : fmt::format("0 to {}", graph.vertices() - 1)});
}

const Algorithm& library_function(const std::string& file, const std::string& function,
                                  const std::map<std::string, std::string>& types, bool wide) {
    static std::mutex mutex;
    static std::map<std::string, std::unique_ptr<Algorithm>> known;
    std::string key = fmt::format("{}/{}/{}", file, function, wide);
    for (const auto& [name, type] : types) key += fmt::format("/{}={}", name, type);
    const std::scoped_lock lock(mutex);
    std::unique_ptr<Algorithm>& algorithm = known[key];
    if (!algorithm) {
        AlgorithmOptions options;
        options.function = function;
        options.wide = wide;
        options.types = types;
        algorithm = std::make_unique<Algorithm>(Algorithm::from_library(file, options));
    }
    return *algorithm;
}

bool needs_wide(const Graph& graph) {
    constexpr Index narrow = std::numeric_limits<std::int32_t>::max();
    return graph.entries() >= narrow || graph.vertices() >= narrow;
}

} // namespace tropic::library
