#include "program/algorithm_results.h"

#include <cstring>

#include <fmt/format.h>

#include "graph/derived/graph_cache.h"
#include "support/parallel.h"

namespace tropic::program {

namespace la = language::algorithm;
using Shape = la::Type::Shape;

namespace {

constexpr Index grain = 1 << 15;

/// Elements as a dense tensor: lanes are a last dimension of their own.
Tensor dense(Array values, std::vector<Index> shape, int lanes) {
    if (lanes > 1) shape.push_back(lanes);
    const int rank = static_cast<int>(shape.size());
    return {std::move(shape),
            Format::dense(rank),
            std::vector<Level>(static_cast<std::size_t>(rank)),
            std::move(values),
            true,
            true};
}

class Taking {
  public:
    Taking(cpu::AlgorithmSession& session, AlgorithmResult& result)
        : session_(session), result_(result) {}

    void take(la::VariableId id) {
        const la::Variable& variable = session_.algorithm.variables[static_cast<std::size_t>(id)];
        switch (variable.type.shape) {
        case Shape::scalar:
            take_number(variable.name, static_cast<std::byte*>(session_.slots[id]), variable.type);
            return;
        case Shape::vector:
        case Shape::table:
            take_vector(variable, cpu::vector_at(session_.frame, id));
            return;
        case Shape::set:
        case Shape::sparse:
            take_members(variable, cpu::set_at(session_.frame, id));
            return;
        case Shape::graph:
            take_graph(variable, cpu::graph_at(session_.frame, id));
            return;
        default:
            throw Error(ErrorCode::unsupported, fmt::format("{} cannot be a result", variable.name),
                        "results are numbers, vectors, sets, tables and graphs");
        }
    }

  private:
    bool wide() const { return session_.options.wide; }
    const Context& context() const { return session_.context(); }

    /// Calls action(name, offset, type) for the fields of a record.
    template <class Action>
    void for_fields(const std::string& name, const la::Type& type, const Action& action) const {
        const auto& records = session_.algorithm.records;
        std::size_t offset = 0;
        for (const auto& field : records[static_cast<std::size_t>(type.record)].fields) {
            const auto layout = cpu::layout_of(field.type, records, wide());
            offset = (offset + layout.alignment - 1) / layout.alignment * layout.alignment;
            action(fmt::format("{}.{}", name, field.name), offset, field.type);
            offset += layout.bytes;
        }
    }

    void take_number(const std::string& name, const std::byte* at, const la::Type& type) {
        if (type.record >= 0) {
            for_fields(
                name, type,
                [&](const std::string& field, std::size_t offset, const la::Type& field_type) {
                    take_number(field, at + offset, field_type);
                });
            return;
        }
        const ElementType stored = cpu::stored_type(type, wide());
        if (type.lanes > 1) {
            Array values = Array::allocate(stored, type.lanes, context(), "a result");
            std::memcpy(values.mutable_data(), at, values.bytes());
            result_.tensors[name] = dense(std::move(values), {type.lanes}, 1);
            return;
        }
        visit_type(stored, [&](auto tag) {
            typename decltype(tag)::type number;
            std::memcpy(&number, at, sizeof number);
            result_.numbers[name] = static_cast<double>(number);
            if (!is_float(stored)) result_.integers[name] = static_cast<std::int64_t>(number);
        });
    }

    /// The parts at `offset` of elements that are `stride` bytes apart.
    Array gathered(const std::byte* data, Index count, std::size_t stride, std::size_t offset,
                   const la::Type& type) const {
        const std::size_t bytes = session_.element_bytes(type);
        Array values = Array::allocate(cpu::stored_type(type, wide()), count * type.lanes,
                                       context(), "a result");
        auto* const out = static_cast<std::byte*>(cpu::address_of(values));
        parallel_ranges(context(), count, grain, [&](Index begin, Index end) {
            for (Index i = begin; i < end; ++i) {
                std::memcpy(out + static_cast<std::size_t>(i) * bytes,
                            data + static_cast<std::size_t>(i) * stride + offset, bytes);
            }
        });
        return values;
    }

