// Runs compiled programs: results exactly, cycles as the machine's figures say. Cycles depend on
// the program and its data alone, never on the host or its threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "machines/tile/executable.h"
#include "machines/tile/host_memory.h"
#include "machines/tile/profile.h"
#include "machines/tile/vertex_code.h"

namespace tropic {
class Context;
}

namespace tropic::tile {

struct EngineOptions {
    int threads = 0;              ///< of the host; 0: all
    bool checked = false;         ///< bounds, races and uninitialised reads
    bool trust_estimates = false; ///< cycles that the program gave, where it did
    bool by_tile = false;         ///< keep what each tile did in each superstep
    bool recording = true;        ///< keep supersteps at all; their cycles are always counted
    std::uint64_t most_supersteps = 1'000'000; ///< kept; further ones are only counted
    std::uint64_t most_bytes = 1ULL << 30;     ///< of what is kept by tile
};

/// Moves the data of a stream: fills or reads `bytes` bytes.
using StreamFunction = std::function<void(void* data)>;
using HostFunctionBody =
    std::function<void(std::span<const void* const> inputs, std::span<void* const> outputs)>;
using TextSink = std::function<void(std::string_view text)>;

class Engine {
  public:
    Engine(std::shared_ptr<const Executable> executable, EngineOptions options);
    ~Engine();
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    const Executable& executable() const { return *executable_; }

    /// Gives every element its initial value, and vertices their state.
    void load();
    bool loaded() const { return memory_ != nullptr; }
    void run(std::size_t program);

    /// A circular buffer of the host, or null for no end: one transfer's size.
    void connect_stream(std::uint32_t stream, void* begin, std::size_t bytes);
    void connect_stream(std::uint32_t stream, StreamFunction function);
    void connect_host_function(std::uint32_t function, HostFunctionBody body);
    std::byte* remote_row(std::uint32_t buffer, std::int64_t row);

    void read_tensor(const Tensor& tensor, std::byte* to) const;
    void write_tensor(const Tensor& tensor, const std::byte* from);

    /// Where what vertices print goes, and tensors that programs print.
    void set_print_sink(TextSink sink) { print_ = std::move(sink); }
    void set_tensor_sink(TextSink sink) { print_tensor_ = std::move(sink); }
    void add_host_time(std::string what, double seconds) {
        profile_.host_times.push_back({std::move(what), seconds});
    }
    /// From here on supersteps are kept by tile, or not.
    void keep_by_tile(bool keep) { options_.by_tile = keep; }
    void keep_supersteps(bool keep) { options_.recording = keep; }
    void reset_profile();
    /// What is known of the graph, and all that ran.
    const Profile& profile() const { return profile_; }
    std::uint64_t cycles() const { return profile_.cycles; }

  private:
    friend class Interpreter;
    struct StreamState;

    std::shared_ptr<const Executable> executable_;
    EngineOptions options_;
    std::unique_ptr<Context> context_;
    std::unique_ptr<HostMemory> memory_;
    std::vector<std::shared_ptr<CodeletLibrary>> checked_libraries_;
    std::unordered_map<const VertexType*, const VertexType*> checked_types_;
    std::unordered_map<ComputeSetId, std::unique_ptr<VertexCode>> code_;
    std::vector<StreamState> streams_;
    std::vector<HostFunctionBody> host_functions_;
    std::vector<HostBuffer> remote_buffers_;
    TextSink print_;
    TextSink print_tensor_;
    Profile profile_;
    std::uint64_t bytes_kept_ = 0;
    std::vector<std::uint32_t> tile_cycles_; ///< of the superstep under way
    std::vector<std::byte> scratch_;         ///< for copies that go through a buffer
};

} // namespace tropic::tile
