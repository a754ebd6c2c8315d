// Watches what vertices load and store, in checked mode: out of bounds, reads of what was never
// written, and workers that write parts of one 32-bit word.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "machines/tile/vertex_code.h"

namespace tropic::tile {

/// One for each host thread. Throws TileError naming vertex, field, element, tile, worker and line.
class AccessCheck final : public AccessObserver {
  public:
    explicit AccessCheck(const Graph& graph) : graph_(&graph) {}

    void begin_tile(std::uint32_t tile);
    void begin_vertex(const VertexCode& code, const RunnableVertex& vertex);
    void begin_worker(std::uint32_t worker) { worker_ = static_cast<int>(worker); }

    void on_load(const void* address, std::uint32_t bytes, std::uint32_t line) override;
    void on_store(const void* address, std::uint32_t bytes, std::uint32_t line) override;
    void on_worker(int worker) override { worker_ = worker; }

  private:
    struct Writer {
        VertexId vertex;
        int worker;
        std::uint32_t field;
        std::uint32_t line;
    };

    const FieldRegion& find(const std::byte* address, std::uint32_t bytes, std::uint32_t line,
                            bool store);
    void check_race(const FieldRegion& region, const std::byte* address, std::uint32_t bytes,
                    std::uint32_t line);
    /// "element 3 of field 'x'".
    std::string element(const FieldRegion& region, const std::byte* address) const;
    std::string place(std::uint32_t line) const;
    std::string worker_name(int worker) const;

    const Graph* graph_;
    std::uint32_t tile_ = 0;
    VertexId vertex_ = 0;
    int worker_ = 0;
    std::span<const FieldRegion> regions_;
    std::size_t last_ = 0; ///< the region found last: most accesses stay in one
    std::unordered_map<std::uint64_t, Writer> words_;
};

} // namespace tropic::tile
