// Graphs written out: for graphviz, and as text that is the same for the same graph.
#include <poplar/Graph.hpp>

#include <ostream>

#include "core.h"

namespace poplar {

namespace {

namespace tile = tropic::tile;

void write_text(std::ostream& out, const std::string& text) {
    out << text.size() << ':' << text << '\n';
}

void write_bytes(std::ostream& out, const std::byte* data, std::size_t size) {
    static constexpr char digits[] = "0123456789abcdef";
    for (std::size_t i = 0; i < size; ++i) {
        const auto byte = static_cast<unsigned>(data[i]);
        out << digits[byte >> 4] << digits[byte & 15];
    }
    out << '\n';
}

void write_runs(std::ostream& out, std::span<const tile::Run> runs) {
    for (const tile::Run& run : runs) {
        out << ' ' << run.variable << '@' << run.begin << '+' << run.count << '*' << run.stride;
    }
    out << '\n';
}

void write_variables(std::ostream& out, const tile::Graph& graph) {
    for (const tile::Variable& variable : graph.variables()) {
        out << "variable " << tile::name_of(variable.type) << ' ' << variable.elements << ' '
            << variable.constant << ' ';
        write_text(out, variable.name);
        for (const tile::Segment& segment : variable.map.segments()) {
            out << ' ' << segment.begin << '-' << segment.end << ':' << segment.tile;
        }
        out << '\n';
        for (const tile::InitialValue& value : variable.initial) {
            write_runs(out, {&value.run, 1});
            write_bytes(out, value.values.data(), value.values.size());
        }
    }
}

void write_vertices(std::ostream& out, const tile::Graph& graph) {
    for (const tile::ComputeSet& set : graph.compute_sets()) {
        out << "compute set ";
        write_text(out, set.name);
        for (const tile::VertexId v : set.vertices) {
            const tile::Vertex& vertex = graph.vertices()[v];
            out << "vertex " << v << ' ' << vertex.tile << ' ';
            write_text(out, vertex.type->name);
            for (const tile::Field& field : vertex.type->fields) {
                if (field.role != tile::FieldRole::state) continue;
                write_text(out, field.name);
                write_bytes(out, graph.state(vertex) + field.offset, field.host_bytes);
            }
            for (const tile::Binding& binding : vertex.bindings) {
                write_text(out, vertex.type->fields[binding.field].name);
                out << binding.scratch << '\n';
                if (binding.connected) write_runs(out, graph.runs(binding.edge));
                for (const tile::Edge& edge : binding.list) write_runs(out, graph.runs(edge));
            }
        }
    }
}

void write_program(std::ostream& out, const tile::Program& program) {
    out << "program " << static_cast<int>(program.kind) << ' ' << program.target << ' '
        << program.count << ' ';
    write_text(out, program.name);
    for (const tile::Tensor& tensor : program.tensors) write_runs(out, tensor.runs());
    write_bytes(out, program.values.data(), program.values.size());
    for (const std::int64_t value : program.cases) out << value << ' ';
    out << "{\n";
    for (const tile::ProgramPtr& child : program.children) write_program(out, *child);
    out << "}\n";
}

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return result + "\"";
}

/// Calls `visit(field, run)` for all runs that a vertex is connected to.
template <class Visit>
void for_each_connection(const tile::Graph& graph, const tile::Vertex& vertex, const Visit& visit) {
    for (const tile::Binding& binding : vertex.bindings) {
        if (!binding.connected) continue;
        const tile::Field& field = vertex.type->fields[binding.field];
        for (const tile::Run& run : graph.runs(binding.edge)) visit(field, run);
        for (const tile::Edge& edge : binding.list) {
            for (const tile::Run& run : graph.runs(edge)) visit(field, run);
        }
    }
}

void write_edges(std::ostream& out, const tile::Graph& graph, const tile::Vertex& vertex,
                 const std::string& node) {
    for_each_connection(graph, vertex, [&](const tile::Field& field, const tile::Run& run) {
        const std::string variable = quoted(graph.describe_variable(run.variable));
        const std::string label = " [label=" + quoted(field.name) + "];\n";
        if (field.role != tile::FieldRole::output)
            out << "  " << variable << " -> " << node << label;
        if (field.role != tile::FieldRole::input)
            out << "  " << node << " -> " << variable << label;
    });
}

} // namespace

void Graph::outputVertexGraph(std::ostream& outputStream, ArrayRef<program::Program>) const {
    const tile::Graph& graph = *impl_->graph;
    outputStream << "digraph vertices {\n";
    for (tile::VertexId v = 0; v < graph.vertices().size(); ++v) {
        const std::string node = quoted("vertex " + std::to_string(v));
        outputStream << "  " << node
                     << " [shape=box,label=" << quoted(graph.vertices()[v].type->name) << "];\n";
        write_edges(outputStream, graph, graph.vertices()[v], node);
    }
    outputStream << "}\n";
}

void Graph::outputComputeGraph(std::ostream& outputStream, ArrayRef<program::Program>) const {
    const tile::Graph& graph = *impl_->graph;
    outputStream << "digraph compute {\n";
    for (std::size_t s = 0; s < graph.compute_sets().size(); ++s) {
        const tile::ComputeSet& set = graph.compute_sets()[s];
        const std::string node = quoted("compute set " + std::to_string(s));
        outputStream << "  " << node
                     << " [shape=box,label=" << quoted(set.name.empty() ? node : set.name)
                     << "];\n";
        for (const tile::VertexId v : set.vertices) {
            write_edges(outputStream, graph, graph.vertices()[v], node);
        }
    }
    outputStream << "}\n";
}

void Graph::serialize(std::ostream& out, SerializationFormat format) const {
    serialize(out, {}, format);
}

void Graph::serialize(std::ostream& out, ArrayRef<program::Program> progs,
                      SerializationFormat) const {
    const tile::Graph& graph = *impl_->graph;
    out << "tropic graph 1\nmachine ";
    write_text(out, graph.machine().name);
    write_variables(out, graph);
    write_vertices(out, graph);
    for (const tile::ProgramPtr& function : graph.functions()) write_program(out, *function);
    for (const program::Program& p : progs) write_program(out, *p.node());
}

} // namespace poplar
