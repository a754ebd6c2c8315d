// One superstep's computing: all vertices of a compute set, tiles in parallel on the host.
#pragma once

#include <cstdint>
#include <span>

#include "machines/tile/engine.h"
#include "machines/tile/vertex_code.h"

namespace tropic::tile {

/// Sets `tile_cycles` of the tiles that compute and returns the slowest one's. What vertices print
/// goes to `print` in the order of tiles. Of several failures the one on the lowest tile is thrown.
/// `all_true`, if not null, becomes false if a vertex returned false.
std::uint64_t run_compute_set(const Context& context, const Graph& graph, const VertexCode& code,
                              bool checked, std::span<std::uint32_t> tile_cycles,
                              const TextSink& print, bool* all_true = nullptr);

} // namespace tropic::tile
