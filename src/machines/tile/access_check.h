// Watches what vertices load and store, in checked mode: out of bounds, reads of what was never
// written, and workers that race.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "machines/tile/race_check.h"
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
    void on_worker(int worker) override;

  private:
    /// Of a word that plain vertices share with others of their tile.
    struct Writer {
        VertexId vertex;
        int worker;
        std::uint32_t field;
        std::uint32_t line;
    };

    /// Null for what lies beside the plain members of the vertex's state.
    const FieldRegion* find(const std::byte* address, std::uint32_t bytes, std::uint32_t line,
                            bool store);
    void check_neighbours(const FieldRegion& region, const std::byte* address, std::uint32_t bytes,
                          std::uint32_t line);
    void check_sharing(const FieldRegion& region, const std::byte* address, std::uint32_t bytes,
                       std::uint32_t line, bool store);
    /// "element 3 of field 'x'".
    std::string element(const FieldRegion& region, const std::byte* address) const;
    std::string place(std::uint32_t line) const;
    static std::string worker_name(int worker);

    const Graph* graph_;
    std::uint32_t tile_ = 0;
    VertexId vertex_ = 0;
    VertexKind kind_ = VertexKind::worker;
    const std::byte* state_ = nullptr;
    int worker_ = 0;
    std::span<const FieldRegion> regions_;
    std::size_t last_ = 0; ///< the region found last: most accesses stay in one
    std::unordered_map<std::uint64_t, Writer> words_;
    RaceCheck races_; ///< between the workers of one vertex
};

} // namespace tropic::tile
