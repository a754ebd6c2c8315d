// Vertices written as functions of the host, for tests of everything around them. Each counts the
// slots it is told to, and calls the observer as checked code does.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "machines/tile/codelet.h"
#include "machines/tile/graph.h"

namespace tropic::tile {

class NativeLibrary final : public CodeletLibrary {
  public:
    explicit NativeLibrary(std::vector<VertexType> types) : types_(std::move(types)) {}
    std::span<const VertexType> types() const override { return types_; }

  private:
    std::vector<VertexType> types_;
};

/// out[i] = in[i] + add, in as many slots as elements.
struct AddState {
    SpanField in;
    SpanField out;
    std::int32_t add;
};

inline Cost run_add(const Invocation& invocation) {
    auto& state = *static_cast<AddState*>(invocation.state);
    const auto* in = static_cast<const std::int32_t*>(state.in.begin);
    auto* out = static_cast<std::int32_t*>(state.out.begin);
    for (std::uint64_t i = 0; i < state.out.size; ++i) out[i] = in[i] + state.add;
    return state.out.size;
}

/// Flags set by all workers: worker w sets flags w, w + 6, ...
struct FlagState {
    SpanField flags;
};

inline Cost run_flags(const Invocation& invocation) {
    auto& state = *static_cast<FlagState*>(invocation.state);
    auto* flags = static_cast<std::uint8_t*>(state.flags.begin);
    Cost slots = 0;
    for (std::uint64_t i = invocation.worker; i < state.flags.size; i += 6, ++slots) {
        if (invocation.observer != nullptr) invocation.observer->on_store(flags + i, 1, 7);
        flags[i] = 1;
    }
    return slots;
}

/// All flags set by one worker.
inline Cost run_set_flags(const Invocation& invocation) {
    auto& state = *static_cast<FlagState*>(invocation.state);
    auto* flags = static_cast<std::uint8_t*>(state.flags.begin);
    for (std::uint64_t i = 0; i < state.flags.size; ++i) {
        if (invocation.observer != nullptr) invocation.observer->on_store(flags + i, 1, 9);
        flags[i] = 1;
    }
    return state.flags.size;
}

/// Reads in[at] and writes out[at], bounds or not, telling the observer.
struct TouchState {
    SpanField in;
    SpanField out;
    std::int32_t at;
};

inline Cost run_touch(const Invocation& invocation) {
    auto& state = *static_cast<TouchState*>(invocation.state);
    const auto* in = static_cast<const std::int32_t*>(state.in.begin) + state.at;
    auto* out = static_cast<std::int32_t*>(state.out.begin) + state.at;
    if (invocation.observer != nullptr) {
        invocation.observer->on_load(in, 4, 11);
        invocation.observer->on_store(out, 4, 12);
    }
    *out = *in;
    return 3;
}

inline Field make_field(std::string name, FieldRole role, FieldShape shape, ElementType type,
                        std::size_t offset, std::size_t bytes) {
    Field field;
    field.name = std::move(name);
    field.role = role;
    field.shape = shape;
    field.type = type;
    field.offset = offset;
    field.host_bytes = bytes;
    field.tile_bytes = 8;
    field.alignment = static_cast<std::uint32_t>(bytes_of(type));
    return field;
}

inline VertexType make_type(std::string name, VertexKind kind, std::vector<Field> fields,
                            std::size_t bytes, Cost (*run)(const Invocation&)) {
    VertexType type;
    type.name = std::move(name);
    type.kind = kind;
    type.fields = std::move(fields);
    type.host_bytes = bytes;
    type.host_alignment = 8;
    type.tile_bytes = 16;
    type.code_bytes = 100;
    type.source_file = "native.cpp";
    type.run = run;
    return type;
}

inline std::shared_ptr<CodeletLibrary> native_codelets() {
    const auto span = [](const char* name, FieldRole role, std::size_t offset) {
        return make_field(name, role, FieldShape::span, ElementType::int32, offset,
                          sizeof(SpanField));
    };
    const auto state = [](const char* name, std::size_t offset) {
        return make_field(name, FieldRole::state, FieldShape::scalar, ElementType::int32, offset,
                          4);
    };
    const std::vector<Field> add{span("in", FieldRole::input, offsetof(AddState, in)),
                                 span("out", FieldRole::output, offsetof(AddState, out)),
                                 state("add", offsetof(AddState, add))};
    std::vector<Field> wide = add;
    wide[0].alignment = 8;
    const std::vector<Field> touch{span("in", FieldRole::input, offsetof(TouchState, in)),
                                   span("out", FieldRole::in_out, offsetof(TouchState, out)),
                                   state("at", offsetof(TouchState, at))};
    const std::vector<Field> flags{make_field("flags", FieldRole::output, FieldShape::span,
                                              ElementType::boolean, offsetof(FlagState, flags),
                                              sizeof(SpanField))};
    return std::make_shared<NativeLibrary>(std::vector<VertexType>{
        make_type("Add", VertexKind::worker, add, sizeof(AddState), run_add),
        make_type("AddWide", VertexKind::worker, wide, sizeof(AddState), run_add),
        make_type("Touch", VertexKind::worker, touch, sizeof(TouchState), run_touch),
        make_type("SetFlags", VertexKind::worker, flags, sizeof(FlagState), run_set_flags),
        make_type("Flags", VertexKind::multi, flags, sizeof(FlagState), run_flags)});
}

/// A machine of a few tiles whose costs are easy to add up by hand.
inline Machine small_machine(std::uint32_t tiles) {
    Machine machine = find_machine("gc200");
    machine.name = "small";
    machine.tiles_per_chip = tiles;
    machine.sync_cycles = 1000;
    machine.exchange_setup_cycles = 100;
    machine.exchange_region_cycles = 0;
    machine.exchange_aligned_bytes_per_cycle = 4;
    machine.local_copy_region_cycles = 10;
    machine.rearrange_region_cycles = 50;
    machine.rearrange_bytes_per_cycle = 2;
    machine.subword_region_cycles = 7;
    machine.compute_set_cycles = 20;
    machine.worker_start_cycles = 5;
    machine.multi_start_cycles = 13;
    return machine;
}

struct SmallGraph {
    std::shared_ptr<Graph> graph;

