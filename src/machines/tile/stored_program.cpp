#include "machines/tile/stored_program.h"

#include <limits>

namespace tropic::tile {

namespace {

constexpr std::uint32_t element_types = 11;
constexpr std::uint32_t program_kinds = static_cast<std::uint32_t>(ProgramKind::cycle_stamp) + 1;

/// How many tensors and children a node of a kind has, at least and at most.
struct Form {
    std::size_t least_tensors;
    std::size_t most_tensors;
    std::size_t least_children;
    std::size_t most_children;
};

constexpr std::size_t many = std::numeric_limits<std::size_t>::max();

Form form_of(ProgramKind kind) {
    switch (kind) {
    case ProgramKind::sequence:
        return {0, 0, 0, many};
    case ProgramKind::execute:
        return {0, 1, 0, 0};
    case ProgramKind::copy:
        return {2, 2, 0, 0};
    case ProgramKind::remote_in:
    case ProgramKind::remote_out:
        return {1, 2, 0, 0};
    case ProgramKind::repeat:
        return {0, 0, 1, 1};
    case ProgramKind::while_true:
    case ProgramKind::while_false:
    case ProgramKind::branch:
        return {1, 1, 2, 2};
    case ProgramKind::choose:
        return {1, 1, 1, many};
    case ProgramKind::host_call:
        return {0, many, 0, 0};
    case ProgramKind::call:
    case ProgramKind::sync:
    case ProgramKind::abort:
        return {0, 0, 0, 0};
    case ProgramKind::count_cycles:
        return {1, 1, 1, 1};
    case ProgramKind::stream_in:
    case ProgramKind::stream_out:
    case ProgramKind::assign:
    case ProgramKind::undefine:
    case ProgramKind::print:
    case ProgramKind::abort_if:
    case ProgramKind::cycle_stamp:
        return {1, 1, 0, 0};
    }
    return {};
}

/// What is behind the tensors the host or another program fills in.
std::size_t targets_of(const Graph& graph, ProgramKind kind) {
    switch (kind) {
    case ProgramKind::execute:
        return graph.compute_sets().size();
    case ProgramKind::stream_in:
    case ProgramKind::stream_out:
        return graph.streams().size();
    case ProgramKind::remote_in:
    case ProgramKind::remote_out:
        return graph.remote_buffers().size();
    case ProgramKind::host_call:
        return graph.host_functions().size();
    default:
        return many; // none, or checked when it is compiled
    }
}

void check(const Graph& graph, const Program& node) {
    const Form form = form_of(node.kind);
    const std::size_t tensors = node.tensors.size();
    const std::size_t children = node.children.size();
    bool good = tensors >= form.least_tensors && tensors <= form.most_tensors &&
                children >= form.least_children && children <= form.most_children &&
                node.target < targets_of(graph, node.kind);
    if (good && node.kind == ProgramKind::choose) good = node.cases.size() + 1 == children;
    if (good && node.kind == ProgramKind::assign) {
        const std::size_t element = bytes_of(node.tensors[0].type());
        const auto all = static_cast<std::size_t>(node.tensors[0].elements()) * element;
        good = node.values.size() == element || node.values.size() >= all;
    }
    if (good && node.kind == ProgramKind::host_call) {
        const HostFunction& function = graph.host_functions()[node.target];
        good = node.count == function.inputs.size() &&
               tensors == function.inputs.size() + function.outputs.size();
    }
    if (!good) ByteReader::refuse();
}

} // namespace

void store_runs(ByteWriter& writer, std::span<const Run> runs) {
    writer.list(runs, [&](const Run& run) {
        writer.number(run.variable);
        writer.number(run.stride);
        writer.number(run.begin);
        writer.number(run.count);
    });
}

std::vector<Run> load_runs(ByteReader& reader, const Graph& graph) {
    std::vector<Run> runs;
    reader.list([&] {
        Run run;
        run.variable = reader.number<VariableId>();
        run.stride = reader.number<std::int64_t>();
        run.begin = reader.number<std::int64_t>();
        run.count = reader.number<std::int64_t>();
        if (run.variable >= graph.variables().size()) ByteReader::refuse();
        const std::int64_t elements = graph.variable(run.variable).elements;
        const auto inside = [&](std::int64_t at) { return at >= 0 && at < elements; };
        std::int64_t last = 0;
        if (run.count < 1 || __builtin_mul_overflow(run.count - 1, run.stride, &last) ||
            __builtin_add_overflow(last, run.begin, &last) || !inside(run.begin) || !inside(last)) {
            ByteReader::refuse();
        }
        runs.push_back(run);
    });
    return runs;
}

void store_tensor(ByteWriter& writer, const Tensor& tensor) {
    writer.number(tensor.type());
    writer.list(tensor.shape(), [&](std::int64_t extent) { writer.number(extent); });
    store_runs(writer, tensor.runs());
}

Tensor load_tensor(ByteReader& reader, const Graph& graph) {
    const auto type = reader.choice<ElementType>(element_types);
    Shape shape;
    reader.list([&] { shape.push_back(reader.number<std::int64_t>()); });
    std::vector<Run> runs = load_runs(reader, graph);
    std::int64_t elements = 0;
    bool constant = false;
    for (const Run& run : runs) {
        const Variable& variable = graph.variable(run.variable);
        if (bytes_of(variable.type) != bytes_of(type)) ByteReader::refuse();
        if (__builtin_add_overflow(elements, run.count, &elements)) ByteReader::refuse();
        constant = constant || variable.constant;
    }
    if (elements_of(shape) != elements) ByteReader::refuse();
    return Tensor::of_runs(type, std::move(shape), std::move(runs), constant);
}

void ProgramStore::store(ByteWriter& writer, const ProgramPtr& program) {
    ByteWriter nodes;
    fresh_ = 0;
    add(nodes, program);
    writer.number(fresh_);
    writer.text(nodes.written());
    writer.number(numbers_.at(program.get()));
}

void ProgramStore::add(ByteWriter& nodes, const ProgramPtr& program) {
    if (numbers_.contains(program.get())) return;
    for (const ProgramPtr& child : program->children) add(nodes, child);
    numbers_.emplace(program.get(), static_cast<std::uint32_t>(numbers_.size()));
    ++fresh_;
    nodes.number(program->kind);
    nodes.text(program->name);
    nodes.number(program->target);
    nodes.number(program->count);
    nodes.list(program->children,
               [&](const ProgramPtr& child) { nodes.number(numbers_.at(child.get())); });
    nodes.list(program->tensors, [&](const Tensor& tensor) { store_tensor(nodes, tensor); });
    nodes.bytes(program->values);
    nodes.list(program->cases, [&](std::int64_t value) { nodes.number(value); });
    nodes.number(static_cast<std::uint8_t>(program->bounds_checked ? 1 : 0));
    nodes.text(program->message);
    const PrintFormat& format = program->format;
    nodes.number(format.summarise_threshold);
    nodes.number(format.edge_items);
    nodes.number(format.line_width);
    nodes.number(format.digits);
    nodes.number(format.float_format);
    nodes.number(format.separator);
    nodes.number(format.open);
    nodes.number(format.close);
}

ProgramPtr ProgramLoader::load(ByteReader& reader) {
    const auto fresh = reader.number<std::uint64_t>();
    const std::string nodes = reader.text();
    ByteReader node_reader(nodes);
    if (fresh > nodes.size()) ByteReader::refuse();
    for (std::uint64_t i = 0; i < fresh; ++i) nodes_.push_back(load_node(node_reader));
    const auto root = reader.number<std::uint32_t>();
    if (root >= nodes_.size() || !node_reader.at_end()) ByteReader::refuse();
    return nodes_[root];
}

ProgramPtr ProgramLoader::load_node(ByteReader& reader) {
    auto node = std::make_shared<Program>();
    node->kind = reader.choice<ProgramKind>(program_kinds);
    node->name = reader.text();
    node->target = reader.number<std::uint32_t>();
    node->count = reader.number<std::uint64_t>();
    reader.list([&] {
        const auto child = reader.number<std::uint32_t>();
        if (child >= nodes_.size()) ByteReader::refuse();
        node->children.push_back(nodes_[child]);
    });
    reader.list([&] { node->tensors.push_back(load_tensor(reader, *graph_)); });
    node->values = reader.bytes();
    reader.list([&] { node->cases.push_back(reader.number<std::int64_t>()); });
    node->bounds_checked = reader.truth();
    node->message = reader.text();
    PrintFormat& format = node->format;
    format.summarise_threshold = reader.number<std::uint32_t>();
    format.edge_items = reader.number<std::uint32_t>();
    format.line_width = reader.number<std::uint32_t>();
    format.digits = reader.number<std::uint32_t>();
    format.float_format = reader.number<std::uint8_t>();
    format.separator = reader.number<char>();
    format.open = reader.number<char>();
    format.close = reader.number<char>();
    check(*graph_, *node);
    return node;
}

} // namespace tropic::tile
