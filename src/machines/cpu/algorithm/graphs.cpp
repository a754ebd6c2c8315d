// Graphs as compiled code sees them, and those that an algorithm derives.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "graph/derived/graph_cache.h"
#include "machines/cpu/algorithm/algorithm_session.h"
#include "machines/cpu/team_loops.h"

namespace tropic::cpu {

namespace la = language::algorithm;

namespace {

constexpr std::int64_t line_bytes = 64;

/// Values in the type that the variable wants; a misfit names the variable.
Array values_for(AlgorithmSession& session, const la::Variable& variable,
                 derived::GraphCache& graph, bool inward) {
    try {
        return graph.values(inward, variable.type.element, session.context());
    } catch (const Error& error) {
        if (error.code() != ErrorCode::range) throw;
        throw Error({.code = ErrorCode::range,
                     .message = fmt::format("the values of {}: {}", variable.name,
                                            error.diagnostic().message),
                     .file = graph.graph().name,
                     .hint = "the algorithm wants values of another type than the graph has"});
    }
}

void require_shape(const AlgorithmSession& session, const la::Variable& variable,
                   const Graph& graph) {
    require_matrix(graph, "an algorithm");
    const bool made = variable.type.columns >= 0; // of the spaces that its statement says
    if (variable.rectangular || made || graph.is_square()) return;
    throw Error({.code = ErrorCode::inconsistent,
                 .message = fmt::format("{} of {} must be square, and {} is {} x {}", variable.name,
                                        session.algorithm.name, graph.name, graph.tensor.dim(0),
                                        graph.tensor.dim(1)),
                 .hint = graph.tensor.dim(0) == graph.tensor.dim(1)
                             ? "its rows and columns are two kinds of things"
                             : "rows and columns must be the same vertices"});
}

/// The elements of a vector as truths.
Array truths_of(AlgorithmSession& session, const StoredVector& vector) {
    Array truths = Array::allocate(ElementType::uint8, vector.size, session.context(), "a filter");
    auto* const out = static_cast<std::uint8_t*>(address_of(truths));
    visit_type(vector.memory.type(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        const T* const in = static_cast<const T*>(vector.data);
        team_ranges(*session.team, vector.size, 1 << 16, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) out[i] = in[i] != T{} ? 1 : 0;
        });
    });
    return truths;
}

void put_permutation(AlgorithmSession& session, std::int64_t variable, const StoredGraph& graph) {
    StoredVector& vector = vector_at(session.frame, variable);
    const ElementType type = session.options.wide ? ElementType::int64 : ElementType::int32;
    make_vector(session, vector, session.type_of(variable), graph.rows, 1);
    const Array old_of = cast(graph.cache->old_of(), type, session.context());
    if (!old_of.empty()) {
        copy_bytes(*session.team, vector.data, old_of.data(), old_of.bytes());
        return;
    }
    visit_index(type, [&](auto tag) {
        using I = typename decltype(tag)::type;
        for (std::int64_t v = 0; v < graph.rows; ++v) {
            static_cast<I*>(vector.data)[v] = static_cast<I>(v);
        }
    });
}

} // namespace

void bind_graph(AlgorithmSession& session, std::int64_t id,
                std::shared_ptr<derived::GraphCache> graph) {
    const la::Variable& variable = session.algorithm.variables[static_cast<std::size_t>(id)];
    require_shape(session, variable, graph->graph());
    const Context& context = session.context();
    const bool wide = session.options.wide;
    StoredGraph& stored = graph_at(session.frame, id);
    const Tensor& tensor = graph->graph().tensor;
    // The old graph may be the source of the new one; it goes when that is whole.
    StoredGraph made{};
    made.rows = tensor.dim(0);
    made.columns = tensor.dim(1);
    made.entries = tensor.entries();
    const auto keep = [&](const Array& array) -> const void* {
        made.arrays.push_back(array);
        return address_of(array);
    };
    const bool values = variable.wants_values && !variable.type.pattern;
    const auto out = graph->side(false, wide, context);
    made.out_pos = keep(out.pos);
    made.out_crd = keep(out.crd);
    made.longest_out = graph->longest(false, context);
    made.nearby = graph->numbered_closely(context) ? line_bytes : 0;
    if (values) made.out_values = keep(values_for(session, variable, *graph, false));
    if (variable.wants_in) {
        const auto in = graph->side(true, wide, context);
        made.in_pos = keep(in.pos);
        made.in_crd = keep(in.crd);
        made.longest_in = graph->longest(true, context);
        if (values) made.in_values = keep(values_for(session, variable, *graph, true));
        if (session.survey.numbered.contains(static_cast<la::VariableId>(id))) {
            made.in_edge = keep(graph->edge_numbers(wide, context));
        }
    }
    made.cache = std::move(graph);
    stored = std::move(made);
}

void derive(Frame* frame, std::int64_t variable, const char* name, std::int64_t other,
            std::int64_t argument, const char* place) {
    AlgorithmSession& session = *frame->session;
    const StoredGraph& from = graph_at(*frame, other);
    if (session.type_of(variable).shape == la::Type::Shape::vector) {
        put_permutation(session, variable, from);
        return;
    }
    const std::string_view what = name;
    try {
        if (what == "same") {
            bind_graph(session, variable, from.cache);
        } else if (what == "subgraph") {
            StoredSet& set = set_at(*frame, argument);
            if (set.size < std::max(from.rows, from.columns)) {
                fail_at(session, place, ErrorCode::inconsistent,
                        "subgraph(...) needs a set of the graph's own vertices");
            }
            mark_members(session.set_tools(), set);
            bind_graph(session, variable, from.cache->subgraph(set.bits, session.context()));
        } else if (what == "filter") {
            const StoredVector& vector = vector_at(*frame, argument);
            if (vector.size != from.entries) {
                fail_at(session, place, ErrorCode::inconsistent,
                        "filter(...) needs a vector over the graph's own edges");
            }
            const Array truths = truths_of(session, vector);
            bind_graph(session, variable,
                       from.cache->filter(static_cast<const std::uint8_t*>(address_of(truths)),
                                          session.context()));
        } else {
            bind_graph(session, variable, from.cache->derived(what, session.context()));
        }
    } catch (const Error& error) {
        if (error.diagnostic().line != 0 || error.code() == ErrorCode::cancelled) throw;
        fail_at(session, place, error.code(), error.diagnostic().message, error.diagnostic().hint);
    }
}

void extreme(Frame* frame, std::int64_t graph, std::int64_t largest, void* value) {
    AlgorithmSession& session = *frame->session;
    const Array found =
        graph_at(*frame, graph)
            .cache->extreme(largest != 0, session.type_of(graph).element, session.context());
    std::memcpy(value, found.data(), found.bytes());
}

} // namespace tropic::cpu
