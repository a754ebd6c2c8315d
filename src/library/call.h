// How a typed call becomes a run of a text of the library.
#pragma once

#include "library/prepare.h"
#include "tropic/algorithms/call.h"

namespace tropic::library {

struct Call {
    std::string file;
    std::string function;
    std::map<std::string, std::string> types = {};
};

/// Runs the function on the graph, which its first parameter gets, and the other arguments.
AlgorithmResult run(const Call& call, const PreparedGraph& graph, Arguments arguments,
                    const CallOptions& options, const Context& context);

/// As Algorithm::run does, for what is run in another way: throws Error(usage) if it is below 0 or
/// no number.
void check_timeout(double seconds);

[[noreturn]] void refuse_method(std::string_view algorithm, int method);

/// Throws Error(usage), with the methods there are, unless that is one of an enum that ends with
/// `last`.
template <class Method>
void require_method(std::string_view algorithm, Method method, Method last) {
    if (method < Method{} || method > last) refuse_method(algorithm, static_cast<int>(method));
}

CallReport report_of(const AlgorithmResult& result);

/// The elements of a result; none if the function has no such result.
Array array_of(const AlgorithmResult& result, const std::string& name);

/// Throws Error(unsupported) unless every edge is stored both ways, with the same value.
void require_undirected(const Graph& graph, std::string_view purpose, const Context& context);

/// Throws Error(unsupported) unless every edge is stored both ways, once, and there are no loops.
void require_simple(const Graph& graph, std::string_view purpose, const Context& context);

} // namespace tropic::library
