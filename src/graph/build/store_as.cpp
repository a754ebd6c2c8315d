// Transforms that leave the entries and change how they are stored.
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "graph/build/entry_text.h"
#include "graph/storage/named_cast.h"
#include "support/parallel.h"
#include "tropic/error.h"
#include "tropic/transform.h"

namespace tropic {

namespace {

/// Values that are not what they were: floating-point types hold some numbers only nearly.
Index count_rounded(const Array& before, const Array& after, const Context& context) {
    if (!is_float(after.type()) || before.type() == ElementType::pattern) return 0;
    return visit_type(before.type(), [&](auto from_tag) {
        const auto from = before.as<typename decltype(from_tag)::type>();
        return visit_type(after.type(), [&](auto to_tag) {
            const auto to = after.as<typename decltype(to_tag)::type>();
            const auto rounded = [&](Index e) {
                // Wide enough for every value of both types.
                const auto old_value = static_cast<long double>(from[e]);
                const auto new_value = static_cast<long double>(to[e]);
                return old_value != new_value && !(std::isnan(old_value) && std::isnan(new_value));
            };
            return parallel_combine(
                context, before.size(), Index{1} << 16, Index{0},
                [&](Index begin, Index end) {
                    Index count = 0;
                    for (Index e = begin; e < end; ++e) count += rounded(e) ? 1 : 0;
                    return count;
                },
                std::plus<>{});
        });
    });
}

} // namespace

Graph cast(Graph graph, ElementType type, const Context& context) {
    const auto& levels = graph.tensor.format().levels;
    if (type == ElementType::pattern && !levels.empty() && levels.back() == LevelKind::dense) {
        throw Error({.code = ErrorCode::unsupported,
                     .message = "a dense tensor cannot do without values",
                     .file = graph.name,
                     .accepted = "sparse formats",
                     .hint = "store it sparse first, such as csr"});
    }
    const Array before = graph.tensor.values();
    try {
        const auto name = [&](Index entry) { return entry_text(graph.tensor, graph.ids, entry); };
        graph.tensor = graph.tensor.with_values(cast(before, type, context, name));
    } catch (const Error& error) {
        if (error.code() != ErrorCode::range) throw;
        Diagnostic misfit = error.diagnostic();
        misfit.file = graph.name;
        throw Error(std::move(misfit));
    }
    Step step{fmt::format("values from {} to {}", name_of(before.type()), name_of(type)),
              {{"entries", graph.entries()}}};
    const Index rounded = count_rounded(before, graph.tensor.values(), context);
    if (rounded > 0) step.counts.emplace_back("rounded", rounded);
    graph.steps.push_back(std::move(step));
    return graph;
}

Graph store_as(Graph graph, const Format& format, const Context& context) {
    const Index before = graph.entries();
    graph.tensor = convert(graph.tensor, format, context);
    Step step{fmt::format("stored as {}", format.name()), {{"entries", before}}};
    if (graph.entries() != before) step.counts.emplace_back("stored", graph.entries());
    graph.steps.push_back(std::move(step));
    return graph;
}

} // namespace tropic
