// The vertices of a compute set, ready to run: their states with pointers into memory, by tile.
//
// A field of elements that lie side by side points right at them. Any other points at a buffer that
// is gathered before the vertex runs and scattered after it. In checked mode every field has a
// buffer, with a margin around it that no vertex may touch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "machines/tile/executable.h"
#include "machines/tile/host_memory.h"

namespace tropic::tile {

/// Evenly spaced elements in memory.
struct MemoryRun {
    std::byte* begin = nullptr;
    std::int64_t stride = 0; ///< bytes
    std::int64_t count = 0;
    std::uint8_t* written = nullptr; ///< in checked mode, of the first; one byte an element
    std::int64_t written_stride = 0;
};

/// A buffer that stands for elements elsewhere.
struct Gathered {
    std::byte* buffer = nullptr;
    std::uint8_t* written = nullptr; ///< in checked mode
    std::uint32_t first_run = 0;     ///< of VertexCode::runs
    std::uint32_t runs = 0;
    std::uint32_t element_bytes = 0;
    bool scatter = false;
};

/// What the checks know of the memory behind a field.
struct FieldRegion {
    const std::byte* begin = nullptr;
    const std::byte* end = nullptr;
    std::uint8_t* written = nullptr; ///< one byte an element; null: not tracked
    std::uint32_t field = 0;
    std::uint32_t part = 0; ///< of a list
    std::uint32_t element_bytes = 0;
    bool writable = false;
    bool entries = false; ///< of a list: where its vectors are, not their elements
    bool member = false;  ///< a plain member in the vertex's state
    /// Where the elements are in the tile's memory, in words, if they are there in place: vertices
    /// of one tile may share them. A number of the region's own otherwise.
    std::uint64_t first_word = 0;
    std::uint32_t word_offset = 0; ///< bytes of the first element behind that word
};

struct RunnableVertex {
    Cost (*run)(const Invocation&) = nullptr;
    std::byte* state = nullptr;
    VertexId id = 0;
    VertexKind kind = VertexKind::worker;
    bool use_estimate = false;
    std::uint64_t estimate = 0;
    std::uint32_t first_gathered = 0;
    std::uint32_t gathered = 0;
    std::uint32_t first_region = 0; ///< in checked mode
    std::uint32_t regions = 0;
};

struct TileVertices {
    std::uint32_t tile = 0;
    std::uint32_t begin = 0; ///< of VertexCode::vertices
    std::uint32_t end = 0;
};

struct VertexCodeOptions {
    bool checked = false;
    bool trust_estimates = false;
};

class VertexCode {
  public:
    /// `types`: what to run for each vertex type of the graph, where that differs (checked code).
    VertexCode(const Executable& executable, ComputeSetId set, const HostMemory& memory,
               const VertexCodeOptions& options,
               const std::unordered_map<const VertexType*, const VertexType*>& types);

    std::span<const TileVertices> tiles() const { return tiles_; }
    std::span<const RunnableVertex> vertices() const { return vertices_; }
    std::span<const FieldRegion> regions(const RunnableVertex& vertex) const {
        return std::span(regions_).subspan(vertex.first_region, vertex.regions);
    }

    void gather(const RunnableVertex& vertex) const;
    void scatter(const RunnableVertex& vertex) const;

  private:
    friend class VertexCodeBuilder;

    std::vector<TileVertices> tiles_;
    std::vector<RunnableVertex> vertices_;
    std::vector<Gathered> gathered_;
    std::vector<MemoryRun> runs_;
    std::vector<FieldRegion> regions_;
    HostBuffer states_;
    HostBuffer buffers_; ///< gathered fields, vectors of vertices' own, and lists of spans
    HostBuffer written_; ///< which elements of these were written, in checked mode
};

} // namespace tropic::tile
