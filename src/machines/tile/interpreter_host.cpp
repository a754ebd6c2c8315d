// Steps that the host takes part in: streams, remote buffers, functions of the host, printing.
#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "machines/tile/fault.h"
#include "machines/tile/interpreter.h"
#include "machines/tile/print_tensor.h"

namespace tropic::tile {

std::uint64_t Interpreter::host_cycles(std::uint64_t bytes) const {
    const double seconds = machine_->host_latency_seconds +
                           static_cast<double>(bytes) / machine_->host_bytes_per_second;
    return static_cast<std::uint64_t>(std::ceil(seconds * machine_->clock_hz));
}

void Interpreter::stream(const Step& step, bool to_device) {
    const Tensor& tensor = step.program->tensors[0];
    const Stream& stream = graph_->streams()[step.program->target];
    Engine::StreamState& state = engine_->streams_[step.program->target];
    if (!state.connected) {
        fail(Fault::stream, fmt::format("stream '{}' is not connected", stream.handle),
             "a buffer or callback of the host for every stream that a program uses",
             fmt::format("engine.connectStream(\"{}\", begin, end)", stream.handle));
    }
    const auto bytes = static_cast<std::size_t>(tensor.elements()) * bytes_of(tensor.type());
    std::byte* data = nullptr;
    if (state.function || state.bytes != 0) {
        if (engine_->scratch_.size() < bytes) engine_->scratch_.resize(bytes);
        data = engine_->scratch_.data();
    } else {
        data = state.begin;
    }
    if (!to_device) memory_->read(tensor, data);
    if (state.function) {
        state.function(data);
    } else if (state.bytes != 0) {
        // The host's buffer goes round.
        std::size_t done = 0;
        while (done < bytes) {
            const std::size_t part = std::min(bytes - done, state.bytes - state.at);
            if (to_device) {
                std::memcpy(data + done, state.begin + state.at, part);
            } else {
                std::memcpy(state.begin + state.at, data + done, part);
            }
            done += part;
            state.at = (state.at + part) % state.bytes;
        }
    }
    if (to_device) memory_->write(tensor, data);
    Superstep superstep;
    superstep.host_cycles = host_cycles(bytes);
    superstep.sync_cycles = executable_->profile.steps[step.profile].sync_cycles;
    note(step, std::move(superstep));
}

void Interpreter::remote(const Step& step, bool to_device) {
    const RemoteBuffer& buffer = graph_->remote_buffers()[step.program->target];
    const Tensor& tensor = step.program->tensors[0];
    const std::int64_t row_bytes =
        buffer.elements * static_cast<std::int64_t>(bytes_of(buffer.type));
    std::vector<std::int64_t> rows{0};
    if (step.program->tensors.size() > 1) {
        const Tensor& offsets = step.program->tensors[1];
        rows.clear();
        for (std::int64_t i = 0; i < offsets.elements(); ++i) {
            rows.push_back(read_integer(offsets.flatten().index(i)));
        }
    }
    const auto bytes = static_cast<std::size_t>(row_bytes) * rows.size();
    if (engine_->scratch_.size() < bytes) engine_->scratch_.resize(bytes);
    std::byte* data = engine_->scratch_.data();
    if (!to_device) memory_->read(tensor, data);
    for (const std::int64_t row : rows) {
        if (row_bytes == 0) break;
        std::byte* remote_data = engine_->remote_row(step.program->target, row);
        if (to_device) {
            std::memcpy(data, remote_data, static_cast<std::size_t>(row_bytes));
        } else {
            std::memcpy(remote_data, data, static_cast<std::size_t>(row_bytes));
        }
        data += row_bytes;
    }
    if (to_device) memory_->write(tensor, engine_->scratch_.data());
    Superstep superstep;
    superstep.host_cycles = host_cycles(bytes);
    superstep.sync_cycles = executable_->profile.steps[step.profile].sync_cycles;
    note(step, std::move(superstep));
}

void Interpreter::call_host(const Step& step) {
    const HostFunction& function = graph_->host_functions()[step.program->target];
    const HostFunctionBody& body = engine_->host_functions_[step.program->target];
    if (!body) {
        fail(Fault::stream, fmt::format("host function '{}' is not connected", function.handle),
             "a function of the host for every one that a program calls",
             fmt::format("engine.connectHostFunction(\"{}\", 0, function)", function.handle));
    }
    const std::vector<Tensor>& tensors = step.program->tensors;
    std::size_t bytes = 0;
    std::vector<std::vector<std::byte>> data(tensors.size());
    host_inputs_.clear();
    host_outputs_.clear();
    for (std::size_t t = 0; t < tensors.size(); ++t) {
        data[t].resize(static_cast<std::size_t>(tensors[t].elements()) *
                       bytes_of(tensors[t].type()));
        bytes += data[t].size();
        if (t < step.program->count) {
            memory_->read(tensors[t], data[t].data());
            host_inputs_.push_back(data[t].data());
        } else {
            host_outputs_.push_back(data[t].data());
        }
    }
    body(host_inputs_, host_outputs_);
    for (std::size_t t = step.program->count; t < tensors.size(); ++t) {
        memory_->write(tensors[t], data[t].data());
    }
    Superstep superstep;
    superstep.host_cycles = host_cycles(bytes);
    superstep.sync_cycles = executable_->profile.steps[step.profile].sync_cycles;
    note(step, std::move(superstep));
}

void Interpreter::print(const Step& step) {
    const Tensor& tensor = step.program->tensors[0];
    std::vector<std::byte> data(static_cast<std::size_t>(tensor.elements()) *
                                bytes_of(tensor.type()));
    memory_->read(tensor, data.data());
    const std::string text =
        print_tensor(tensor.shape(), tensor.type(), data.data(), step.program->format);
    const std::string& title =
        step.program->message.empty() ? step_name(step) : step.program->message;
    if (engine_->print_tensor_) engine_->print_tensor_(fmt::format("{}: {}\n", title, text));
    Superstep superstep;
    superstep.host_cycles = host_cycles(data.size());
    superstep.sync_cycles = executable_->profile.steps[step.profile].sync_cycles;
    note(step, std::move(superstep));
}

} // namespace tropic::tile