    void take_vector(const la::Variable& variable, cpu::StoredVector& vector) {
        const la::Type& type = variable.type;
        std::vector<Index> shape = {vector.size};
        if (type.shape == Shape::table) shape.push_back(vector.columns);
        if (type.record < 0) {
            result_.tensors[variable.name] =
                dense(std::exchange(vector.memory, {}), std::move(shape), type.lanes);
            return;
        }
        const std::size_t stride = session_.element_bytes(type);
        for_fields(variable.name, type,
                   [&](const std::string& field, std::size_t offset, const la::Type& field_type) {
                       result_.tensors[field] =
                           dense(gathered(static_cast<const std::byte*>(vector.data),
                                          vector.size * vector.columns, stride, offset, field_type),
                                 shape, field_type.lanes);
                   });
    }

    /// Rows in order, with values of the type that the result has.
    void take_graph(const la::Variable& variable, cpu::StoredGraph& graph) {
        const auto side = graph.cache->side(false, wide(), context());
        std::vector<Level> levels(2);
        levels[1].kind = LevelKind::compressed;
        levels[1].pos = side.pos;
        levels[1].crd = side.crd;
        const la::Type& type = variable.type;
        Array values = type.pattern
                           ? Array::allocate(ElementType::pattern, graph.entries, context(), "")
                           : graph.cache->values(false, type.element, context());
        result_.tensors[variable.name] =
            Tensor({graph.rows, graph.columns}, Format::csr(), std::move(levels), std::move(values),
                   graph.cache->graph().tensor.unique(), true);
    }

    void take_members(const la::Variable& variable, cpu::StoredSet& set) {
        const la::Type& type = variable.type;
        if (type.record >= 0 || type.lanes > 1) {
            throw Error(ErrorCode::unsupported,
                        fmt::format("{} is sparse with elements that are no numbers, and cannot be "
                                    "a result",
                                    variable.name),
                        "assign it to a vector");
        }
        cpu::order_members(session_.set_tools(), set);
        std::vector<Level> levels(1);
        levels[0].kind = LevelKind::compressed;
        levels[0].pos = Array::zeros(ElementType::int64, 2, context(), "a result");
        levels[0].pos.mutable_as<std::int64_t>()[1] = set.count;
        levels[0].crd = Array::allocate(wide() ? ElementType::int64 : ElementType::int32, set.count,
                                        context(), "a result");
        cpu::copy_bytes(*session_.team, cpu::address_of(levels[0].crd), set.list,
                        levels[0].crd.bytes());
        Array values = Array::allocate(ElementType::pattern, set.count, context(), "a result");
        if (set.element_bytes > 0) {
            values =
                Array::allocate(cpu::stored_type(type, wide()), set.count, context(), "a result");
            auto* out = static_cast<std::byte*>(cpu::address_of(values));
            for (Index at = 0; at < set.count; ++at, out += set.element_bytes) {
                std::memcpy(out,
                            static_cast<const std::byte*>(set.values) +
                                static_cast<std::size_t>(levels[0].crd.index_at(at)) *
                                    set.element_bytes,
                            set.element_bytes);
            }
        }
        result_.tensors[variable.name] = Tensor({set.size}, Format::sparse_vector(),
                                                std::move(levels), std::move(values), true, true);
    }

    cpu::AlgorithmSession& session_;
    AlgorithmResult& result_;
};

} // namespace

void take_results(cpu::AlgorithmSession& session, AlgorithmResult& result) {
    Taking taking(session, result);
    for (const la::VariableId id : session.algorithm.results) taking.take(id);
    result.rounds = std::move(session.rounds);
    result.times = std::move(session.times);
    result.notes = std::move(session.notes);
}

} // namespace tropic::program
