#include "library/call.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "library/catalogue.h"
#include "tropic/error.h"
#include "tropic/statistics.h"

namespace tropic::library {

AlgorithmResult run(const Call& call, const PreparedGraph& graph, Arguments arguments,
                    const CallOptions& options, const Context& context) {
    if (const Entry* const entry = find_entry(call.file)) {
        for (const auto& [name, value] : arguments.values()) check_range(*entry, name, value);
    }
    const Algorithm& algorithm =
        library_function(call.file, call.function, call.types, needs_wide(graph.graph()));
    arguments.set(algorithm.parameters().front().name, graph);
    AlgorithmRunOptions run_options;
    run_options.timeout = options.timeout;
    run_options.record_rounds = options.record_rounds;
    return algorithm.run(arguments, context, run_options);
}

void check_timeout(double seconds) {
    if (seconds >= 0) return;
    throw Error({.code = ErrorCode::usage,
                 .message = fmt::format("a run cannot end after {} s", seconds),
                 .accepted = "a positive number of seconds; 0: it may take as long as it takes"});
}

void refuse_method(std::string_view algorithm, int method) {
    std::vector<std::string_view> names;
    if (const Entry* const entry = find_entry(algorithm)) {
        for (const Method& one : entry->methods) names.push_back(one.name);
    }
    throw Error({.code = ErrorCode::usage,
                 .message = fmt::format("{} has no method of the number {}", algorithm, method),
                 .accepted = fmt::format("{}", fmt::join(names, ", "))});
}

CallReport report_of(const AlgorithmResult& result) {
    return {result.seconds, result.notes, result.rounds};
}

Array array_of(const AlgorithmResult& result, const std::string& name) {
    const auto found = result.tensors.find(name);
    return found == result.tensors.end() ? Array() : found->second.values();
}

void require_undirected(const Graph& graph, std::string_view purpose, const Context& context) {
    require_square(graph, purpose);
    const Statistics statistics = statistics_of(graph.tensor, context);
    if (statistics.pattern_symmetric && (!statistics.values || statistics.value_symmetric)) return;
    throw Error({.code = ErrorCode::unsupported,
                 .message = fmt::format("{} needs a graph that stores every edge both ways, with "
                                        "the same value, and {} does not",
                                        purpose, called(graph)),
                 .hint = "symmetrise makes one"});
}

void require_simple(const Graph& graph, std::string_view purpose, const Context& context) {
    require_square(graph, purpose);
    const Statistics statistics = statistics_of(graph.tensor, context);
    if (statistics.pattern_symmetric && statistics.self_loops == 0 && statistics.duplicates == 0) {
        return;
    }
    throw Error({.code = ErrorCode::unsupported,
                 .message = fmt::format("{} needs a graph that stores every edge both ways, once, "
                                        "without loops, and {} does not",
                                        purpose, called(graph)),
                 .hint = "symmetrise, drop_self_loops and merge_duplicates make one"});
}

} // namespace tropic::library
