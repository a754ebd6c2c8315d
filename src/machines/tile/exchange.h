// What moves between tiles, and what is put in order on them, each time a step runs: known from
// where things are, before anything runs.
//
// A tile receives each element once, however many of its vertices read it; a tile sends each
// element once, however many tiles receive it. Exchange moves 32-bit words: what is smaller, or
// does not lie where its reader wants it, is rearranged on the tile that receives it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "machines/tile/placement.h"
#include "machines/tile/profile.h"

namespace tropic::tile {

/// One exchange phase.
struct ExchangePlan {
    std::vector<TileExchange> tiles;           ///< that take part, ascending
    std::vector<MemoryPiece> landing;          ///< bytes for what arrives or leaves, by tile
    std::vector<MemoryPiece> buffers;          ///< bytes for what is rearranged, by tile
    std::vector<MemoryPiece> regions;          ///< sent or received: exchange code, by tile
    std::vector<Rearrangement> rearrangements; ///< `step` is filled in later
    bool between_chips = false;

    bool empty() const { return tiles.empty(); }
    /// Of the slowest tile, beginning included; 0 if nothing is exchanged.
    std::uint64_t cycles(const Machine& machine) const;
};

struct ComputeSetExchange {
    ExchangePlan before;
    ExchangePlan after;
};

/// For a compute set; all of its vertices are on tiles.
ComputeSetExchange plan_compute_set(const Placement& placement, ComputeSetId compute_set);

/// For copying one tensor to another of the same number of elements.
ExchangePlan plan_copy(const Placement& placement, const Tensor& from, const Tensor& to,
                       std::string_view user);

/// Bytes that each tile holds of a tensor, for copies to and from the host.
ExchangePlan plan_host_copy(const Placement& placement, const Tensor& tensor, bool to_device,
                            std::string_view user);

} // namespace tropic::tile
