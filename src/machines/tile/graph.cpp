// Variables, their values and places, and what the host connects to.
#include "machines/tile/graph.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "machines/tile/fault.h"
#include "machines/tile/machine_file.h"
#include "support/nearest.h"

namespace tropic::tile {

Graph::Graph(Machine machine) : machine_(std::move(machine)) {
    check_machine(machine_);
}

Tensor Graph::add_variable(ElementType type, Shape shape, std::string name) {
    const std::int64_t elements = elements_of(shape);
    // More than all the tiles have could never be placed, and would overflow what counts bytes.
    const auto memory = static_cast<double>(machine_.bytes_per_tile) * machine_.tiles();
    constexpr double far_beyond = 64;
    if (static_cast<double>(elements) * static_cast<double>(bytes_of(type)) > memory * far_beyond) {
        fail(Fault::memory,
             fmt::format("variable '{}' of shape {} is {} times as large as the memory of all "
                         "{} tiles",
                         name, to_text(shape), far_beyond, machine_.tiles()));
    }
    const auto id = static_cast<VariableId>(variables_.size());
    variables_.push_back({.name = std::move(name),
                          .type = type,
                          .elements = elements,
                          .constant = false,
                          .map = TileMap(elements),
                          .initial = {}});
    return {id, type, std::move(shape)};
}

Tensor Graph::add_constant(ElementType type, Shape shape, std::span<const std::byte> values,
                           std::string name) {
    Tensor tensor = add_variable(type, std::move(shape), std::move(name));
    if (tensor.elements() > 0) set_initial_value(tensor, values);
    variables_.back().constant = true;
    return {static_cast<VariableId>(variables_.size() - 1), type, tensor.shape(), true};
}

void Graph::set_initial_value(const Tensor& tensor, std::span<const std::byte> values) {
    const std::size_t bytes = bytes_of(tensor.type());
    const auto given = static_cast<std::int64_t>(values.size() / bytes);
    const bool one_for_all = given == 1;
    // More values than elements were always accepted of a whole array: what is left over is not
    // looked at.
    if (!one_for_all && given < tensor.elements()) {
        fail(Fault::shape,
             fmt::format("{} initial values for a tensor of {} elements", given, tensor.elements()),
             "one value for all elements, or one for each");
    }
    std::size_t at = 0;
    tensor.for_each_run([&](const Run& run) {
        Variable& variable = variables_[run.variable];
        if (variable.constant) {
            fail(Fault::connection, fmt::format("{} is a constant: it has its value already",
                                                describe_variable(run.variable)));
        }
        const std::size_t part = one_for_all ? bytes : static_cast<std::size_t>(run.count) * bytes;
        const std::span<const std::byte> own = values.subspan(one_for_all ? 0 : at, part);
        variable.initial.push_back({run, {own.begin(), own.end()}});
        if (!one_for_all) at += part;
    });
}

void Graph::check_tile(std::uint32_t tile) const {
    if (tile < machine_.tiles()) return;
    fail(Fault::tile_mapping, fmt::format("there is no tile {}", tile),
         fmt::format("a tile from 0 to {} of {}", machine_.tiles() - 1, machine_.name));
}

void Graph::set_tile(const Tensor& tensor, std::uint32_t tile) {
    check_tile(tile);
    tensor.for_each_run([&](const Run& run) { variables_[run.variable].map.assign(run, tile); });
}

void Graph::check_handle(const std::string& handle, std::string_view kind) const {
    const auto same = [&](const auto& thing) { return thing.handle == handle; };
    if (std::ranges::any_of(streams_, same) || std::ranges::any_of(remote_buffers_, same) ||
        std::ranges::any_of(host_functions_, same)) {
        fail(Fault::stream, fmt::format("the handle '{}' of a {} is taken", handle, kind),
             "a name no other stream, remote buffer or host function has");
    }
}

std::uint32_t Graph::add_stream(Stream stream) {
    check_handle(stream.handle, "stream");
    streams_.push_back(std::move(stream));
    return static_cast<std::uint32_t>(streams_.size() - 1);
}

std::uint32_t Graph::add_remote_buffer(RemoteBuffer buffer) {
    check_handle(buffer.handle, "remote buffer");
    remote_buffers_.push_back(std::move(buffer));
    return static_cast<std::uint32_t>(remote_buffers_.size() - 1);
}

std::uint32_t Graph::add_host_function(HostFunction function) {
    check_handle(function.handle, "host function");
    host_functions_.push_back(std::move(function));
    return static_cast<std::uint32_t>(host_functions_.size() - 1);
}

std::uint32_t Graph::add_function(ProgramPtr program) {
    functions_.push_back(std::move(program));
    return static_cast<std::uint32_t>(functions_.size() - 1);
}

void Graph::add_host_access(const std::string& handle, const Tensor& tensor, bool read,
                            bool write) {
    HostAccess& access = host_accesses_[handle];
    if ((access.read && read) || (access.write && write)) {
        fail(Fault::stream,
             fmt::format("the host {} '{}' already", read ? "reads" : "writes", handle),
             "a handle of its own for each tensor");
    }
    if ((access.read || access.write) && !(access.tensor == tensor)) {
        fail(Fault::stream,
             fmt::format("the handle '{}' stands for another tensor already", handle),
             "reading and writing of one tensor, or a handle of its own for each");
    }
    access.tensor = tensor;
    access.read |= read;
    access.write |= write;
}

std::string Graph::describe_variable(VariableId variable) const {
    const std::string& name = variables_[variable].name;
    return name.empty() ? fmt::format("variable {}", variable) : name;
}

} // namespace tropic::tile
