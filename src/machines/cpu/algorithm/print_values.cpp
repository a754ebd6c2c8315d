// What `print` shows: numbers as they are, vertices by the ids of the file they came from.
#include <cstring>
#include <iterator>

#include <fmt/format.h>

#include "graph/derived/graph_cache.h"
#include "machines/cpu/algorithm/algorithm_session.h"

namespace tropic::cpu {

namespace la = language::algorithm;

namespace {

class ValueText {
  public:
    explicit ValueText(AlgorithmSession& session) : session_(session) {
        for (const la::VariableId id : session.algorithm.parameters) {
            if (session.type_of(id).shape != la::Type::Shape::graph) continue;
            const auto& cache = graph_at(session.frame, id).cache;
            if (cache && !cache->graph().ids.empty()) ids_ = &cache->graph().ids[0];
            return;
        }
    }

    void add(std::string_view text) { text_ += text; }
    void add_vertex(std::int64_t vertex) {
        if (vertex < 0) text_ += "none";
        else text_ += fmt::to_string(ids_ == nullptr ? vertex : (*ids_)[vertex]);
    }
    void add_value(const std::byte* at, const la::Type& type) {
        if (type.record >= 0) return add_record(at, type);
        if (type.lanes == 1) return add_number(at, type);
        const std::size_t bytes = size_of(stored_type(type, session_.options.wide));
        text_ += '[';
        for (int lane = 0; lane < type.lanes; ++lane) {
            if (lane > 0) text_ += ", ";
            add_number(at + static_cast<std::size_t>(lane) * bytes, type);
        }
        text_ += ']';
    }

    void print() {
        text_ += '\n';
        if (session_.options.print) session_.options.print(text_);
    }

  private:
    void add_number(const std::byte* at, const la::Type& type) {
        visit_type(stored_type(type, session_.options.wide), [&](auto tag) {
            typename decltype(tag)::type number;
            std::memcpy(&number, at, sizeof number);
            if (type.vertex) add_vertex(static_cast<std::int64_t>(number));
            else text_ += fmt::format("{}", number);
        });
    }

    void add_record(const std::byte* at, const la::Type& type) {
        std::size_t offset = 0;
        text_ += '(';
        const auto& records = session_.algorithm.records;
        for (const auto& field : records[static_cast<std::size_t>(type.record)].fields) {
            const ElementLayout layout = layout_of(field.type, records, session_.options.wide);
            offset = (offset + layout.alignment - 1) / layout.alignment * layout.alignment;
            if (text_.back() != '(') text_ += ", ";
            add_value(at + offset, field.type);
            offset += layout.bytes;
        }
        text_ += ')';
    }

    AlgorithmSession& session_;
    const VertexIds* ids_ = nullptr;
    std::string text_;
};

void add_elements(ValueText& out, const StoredVector& vector, const la::Type& type,
                  std::size_t bytes) {
    const auto* const data = static_cast<const std::byte*>(vector.data);
    for (std::int64_t row = 0; row < vector.size; ++row) {
        for (std::int64_t column = 0; column < vector.columns; ++column) {
            const std::int64_t at = row * vector.columns + column;
            if (at > 0) out.add(column == 0 && vector.columns > 1 ? "\n" : ", ");
            out.add_value(data + static_cast<std::size_t>(at) * bytes, type);
        }
    }
}

void add_members(AlgorithmSession& session, ValueText& out, StoredSet& set, const la::Type& type) {
    order_members(session.set_tools(), set);
    const bool vertices = session.algorithm.spaces[static_cast<std::size_t>(type.space)].kind ==
                          la::Space::Kind::rows;
    out.add("{");
    for (std::int64_t at = 0; at < set.count; ++at) {
        const std::int64_t item = session.options.wide
                                      ? static_cast<const std::int64_t*>(set.list)[at]
                                      : static_cast<const std::int32_t*>(set.list)[at];
        if (at > 0) out.add(", ");
        if (vertices) out.add_vertex(item);
        else out.add(fmt::to_string(item));
        if (set.element_bytes == 0) continue;
        out.add(": ");
        out.add_value(static_cast<const std::byte*>(set.values) +
                          static_cast<std::size_t>(item) * set.element_bytes,
                      type);
    }
    out.add("}");
}

} // namespace

void print_value(Frame* frame, const void* value, std::int64_t type, std::int64_t vertex,
                 std::int64_t lanes, std::int64_t record) {
    ValueText out(*frame->session);
    out.add_value(static_cast<const std::byte*>(value), {.shape = la::Type::Shape::scalar,
                                                         .element = static_cast<ElementType>(type),
                                                         .vertex = vertex != 0,
                                                         .lanes = static_cast<int>(lanes),
                                                         .record = static_cast<int>(record)});
    out.print();
}

void print_variable(Frame* frame, std::int64_t variable) {
    AlgorithmSession& session = *frame->session;
    const la::Type& type = session.type_of(variable);
    ValueText out(session);
    switch (type.shape) {
    case la::Type::Shape::vector:
    case la::Type::Shape::table:
        add_elements(out, vector_at(*frame, variable), type, session.element_bytes(type));
        break;
    case la::Type::Shape::set:
    case la::Type::Shape::sparse:
        add_members(session, out, set_at(*frame, variable), type);
        break;
    case la::Type::Shape::stack:
        out.add(fmt::format("a stack of {} sets", stack_at(*frame, variable).count));
        break;
    case la::Type::Shape::graph: {
        const StoredGraph& graph = graph_at(*frame, variable);
        out.add(fmt::format("a graph of {} x {} vertices and {} entries", graph.rows, graph.columns,
                            graph.entries));
        break;
    }
    default:
        out.add_value(static_cast<const std::byte*>(frame->slots[variable]), type);
    }
    out.print();
}

} // namespace tropic::cpu