    explicit SmallGraph(std::uint32_t tiles) : SmallGraph(small_machine(tiles)) {}
    explicit SmallGraph(Machine machine) : graph(std::make_shared<Graph>(std::move(machine))) {
        graph->add_library(native_codelets());
    }

    Tensor variable(const char* name, std::int64_t elements,
                    ElementType type = ElementType::int32) {
        return graph->add_variable(type, {elements}, name);
    }
    Tensor variable_on(const char* name, std::int64_t elements, std::uint32_t tile,
                       ElementType type = ElementType::int32) {
        Tensor tensor = variable(name, elements, type);
        graph->set_tile(tensor, tile);
        return tensor;
    }
    VertexId add(ComputeSetId set, const Tensor& in, const Tensor& out, std::uint32_t tile,
                 const char* type = "Add") {
        const VertexId vertex = graph->add_vertex(set, type);
        graph->connect(vertex, "in", in);
        graph->connect(vertex, "out", out);
        graph->set_tile(vertex, tile);
        return vertex;
    }
    void set(VertexId vertex, const char* field, std::int32_t value) {
        graph->set_field_value(vertex, field, std::as_bytes(std::span(&value, 1)));
    }
};

inline ProgramPtr execute(ComputeSetId set) {
    auto program = std::make_shared<Program>();
    program->kind = ProgramKind::execute;
    program->target = set;
    return program;
}

inline ProgramPtr sequence(std::vector<ProgramPtr> children) {
    auto program = std::make_shared<Program>();
    program->children = std::move(children);
    return program;
}

inline ProgramPtr copy(const Tensor& from, const Tensor& to) {
    auto program = std::make_shared<Program>();
    program->kind = ProgramKind::copy;
    program->tensors = {from, to};
    return program;
}

inline ProgramPtr repeat(std::uint64_t count, ProgramPtr body) {
    auto program = std::make_shared<Program>();
    program->kind = ProgramKind::repeat;
    program->count = count;
    program->children = {std::move(body)};
    return program;
}

} // namespace tropic::tile
