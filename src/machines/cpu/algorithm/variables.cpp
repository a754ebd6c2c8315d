// Whole variables: made, emptied, copied, combined, stacked.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "machines/cpu/algorithm/algorithm_session.h"
#include "machines/cpu/algorithm/rows.h"
#include "machines/cpu/team_loops.h"

namespace tropic::cpu {

namespace la = language::algorithm;

namespace {

using Shape = la::Type::Shape;

std::string name_of(const AlgorithmSession& session, std::int64_t variable) {
    return session.algorithm.variables[static_cast<std::size_t>(variable)].called();
}

/// Numbers of the stored type in one element.
Index parts(const AlgorithmSession& session, const la::Type& type) {
    // Only of patterns it would be nothing, and vectors hold values.
    const std::size_t number = size_of(stored_type(type, session.options.wide));
    return static_cast<Index>(session.element_bytes(type) / std::max<std::size_t>(number, 1));
}

void require_member(const AlgorithmSession& session, const StoredSet& set, std::int64_t variable,
                    std::int64_t item, const char* place) {
    if (item >= 0 && item < set.size) return;
    fail_at(session, place, ErrorCode::range,
            fmt::format("{} is not a member that {} can have", item, name_of(session, variable)),
            set.size == 0 ? "its space is empty"
                          : fmt::format("members are 0 to {}", set.size - 1));
}

} // namespace

void require_size(const AlgorithmSession& session, std::int64_t variable, std::int64_t size,
                  std::int64_t columns) {
    if (size >= 0 && columns >= 0) return;
    const la::Variable& made = session.algorithm.variables[static_cast<std::size_t>(variable)];
    const std::string place = fmt::format("{} {}", made.place.line, made.place.column);
    fail_at(session, place.c_str(), ErrorCode::range,
            fmt::format("{} would have {} {}", made.called(), size < 0 ? size : columns,
                        size < 0 ? "elements" : "columns"),
            "sizes are 0 or more, and those of 2^63 and more come out wrong");
}

void make_vector(AlgorithmSession& session, StoredVector& vector, const la::Type& type,
                 std::int64_t size, std::int64_t columns) {
    const Index elements = size * columns * parts(session, type);
    const ElementType stored = stored_type(type, session.options.wide);
    if (!vector.own || vector.memory.size() != elements || vector.memory.type() != stored) {
        vector.memory = {};
        vector.memory = Array::allocate(stored, elements, session.context(), "a vector");
        vector.own = true;
    }
    vector.data = address_of(vector.memory);
    vector.size = size;
    vector.columns = columns;
}

void create(Frame* frame, std::int64_t variable, std::int64_t size, std::int64_t columns,
            const void* reset) {
    AlgorithmSession& session = *frame->session;
    const la::Type& type = session.type_of(variable);
    require_size(session, variable, size, columns);
    switch (type.shape) {
    case Shape::vector:
    case Shape::table: {
        StoredVector& vector = vector_at(*frame, variable);
        const Index elements = size * columns * parts(session, type);
        const ElementType stored = stored_type(type, session.options.wide);
        if (vector.own && vector.memory.size() == elements && vector.memory.type() == stored) {
            const std::uint8_t zero = 0;
            fill_elements(*session.team, vector.data,
                          static_cast<std::int64_t>(vector.memory.bytes()), 1, &zero);
        } else {
            vector.memory = {};
            vector.memory = Array::zeros(stored, elements, session.context(), "a vector");
            vector.own = true;
        }
        vector.data = address_of(vector.memory);
        vector.size = size;
        vector.columns = columns;
        return;
    }
    case Shape::set:
        make_set(session.set_tools(), set_at(*frame, variable), size, ElementType::boolean, 0,
                 nullptr);
        return;
    case Shape::sparse: {
        const std::vector<std::byte> zeros(session.element_bytes(type));
        make_set(session.set_tools(), set_at(*frame, variable), size,
                 stored_type(type, session.options.wide), zeros.size(),
                 reset != nullptr ? reset : zeros.data());
        return;
    }
    case Shape::stack: {
        StoredStack& stack = stack_at(*frame, variable);
        stack.levels = {};
        stack.charges.clear();
        stack.count = 0;
        return;
    }
    case Shape::graph:
        make_empty_graph(session, variable, size, columns);
        return;
    default:
        throw Error(ErrorCode::internal,
                    fmt::format("{} cannot be made", name_of(session, variable)));
    }
}

void reserve(Frame* frame, std::int64_t variable, std::int64_t size, std::int64_t columns) {
    AlgorithmSession& session = *frame->session;
    require_size(session, variable, size, columns);
    make_vector(session, vector_at(*frame, variable), session.type_of(variable), size, columns);
}

void clear(Frame* frame, std::int64_t variable) {
    clear_set(frame->session->set_tools(), set_at(*frame, variable));
}

void mark(Frame* frame, std::int64_t variable) {
    mark_members(frame->session->set_tools(), set_at(*frame, variable));
}

void members(Frame* frame, std::int64_t variable, const std::int64_t* items, std::int64_t count,
             const char* place) {
    AlgorithmSession& session = *frame->session;
    StoredSet& set = set_at(*frame, variable);
    for (std::int64_t at = 0; at < count; ++at) {
        require_member(session, set, variable, items[at], place);
        insert_member(session.set_tools(), set, items[at]);
    }
    set.order = count <= 1 ? ListOrder::ascending : ListOrder::steady;
}

std::int64_t insert(Frame* frame, std::int64_t variable, std::int64_t item, const char* place) {
    AlgorithmSession& session = *frame->session;
    StoredSet& set = set_at(*frame, variable);
    require_member(session, set, variable, item, place);
    return insert_member(session.set_tools(), set, item) ? 1 : 0;
}

void assign(Frame* frame, std::int64_t variable, std::int64_t other) {
    AlgorithmSession& session = *frame->session;
    const la::Type& type = session.type_of(variable);
    if (type.is_members()) {
        copy_set(session.set_tools(), set_at(*frame, variable), set_at(*frame, other));
        return;
    }
    StoredVector& to = vector_at(*frame, variable);
    const StoredVector& from = vector_at(*frame, other);
    if (&to == &from) return;
    make_vector(session, to, type, from.size, from.columns);
    copy_bytes(*session.team, to.data, from.data, to.memory.bytes());
}

void combine(Frame* frame, std::int64_t variable, std::int64_t other, std::int64_t operation) {
    combine_sets(frame->session->set_tools(), set_at(*frame, variable), set_at(*frame, other),
                 static_cast<SetOperation>(operation));
}

namespace {

/// Room for more levels, charged before it is made: many small sets take more for themselves than
/// for their members.
void make_room(const AlgorithmSession& session, StoredStack& stack) {
    constexpr std::size_t least = 16;
    constexpr std::size_t list_alone = 176; // of an array, whatever it holds
    constexpr std::size_t each = sizeof(StoredStack::Level) + list_alone;
    const std::size_t room = stack.levels.capacity();
    if (stack.levels.size() < room) return;
    const std::size_t more = std::max(least, room / 2);
    stack.charges.emplace_back(session.context().budget(), more * each, "a stack of sets");
    stack.levels.reserve(room + more);
}

} // namespace

void push(Frame* frame, std::int64_t stack, std::int64_t set) {
    AlgorithmSession& session = *frame->session;
    StoredSet& from = set_at(*frame, set);
    StoredStack& to = stack_at(*frame, stack);
    list_members(session.set_tools(), from);
    make_room(session, to);
    Array list = Array::allocate(session.options.wide ? ElementType::int64 : ElementType::int32,
                                 from.count, session.context(), "a set on a stack");
    copy_bytes(*session.team, address_of(list), from.list, list.bytes());
    to.levels.push_back({std::move(list), from.order, from.size});
    to.count = static_cast<std::int64_t>(to.levels.size());
}

void pop(Frame* frame, std::int64_t stack, std::int64_t set, const char* place) {
    AlgorithmSession& session = *frame->session;
    StoredStack& from = stack_at(*frame, stack);
    if (from.levels.empty()) {
        fail_at(session, place, ErrorCode::range,
                fmt::format("stack {} is empty", name_of(session, stack)),
                fmt::format("ask count({}) first", name_of(session, stack)));
    }
    StoredSet& to = set_at(*frame, set);
    const StoredStack::Level level = std::move(from.levels.back());
    from.levels.pop_back();
    from.count = static_cast<std::int64_t>(from.levels.size());
    make_set(session.set_tools(), to, level.size, ElementType::boolean, 0, nullptr);
    set_members(session.set_tools(), to, address_of(level.list), level.list.size(), level.order);
}

} // namespace tropic::cpu
