// Which elements a step reads and writes.
#include "machines/tile/executable.h"

namespace tropic::tile {

namespace {

void add_tensor(std::vector<Run>& runs, const Tensor& tensor) {
    tensor.for_each_run([&](const Run& run) { runs.push_back(run); });
}

void add_vertices(const Graph& graph, ComputeSetId set, StepAccess& access) {
    for (const VertexId v : graph.compute_sets()[set].vertices) {
        const Vertex& vertex = graph.vertices()[v];
        for (const Binding& binding : vertex.bindings) {
            if (!binding.connected) continue;
            const Field& field = vertex.type->fields[binding.field];
            const auto add = [&](const Edge& edge) {
                const auto runs = graph.runs(edge);
                if (field.role != FieldRole::output) {
                    access.reads.insert(access.reads.end(), runs.begin(), runs.end());
                }
                if (field.role != FieldRole::input) {
                    access.writes.insert(access.writes.end(), runs.begin(), runs.end());
                }
            };
            if (field.shape == FieldShape::list) {
                for (const Edge& edge : binding.list) add(edge);
            } else {
                add(binding.edge);
            }
        }
    }
}

} // namespace

StepAccess accesses_of(const Graph& graph, const Program& program) {
    StepAccess access;
    switch (program.kind) {
    case ProgramKind::execute:
        add_vertices(graph, program.target, access);
        for (const Tensor& status : program.tensors) add_tensor(access.writes, status);
        break;
    case ProgramKind::copy:
        add_tensor(access.reads, program.tensors[0]);
        add_tensor(access.writes, program.tensors[1]);
        break;
    case ProgramKind::stream_in:
    case ProgramKind::assign:
    case ProgramKind::undefine:
    case ProgramKind::cycle_stamp:
    case ProgramKind::count_cycles:
        add_tensor(access.writes, program.tensors[0]);
        break;
    case ProgramKind::remote_in:
        add_tensor(access.writes, program.tensors[0]);
        for (std::size_t t = 1; t < program.tensors.size(); ++t) {
            add_tensor(access.reads, program.tensors[t]);
        }
        break;
    case ProgramKind::host_call:
        for (std::size_t t = 0; t < program.tensors.size(); ++t) {
            add_tensor(t < program.count ? access.reads : access.writes, program.tensors[t]);
        }
        break;
    default:
        for (const Tensor& tensor : program.tensors) add_tensor(access.reads, tensor);
        break;
    }
    return access;
}

} // namespace tropic::tile
