#include "library/perform.h"

#include <charconv>

#include <fmt/format.h>

#include "library/prepare.h"
#include "support/counted.h"
#include "tropic/error.h"

namespace tropic::library {

namespace {

double default_of(const AlgorithmVariable& parameter) {
    const std::string& text = parameter.initial;
    if (text == "true" || text == "false") return text == "true" ? 1 : 0;
    double number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

/// Types of the text that follow the graph and the options.
std::map<std::string, std::string> types_for(const Entry& entry, const Method& method,
                                             const PreparedGraph& graph,
                                             const std::map<std::string, Argument>& given,
                                             const Context& context) {
    if (entry.type == "weight") {
        if (entry.value_type) return types_of_paths(graph, method.negative, entry.name, context);
        return {{"weight", length_type(graph, method.negative, entry.name, context)}};
    }
    if (entry.lanes) {
        const std::string name(entry.lanes->name);
        if (const auto lanes = given.find(name); lanes != given.end()) {
            return {{name, lanes_type(*entry.lanes, lanes->second.number().value())}};
        }
    }
    // Single precision ends where rounding is as large as what is asked for.
    constexpr double finest_for_float = 1e-5;
    const auto tolerance = given.find("tolerance");
    if (entry.type == "real" && tolerance != given.end() &&
        tolerance->second.number().value() < finest_for_float) {
        return {{"real", "double"}};
    }
    return {};
}

/// What there is to say of rounds that ended at their limit, or nothing.
std::string limit_note(const Entry& entry, const Performance& performance) {
    const auto limit = performance.options.find("limit");
    const auto tolerance = performance.options.find("tolerance");
    const auto& numbers = performance.result.numbers;
    const auto change = numbers.find("change");
    const auto rounds = numbers.find("rounds");
    if (limit == performance.options.end() || tolerance == performance.options.end() ||
        change == numbers.end() || rounds == numbers.end()) {
        return {};
    }
    if (rounds->second < limit->second || change->second <= tolerance->second) return {};
    return fmt::format("{} ended at its limit of {}, with a change of {:.3g} in the last round, "
                       "above the tolerance of {:.3g}",
                       entry.name, counted(static_cast<Index>(limit->second), "rounds"),
                       change->second, tolerance->second);
}

} // namespace

void check_options(const Entry& entry, const Method& method,
                   const std::map<std::string, Argument>& given) {
    for (const auto& [name, value] : given) {
        if (std::ranges::find(method.options, name) != method.options.end()) {
            check_range(entry, name, value);
            continue;
        }
        refuse_option(entry, method, name);
    }
}

Performance perform(const Entry& entry, const Method& method, const PreparedGraph& prepared,
                    Index source, const std::map<std::string, Argument>& given,
                    const AlgorithmRunOptions& options, const Context& context) {
    const Graph& graph = prepared.graph();
    check_options(entry, method, given);
    if (entry.source) check_source(graph, source);
    if (entry.directed) require_directed(graph, entry.name);
    if ((entry.shape == Shape::matrix || entry.weights) && !method.negative) {
        static_cast<void>(length_type(prepared, method.negative, entry.name, context));
    }
    if (entry.lanes || entry.finite) require_finite(prepared, entry.name, context);
    Performance performance;
    const std::map<std::string, std::string> types =
        types_for(entry, method, prepared, given, context);
    performance.algorithm = &library_function(
        std::string(entry.name), function_for(method, graph.kind), types, needs_wide(graph));
    Arguments arguments;
    for (const AlgorithmVariable& parameter : performance.algorithm->parameters()) {
        if (parameter.kind == AlgorithmVariable::Kind::graph) {
            arguments.set(parameter.name, prepared);
        } else if (entry.source && parameter.name == "source") {
            arguments.set(parameter.name, source);
        } else if (const auto value = given.find(parameter.name); value != given.end()) {
            arguments.set(parameter.name, value->second);
            performance.options[parameter.name] = value->second.number().value();
        } else {
            performance.options[parameter.name] = default_of(parameter);
        }
    }
    if (entry.lanes) {
        const std::string name(entry.lanes->name);
        const auto lanes = given.find(name);
        performance.options[name] =
            lanes != given.end() ? lanes->second.number().value() : entry.lanes->initial;
    }
    performance.result = performance.algorithm->run(arguments, context, options);
    for (const Column& column : method.columns) {
        if (column.summary != Summary::distances) continue;
        check_lengths(prepared, performance.result, std::string(column.result), entry.name,
                      context);
    }
    const bool wants_values =
        performance.algorithm->parameters().front().element != ElementType::pattern;
    if (!wants_values && !graph.tensor.is_pattern()) {
        performance.result.notes.push_back(
            fmt::format("{} does not look at the values of {}", entry.name, called(graph)));
    }
    if (std::string note = limit_note(entry, performance); !note.empty()) {
        performance.result.notes.push_back(std::move(note));
    }
    const auto weight = types.find("weight");
    if (weight != types.end() && weight->second == "double" && !is_float(graph.tensor.type())) {
        performance.result.notes.push_back(fmt::format(
            "lengths in {} may not fit 64 bits: they are reals, and rounded", called(graph)));
    }
    return performance;
}

} // namespace tropic::library
