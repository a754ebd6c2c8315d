#include "machines/tile/step_name.h"

#include <fmt/format.h>

namespace tropic::tile {

namespace {

std::string name_of_tensor(const Graph& graph, const Tensor& tensor) {
    std::string name = "nothing";
    bool first = true;
    tensor.for_each_run([&](const Run& run) {
        if (first) name = graph.describe_variable(run.variable);
        first = false;
    });
    return name;
}

} // namespace

std::string_view scope_name(ProgramKind kind) {
    switch (kind) {
    case ProgramKind::repeat:
        return "repeat";
    case ProgramKind::while_true:
        return "repeat while true";
    case ProgramKind::while_false:
        return "repeat while false";
    case ProgramKind::branch:
        return "if";
    case ProgramKind::choose:
        return "switch";
    case ProgramKind::call:
        return "call";
    default:
        return "sequence";
    }
}

std::string step_name(const Graph& graph, const Program& program) {
    const auto given = [&](const std::string& text) {
        return program.name.empty() ? text : program.name;
    };
    const auto tensor = [&](std::size_t i) { return name_of_tensor(graph, program.tensors[i]); };
    switch (program.kind) {
    case ProgramKind::execute: {
        const std::string& set = graph.compute_sets()[program.target].name;
        return set.empty() ? fmt::format("compute set {}", program.target) : set;
    }
    case ProgramKind::copy:
        return given(fmt::format("copy {} to {}", tensor(0), tensor(1)));
    case ProgramKind::stream_in:
        return given(
            fmt::format("copy stream {} to {}", graph.streams()[program.target].handle, tensor(0)));
    case ProgramKind::stream_out:
        return given(
            fmt::format("copy {} to stream {}", tensor(0), graph.streams()[program.target].handle));
    case ProgramKind::remote_in:
        return given(fmt::format("copy remote buffer {} to {}",
                                 graph.remote_buffers()[program.target].handle, tensor(0)));
    case ProgramKind::remote_out:
        return given(fmt::format("copy {} to remote buffer {}", tensor(0),
                                 graph.remote_buffers()[program.target].handle));
    case ProgramKind::host_call:
        return given(fmt::format("call {}", graph.host_functions()[program.target].handle));
    case ProgramKind::assign:
        return given(fmt::format("assign to {}", tensor(0)));
    case ProgramKind::undefine:
        return given(fmt::format("undefine {}", tensor(0)));
    case ProgramKind::print:
        return given(fmt::format("print {}", tensor(0)));
    case ProgramKind::while_true:
        return given(fmt::format("while {}", tensor(0)));
    case ProgramKind::while_false:
        return given(fmt::format("while not {}", tensor(0)));
    case ProgramKind::branch:
        return given(fmt::format("if {}", tensor(0)));
    case ProgramKind::choose:
        return given(fmt::format("switch on {}", tensor(0)));
    case ProgramKind::sync:
        return given("sync");
    case ProgramKind::abort:
    case ProgramKind::abort_if:
        return given("abort");
    case ProgramKind::cycle_stamp:
        return given("cycle stamp");
    default:
        return given(std::string(scope_name(program.kind)));
    }
}

} // namespace tropic::tile
