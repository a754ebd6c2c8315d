#include "machines/tile/stored_executable.h"

#include <fmt/format.h>
#include <xxhash.h>

#include "machines/tile/codelets/library.h"
#include "machines/tile/machine_file.h"
#include "machines/tile/stored_program.h"

namespace tropic::tile {

namespace {

constexpr std::string_view magic = "tropic tile executable 1\n";
constexpr std::uint32_t element_types = 11;

void store_machine(ByteWriter& writer, const Machine& machine) {
    writer.text(machine.name);
    writer.list(machine_parameters(), [&](const MachineParameter& parameter) {
        writer.text(parameter.name);
        std::visit([&](auto member) { writer.number(static_cast<double>(machine.*member)); },
                   parameter.member);
    });
}

Machine load_machine(ByteReader& reader) {
    Machine machine;
    machine.name = reader.text();
    reader.list([&] {
        const std::string name = reader.text();
        const auto value = reader.number<double>();
        for (const MachineParameter& parameter : machine_parameters()) {
            if (parameter.name != name) continue;
            std::visit(
                [&](auto member) {
                    auto& target = machine.*member;
                    using Value = std::remove_reference_t<decltype(target)>;
                    if (!(value >= 0 && value <= 1e15)) ByteReader::refuse();
                    target = static_cast<Value>(value);
                },
                parameter.member);
        }
    });
    check_machine(machine);
    return machine;
}

void store_codelets(ByteWriter& writer, const Graph& graph) {
    writer.list(graph.libraries(), [&](const std::shared_ptr<CodeletLibrary>& library) {
        const CodeletImage* const image = library->image();
        if (image == nullptr) {
            throw Error(ErrorCode::unsupported,
                        "vertices that were not compiled from codelets cannot be stored");
        }
        writer.text(image->object);
        writer.text(image->vertices);
    });
    writer.list(graph.codelets(), [&](const CodeletOptions& options) {
        writer.list(options.files, [&](const std::string& file) { writer.text(file); });
        writer.text(options.source);
        writer.list(options.flags, [&](const std::string& flag) { writer.text(flag); });
    });
}

void load_codelets(ByteReader& reader, Graph& graph) {
    reader.list([&] {
        CodeletImage image;
        image.object = reader.text();
        image.vertices = reader.text();
        graph.add_library(codelets::open_image(image));
    });
    reader.list([&] {
        CodeletOptions options;
        reader.list([&] { options.files.push_back(reader.text()); });
        options.source = reader.text();
        reader.list([&] { options.flags.push_back(reader.text()); });
        graph.note_codelets(std::move(options));
    });
}

void store_variables(ByteWriter& writer, const Graph& graph) {
    writer.list(graph.variables(), [&](const Variable& variable) {
        writer.text(variable.name);
        writer.number(variable.type);
        writer.number(variable.elements);
        writer.number(static_cast<std::uint8_t>(variable.constant ? 1 : 0));
        if (variable.constant) { // given when it was made, as a whole
            writer.bytes(variable.initial.empty()
                             ? std::span<const std::byte>()
                             : std::span<const std::byte>(variable.initial.front().values));
        } else {
            writer.list(variable.initial, [&](const InitialValue& initial) {
                store_runs(writer, std::span(&initial.run, 1));
                writer.bytes(initial.values);
            });
        }
        writer.list(variable.map.segments(), [&](const Segment& segment) {
            writer.number(segment.begin);
            writer.number(segment.end);
            writer.number(segment.tile);
        });
    });
}

void load_initial_value(ByteReader& reader, Graph& graph, ElementType type) {
    std::vector<Run> run = load_runs(reader, graph);
    if (run.size() != 1) ByteReader::refuse();
    const std::int64_t count = run[0].count;
    graph.set_initial_value(Tensor::of_runs(type, {count}, std::move(run), false), reader.bytes());
}

void load_variable(ByteReader& reader, Graph& graph) {
    std::string name = reader.text();
    const auto type = reader.choice<ElementType>(element_types);
    const auto elements = reader.number<std::int64_t>();
    const bool constant = reader.truth();
    const Tensor whole = constant
                             ? graph.add_constant(type, {elements}, reader.bytes(), std::move(name))
                             : graph.add_variable(type, {elements}, std::move(name));
    if (!constant) reader.list([&] { load_initial_value(reader, graph, type); });
    reader.list([&] {
        const auto begin = reader.number<std::int64_t>();
        const auto end = reader.number<std::int64_t>();
        const auto tile = reader.number<std::uint32_t>();
        if (tile != no_tile) graph.set_tile(whole.slice(begin, end, 0), tile);
    });
}

void store_edge(ByteWriter& writer, const Graph& graph, const Edge& edge) {
    writer.number(edge.elements);
    store_runs(writer, graph.runs(edge));
}

void store_binding(ByteWriter& writer, const Graph& graph, const Vertex& vertex,
                   const Binding& binding) {
    const Field& field = vertex.type->fields[binding.field];
    writer.text(field.name);
    if (!binding.connected) {
        writer.number(binding.scratch);
        const bool given = binding.initial != Binding::none;
        writer.bytes(given ? std::span<const std::byte>(graph.scratch_values()[binding.initial])
                           : std::span<const std::byte>());
    } else if (field.shape == FieldShape::list) {
        writer.list(binding.list, [&](const Edge& edge) { store_edge(writer, graph, edge); });
    } else {
        store_edge(writer, graph, binding.edge);
    }
}

void store_vertices(ByteWriter& writer, const Graph& graph) {
    writer.list(graph.compute_sets(), [&](const ComputeSet& set) { writer.text(set.name); });
    writer.list(graph.vertices(), [&](const Vertex& vertex) {
        writer.number(vertex.compute_set);
        writer.text(vertex.type->name);
        writer.number(vertex.tile);
        writer.number(static_cast<std::uint8_t>(vertex.has_estimate ? 1 : 0));
        writer.number(vertex.cycle_estimate);
        for (const Field& field : vertex.type->fields) {
            if (field.role != FieldRole::state) continue;
            writer.bytes({graph.state(vertex) + field.offset, field.host_bytes});
        }
        writer.list(vertex.bindings,
                    [&](const Binding& binding) { store_binding(writer, graph, vertex, binding); });
    });
}

/// None for a part of a list that was left out.
std::optional<Tensor> load_edge(ByteReader& reader, const Graph& graph, const Field& field) {
    const auto elements = reader.number<std::int64_t>();
    std::vector<Run> runs = load_runs(reader, graph);
    if (elements < 0) return std::nullopt;
    std::int64_t found = 0;
    for (const Run& run : runs) {
        if (bytes_of(graph.variable(run.variable).type) != bytes_of(field.type) ||
            __builtin_add_overflow(found, run.count, &found)) {
            ByteReader::refuse();
        }
    }
    if (found != elements) ByteReader::refuse();
    return Tensor::of_runs(field.type, {elements}, std::move(runs), false);
}

void load_binding(ByteReader& reader, Graph& graph, VertexId vertex) {
    const std::string name = reader.text();
    const Field& field = graph.field_of(vertex, name);
    if (field.role == FieldRole::scratch) {
        const auto size = reader.number<std::int64_t>();
        const std::vector<std::byte> values = reader.bytes();
        if (!values.empty()) graph.set_field_value(vertex, name, values);
        graph.set_field_size(vertex, name, size);
    } else if (field.shape == FieldShape::list) {
        std::size_t parts = 0;
        reader.list([&] {
            if (const auto tensor = load_edge(reader, graph, field)) {
                graph.connect(vertex, name, parts, *tensor);
            }
            ++parts;
        });
        graph.set_field_size(vertex, name, static_cast<std::int64_t>(parts));
    } else {
        const auto tensor = load_edge(reader, graph, field);
        if (!tensor) ByteReader::refuse();
        graph.connect(vertex, name, *tensor);
    }
}

void load_vertices(ByteReader& reader, Graph& graph) {
    reader.list([&] { graph.add_compute_set(reader.text()); });
    reader.list([&] {
        const auto set = reader.number<ComputeSetId>();
        const VertexId vertex = graph.add_vertex(set, reader.text());
        const auto tile = reader.number<std::uint32_t>();
        if (tile != no_tile) graph.set_tile(vertex, tile);
        const bool has_estimate = reader.truth();
        const auto estimate = reader.number<std::uint64_t>();
        if (has_estimate) graph.set_cycle_estimate(vertex, estimate);
        for (const Field& field : graph.vertices()[vertex].type->fields) {
            if (field.role == FieldRole::state) {
                graph.set_field_value(vertex, field.name, reader.bytes());
            }
        }
        reader.list([&] { load_binding(reader, graph, vertex); });
    });
}

void store_host(ByteWriter& writer, const Graph& graph) {
    writer.list(graph.streams(), [&](const Stream& stream) {
        writer.text(stream.handle);
        writer.number(stream.type);
        writer.number(stream.elements);
        writer.number(static_cast<std::uint8_t>(stream.to_device ? 1 : 0));
    });
    writer.list(graph.remote_buffers(), [&](const RemoteBuffer& buffer) {
        writer.text(buffer.handle);
        writer.number(buffer.type);
        writer.number(buffer.elements);
        writer.number(buffer.rows);
    });
    writer.list(graph.host_functions(), [&](const HostFunction& function) {
        writer.text(function.handle);
        for (const auto* arguments : {&function.inputs, &function.outputs}) {
            writer.list(*arguments, [&](const HostFunction::Argument& argument) {
                writer.number(argument.type);
                writer.number(argument.elements);
            });
        }
    });
    writer.list(graph.host_accesses(), [&](const auto& named) {
        const auto& [handle, access] = named;
        writer.text(handle);
        store_tensor(writer, access.tensor);
        writer.number(static_cast<std::uint8_t>((access.read ? 1 : 0) + (access.write ? 2 : 0)));
    });
}

void load_host(ByteReader& reader, Graph& graph) {
    const auto size = [&] {
        const auto elements = reader.number<std::int64_t>();
        if (elements < 0 || elements > std::int64_t{1} << 40U) ByteReader::refuse();
        return elements;
    };
    reader.list([&] {
        Stream stream;
        stream.handle = reader.text();
        stream.type = reader.choice<ElementType>(element_types);
        stream.elements = size();
        stream.to_device = reader.truth();
        graph.add_stream(std::move(stream));
    });
    reader.list([&] {
        RemoteBuffer buffer;
        buffer.handle = reader.text();
        buffer.type = reader.choice<ElementType>(element_types);
        buffer.elements = size();
        buffer.rows = size();
        graph.add_remote_buffer(std::move(buffer));
    });
    reader.list([&] {
        HostFunction function;
        function.handle = reader.text();
        for (auto* arguments : {&function.inputs, &function.outputs}) {
            reader.list([&] {
                const auto type = reader.choice<ElementType>(element_types);
                arguments->push_back({type, size()});
            });
        }
        graph.add_host_function(std::move(function));
    });
    reader.list([&] {
        const std::string handle = reader.text();
        const Tensor tensor = load_tensor(reader, graph);
        const auto ways = reader.number<std::uint8_t>();
        graph.add_host_access(handle, tensor, (ways & 1U) != 0, (ways & 2U) != 0);
    });
}

} // namespace

std::string store_executable(const Executable& executable) {
    const Graph& graph = *executable.graph;
    ByteWriter writer;
    store_machine(writer, graph.machine());
    store_codelets(writer, graph);
    store_variables(writer, graph);
    store_vertices(writer, graph);
    store_host(writer, graph);
    // Functions come first among the roots.
    ProgramStore programs;
    writer.number(static_cast<std::uint64_t>(executable.functions.size()));
    writer.list(executable.roots,
                [&](const ProgramPtr& program) { programs.store(writer, program); });
    const std::string& body = writer.written();
    ByteWriter whole;
    whole.number(static_cast<std::uint64_t>(XXH3_64bits(body.data(), body.size())));
    return std::string(magic) + whole.written() + body;
}

std::shared_ptr<const Executable> load_executable(std::string_view bytes,
                                                  const CompileOptions& options) {
    if (!bytes.starts_with(magic)) {
        throw Error(ErrorCode::corrupt, "this is no stored executable of this version",
                    "store it with Executable::serialize");
    }
    bytes.remove_prefix(magic.size());
    ByteReader reader(bytes);
    const auto hash = reader.number<std::uint64_t>();
    bytes.remove_prefix(sizeof hash);
    if (hash != XXH3_64bits(bytes.data(), bytes.size())) ByteReader::refuse();
    auto graph = std::make_shared<Graph>(load_machine(reader));
    load_codelets(reader, *graph);
    reader.list([&] { load_variable(reader, *graph); });
    load_vertices(reader, *graph);
    load_host(reader, *graph);
    const auto functions = reader.number<std::uint64_t>();
    ProgramLoader loader(*graph);
    std::vector<ProgramPtr> programs;
    std::uint64_t loaded = 0;
    reader.list([&] {
        ProgramPtr program = loader.load(reader);
        if (loaded++ < functions) {
            graph->add_function(std::move(program));
        } else {
            programs.push_back(std::move(program));
        }
    });
    if (!reader.at_end()) ByteReader::refuse();
    return compile(std::move(graph), programs, options);
}

} // namespace tropic::tile
