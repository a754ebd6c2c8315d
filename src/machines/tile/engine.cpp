#include "machines/tile/engine.h"

#include <fmt/format.h>

#include "machines/tile/fault.h"
#include "machines/tile/interpreter.h"
#include "tropic/context.h"

namespace tropic::tile {

namespace {

/// Checked code runs on the states of plain code: both must be compiled from the same source.
void check_layout(const VertexType& plain, const VertexType& checked) {
    bool same = plain.host_bytes == checked.host_bytes && plain.kind == checked.kind &&
                plain.fields.size() == checked.fields.size();
    for (std::size_t f = 0; same && f < plain.fields.size(); ++f) {
        const Field& a = plain.fields[f];
        const Field& b = checked.fields[f];
        same = a.name == b.name && a.role == b.role && a.shape == b.shape && a.type == b.type &&
               a.offset == b.offset && a.vector_width == b.vector_width;
    }
    if (same) return;
    fail(Fault::codelet,
         fmt::format("{} has changed since {} was added to the graph", checked.source_file,
                     plain.name),
         "", "build the graph again");
}

} // namespace

Engine::Engine(std::shared_ptr<const Executable> executable, EngineOptions options)
    : executable_(std::move(executable)), options_(options),
      context_(std::make_unique<Context>(ContextOptions{.threads = options.threads})),
      streams_(executable_->graph->streams().size()),
      host_functions_(executable_->graph->host_functions().size()), profile_(executable_->profile),
      tile_cycles_(executable_->graph->machine().tiles(), 0) {
    const Graph& graph = *executable_->graph;
    if (options_.checked) {
        for (CodeletOptions codelets : graph.codelets()) {
            codelets.checked = true;
            const auto library = load_codelets(codelets);
            for (const VertexType& type : library->types()) {
                if (const VertexType* plain = graph.find_type(type.name)) {
                    check_layout(*plain, type);
                    checked_types_[plain] = &type;
                }
            }
            checked_libraries_.push_back(library);
        }
    }
    for (const RemoteBuffer& buffer : graph.remote_buffers()) {
        remote_buffers_.emplace_back(static_cast<std::size_t>(buffer.elements * buffer.rows) *
                                     bytes_of(buffer.type));
    }
}

Engine::~Engine() = default;

void Engine::load() {
    code_.clear();
    memory_ = std::make_unique<HostMemory>(*executable_->graph, options_.checked);
    reset_profile();
}

void Engine::run(std::size_t program) {
    if (!loaded()) {
        fail(Fault::program, "the engine has not been loaded", "load(device) before run");
    }
    if (program >= executable_->programs.size()) {
        fail(Fault::program, fmt::format("there is no program {}", program),
             fmt::format("a program from 0 to {}", executable_->programs.size() - 1));
    }
    try {
        Interpreter(*this).run(executable_->programs[program]);
    } catch (const std::exception& error) {
        profile_.failure = error.what();
        throw;
    }
}

void Engine::connect_stream(std::uint32_t stream, void* begin, std::size_t bytes) {
    StreamState& state = streams_.at(stream);
    state = {};
    state.begin = static_cast<std::byte*>(begin);
    state.bytes = bytes;
    state.connected = true;
}

void Engine::connect_stream(std::uint32_t stream, StreamFunction function) {
    StreamState& state = streams_.at(stream);
    state = {};
    state.function = std::move(function);
    state.connected = true;
}

void Engine::connect_host_function(std::uint32_t function, HostFunctionBody body) {
    host_functions_.at(function) = std::move(body);
}

std::byte* Engine::remote_row(std::uint32_t buffer, std::int64_t row) {
    const RemoteBuffer& description = executable_->graph->remote_buffers().at(buffer);
    if (row < 0 || row >= description.rows) {
        fail(Fault::index, fmt::format("row {} of remote buffer '{}'", row, description.handle),
             fmt::format("a row from 0 to {}", description.rows - 1));
    }
    const std::int64_t bytes =
        description.elements * static_cast<std::int64_t>(bytes_of(description.type));
    return remote_buffers_[buffer].data() + row * bytes;
}

void Engine::read_tensor(const Tensor& tensor, std::byte* to) const {
    if (!loaded()) fail(Fault::program, "the engine has not been loaded");
    memory_->read(tensor, to);
}

void Engine::write_tensor(const Tensor& tensor, const std::byte* from) {
    if (!loaded()) fail(Fault::program, "the engine has not been loaded");
    memory_->write(tensor, from);
}

void Engine::reset_profile() {
    profile_.supersteps.clear();
    profile_.cycles = 0;
    profile_.dropped_supersteps = 0;
    profile_.failure = executable_->profile.failure;
    bytes_kept_ = 0;
}

} // namespace tropic::tile
