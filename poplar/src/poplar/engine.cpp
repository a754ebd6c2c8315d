// Engines: compile, load, run, and talk to the host.
#include <poplar/Engine.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "engine_core.h"
#include "machines/tile/fault.h"
#include "translate.h"

namespace poplar {

namespace tile = tropic::tile;
using core::translated;

namespace {

/// The name of this process, for titles.
std::string program_name() {
    std::error_code ignored;
    return std::filesystem::read_symlink("/proc/self/exe", ignored).filename().string();
}

void apply_estimators(const Graph& graph) {
    tile::Graph& machine_graph = *graph.impl()->graph;
    for (tile::VertexId v = 0; v < machine_graph.vertices().size(); ++v) {
        const tile::Vertex& vertex = machine_graph.vertices()[v];
        if (vertex.has_estimate) continue;
        const auto found = graph.impl()->estimators->find(tile::normal_name(vertex.type->name));
        if (found == graph.impl()->estimators->end()) continue;
        const auto estimate =
            found->second(VertexIntrospector(graph.impl().get(), v), graph.getTarget());
        machine_graph.set_cycle_estimate(v, estimate.cycles);
    }
}

std::shared_ptr<const tile::Executable> compile(const Graph& graph,
                                                ArrayRef<program::Program> progs,
                                                const core::EngineSettings& settings,
                                                const ProgressFunc& progress) {
    if (settings.engine.trust_estimates) apply_estimators(graph);
    std::vector<tile::ProgramPtr> programs;
    for (const program::Program& p : progs) programs.push_back(p.node());
    tile::CompileOptions options;
    options.allow_out_of_memory = settings.allow_out_of_memory;
    options.program_name = program_name();
    options.progress = progress;
    const auto begin = std::chrono::steady_clock::now();
    tile::Profile failed;
    // What is compiled is the graph as it is now: more may be added to it for the next engine.
    auto snapshot = std::make_shared<const tile::Graph>(*graph.impl()->graph);
    const auto seconds = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    try {
        auto executable = tile::compile(std::move(snapshot), programs, options, &failed);
        std::const_pointer_cast<tile::Executable>(executable)
            ->profile.host_times.push_back({"compile graph", seconds()});
        return executable;
    } catch (const tile::TileError& error) {
        if (error.fault() != tile::Fault::memory || failed.memory.empty()) throw;
        failed.host_times.push_back({"compile graph", seconds()});
        throw graph_memory_allocation_error(error.what(), core::write_profile(settings, failed));
    }
}

} // namespace

namespace {

std::uint32_t find_stream(const tile::Graph& graph, StringRef handle, bool* to_device) {
    for (std::uint32_t s = 0; s < graph.streams().size(); ++s) {
        if (graph.streams()[s].handle != std::string_view(handle)) continue;
        *to_device = graph.streams()[s].to_device;
        return s;
    }
    std::string known;
    for (const tile::Stream& stream : graph.streams()) {
        known += (known.empty() ? "" : ", ") + stream.handle;
    }
    tile::fail(tile::Fault::stream, "there is no stream '" + handle.cloneAsString() + "'",
               known.empty() ? "a stream of the graph, which has none" : known);
}

const tile::HostAccess& find_access(const tile::Graph& graph, StringRef handle, bool write) {
    const auto found = graph.host_accesses().find(handle.cloneAsString());
    if (found != graph.host_accesses().end() &&
        (write ? found->second.write : found->second.read)) {
        return found->second;
    }
    tile::fail(tile::Fault::stream,
               "no tensor is " + std::string(write ? "written" : "read") + " by the handle '" +
                   handle.cloneAsString() + "'",
               write ? "a handle that createHostWrite made" : "a handle that createHostRead made");
}

void check_size(const tile::HostAccess& access, StringRef handle, const void* begin,
                const void* end) {
    const auto bytes =
        static_cast<std::int64_t>(tile::bytes_of(access.tensor.type())) * access.tensor.elements();
    const std::int64_t given =
        static_cast<const std::byte*>(end) - static_cast<const std::byte*>(begin);
    if (given >= bytes) return;
    tile::fail(tile::Fault::stream, "a buffer of " + std::to_string(given) + " bytes for '" +
                                        handle.cloneAsString() + "', which has " +
                                        std::to_string(bytes));
}

} // namespace

core::Engine::~Engine() {
    if (!settings.writes() || !engine) return;
    try {
        write_profile(settings, engine->profile());
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n'; // a destructor has no other way to say so
    }
}

Executable compileGraph(const Graph& graph, ArrayRef<program::Program> progs,
                        const OptionFlags& opt, ProgressFunc progressCallBack,
                        const DebugContext&) {
    return translated([&] {
        const core::EngineSettings settings = core::read_settings(opt);
        auto impl = std::make_shared<core::Executable>();
        impl->executable = compile(graph, progs, settings, progressCallBack);
        impl->options = opt;
        return Executable(std::move(impl));
    });
}

Engine::Engine(const Graph& graph, ArrayRef<program::Program> progs, const OptionFlags& opt,
               ProgressFunc progressCallBack, const DebugContext& debugContext)
    : Engine(compileGraph(graph, progs, opt, std::move(progressCallBack), debugContext), opt) {}

Engine::Engine(const Graph& graph, program::Program prog, const OptionFlags& opt,
               ProgressFunc progressCallBack, const DebugContext& debugContext)
    : Engine(graph, ArrayRef<program::Program>(&prog, 1), opt, std::move(progressCallBack),
             debugContext) {}

Engine::Engine(Executable exe, const OptionFlags& opt) : impl_(std::make_unique<core::Engine>()) {
    if (!exe.impl()) throw graph_object_load_error("the executable holds nothing");
    translated([&] {
        OptionFlags options = exe.impl()->options;
        for (const auto& [name, value] : opt) options.set(name, value);
        impl_->settings = core::read_settings(options);
        impl_->executable = exe.impl()->executable;
        impl_->engine = std::make_unique<tile::Engine>(impl_->executable, impl_->settings.engine);
    });
    core::Engine* impl = impl_.get();
    impl->engine->set_print_sink([impl](std::string_view text) { *impl->print << text; });
    impl->engine->set_tensor_sink([impl](std::string_view text) { *impl->print_tensor << text; });
}

Engine::Engine(Engine&&) noexcept = default;
Engine& Engine::operator=(Engine&&) noexcept = default;
Engine::~Engine() = default;

void Engine::prepare(const Device& device) {
    const Target& target = device.getTarget();
    const tile::Machine& machine = impl_->graph().machine();
    if (target.getNumTiles() != machine.tiles() ||
        target.getBytesPerTile() < machine.bytes_per_tile) {
        throw graph_object_load_error("the graph was made for " + machine.name + " with " +
                                      std::to_string(machine.tiles()) + " tiles, not for " +
                                      target.getTargetSystemString().str());
    }
    translated([&] { impl_->engine->load(); });
}

void Engine::deploy() {
    if (!impl_->engine->loaded()) throw poplar_error("the engine was not prepared for a device");
}

void Engine::load(const Device& device) {
    prepare(device);
    deploy();
}

void Engine::run(unsigned prog, const std::string& debugName) {
    const auto begin = std::chrono::steady_clock::now();
    translated([&] { impl_->engine->run(prog); });
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    impl_->engine->add_host_time(debugName.empty() ? "run program " + std::to_string(prog)
                                                   : "run " + debugName,
                                 taken.count());
}

void Engine::loadAndRun(const Device& device, unsigned prog) {
    load(device);
    run(prog);
}

Engine::TimerTimePoint Engine::getTimeStamp() {
    return {std::chrono::system_clock::now()};
}

void Engine::connectStream(StringRef handle, void* begin, void* end) {
    translated([&] {
        bool to_device = false;
        const std::uint32_t stream = find_stream(impl_->graph(), handle, &to_device);
        const std::int64_t bytes = static_cast<std::byte*>(end) - static_cast<std::byte*>(begin);
        if (bytes <= 0) {
            tile::fail(tile::Fault::stream,
                       "the buffer of stream '" + handle.cloneAsString() + "' is empty");
        }
        impl_->engine->connect_stream(stream, begin, static_cast<std::size_t>(bytes));
    });
}

void Engine::connectStream(StringRef handle, void* p) {
    translated([&] {
        bool to_device = false;
        const std::uint32_t stream = find_stream(impl_->graph(), handle, &to_device);
        impl_->engine->connect_stream(stream, p, 0);
    });
}

void Engine::connectStream(StringRef handle, const void* begin, const void* end) {
    translated([&] {
        bool to_device = false;
        find_stream(impl_->graph(), handle, &to_device);
        if (!to_device) {
            tile::fail(tile::Fault::stream, "stream '" + handle.cloneAsString() +
                                                "' goes to the host: its buffer cannot be const");
        }
    });
    connectStream(handle, const_cast<void*>(begin), const_cast<void*>(end)); // only read
}

void Engine::connectStream(StringRef handle, const void* p) {
    translated([&] {
        bool to_device = false;
        find_stream(impl_->graph(), handle, &to_device);
        if (!to_device) {
            tile::fail(tile::Fault::stream, "stream '" + handle.cloneAsString() +
                                                "' goes to the host: its buffer cannot be const");
        }
    });
    connectStream(handle, const_cast<void*>(p)); // only read
}

void Engine::connectStreamToCallback(StringRef handle, StreamCallbackHandle f) {
    translated([&] {
        bool to_device = false;
        const std::uint32_t stream = find_stream(impl_->graph(), handle, &to_device);
        impl_->engine->connect_stream(stream, tile::StreamFunction(std::move(f)));
    });
}

void Engine::connectStreamToCallback(StringRef handle, unsigned index, StreamCallbackHandle f) {
    if (index != 0) throw stream_connection_error("there is one replica: index 0");
    connectStreamToCallback(handle, std::move(f));
}

void Engine::connectHostFunction(StringRef handle, unsigned index, HostCallbackFunction callback) {
    translated([&] {
        const auto& functions = impl_->graph().host_functions();
        const auto found = std::find_if(functions.begin(), functions.end(), [&](const auto& f) {
            return f.handle == std::string_view(handle);
        });
        if (found == functions.end() || index != 0) {
            tile::fail(tile::Fault::stream, "there is no host function '" + handle.cloneAsString() +
                                                "' with index " + std::to_string(index));
        }
        impl_->engine->connect_host_function(
            static_cast<std::uint32_t>(found - functions.begin()),
            [callback = std::move(callback)](std::span<const void* const> inputs,
                                             std::span<void* const> outputs) {
                callback(ArrayRef<const void*>(inputs.data(), inputs.size()),
                         ArrayRef<void*>(outputs.data(), outputs.size()));
            });
    });
}

void Engine::connectHostFunction(StringRef handle, unsigned index,
                                 std::unique_ptr<HostCallback> callback) {
    std::shared_ptr<HostCallback> shared = std::move(callback);
    connectHostFunction(handle, index,
                        [shared](ArrayRef<const void*> inputs, ArrayRef<void*> outputs) {
                            (*shared)(inputs, outputs);
                        });
}

void Engine::readTensor(StringRef handle, void* buf, void* bufEnd) {
    translated(
        [&] { check_size(find_access(impl_->graph(), handle, false), handle, buf, bufEnd); });
    readTensor(handle, buf);
}

void Engine::readTensor(StringRef handle, void* buf) {
    translated([&] {
        impl_->engine->read_tensor(find_access(impl_->graph(), handle, false).tensor,
                                   static_cast<std::byte*>(buf));
    });
}

void Engine::writeTensor(StringRef handle, const void* buf, const void* bufEnd) {
    translated([&] { check_size(find_access(impl_->graph(), handle, true), handle, buf, bufEnd); });
    writeTensor(handle, buf);
}

void Engine::writeTensor(StringRef handle, const void* buf) {
    translated([&] {
        impl_->engine->write_tensor(find_access(impl_->graph(), handle, true).tensor,
                                    static_cast<const std::byte*>(buf));
    });
}

} // namespace poplar
