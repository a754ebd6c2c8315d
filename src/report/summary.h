// The figures that the text, the JSON summary and the trace show: a profile added up.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "machines/tile/profile.h"

namespace tropic::report {

/// Cycles of the machine by what it did, each phase as long as its slowest tile needed.
struct Phases {
    std::uint64_t compute = 0;
    std::uint64_t exchange = 0; ///< before and after compute, rearrangement among it
    std::uint64_t sync = 0;
    std::uint64_t host = 0;
    std::uint64_t total() const { return compute + exchange + sync + host; }
};

struct StepCost {
    std::uint32_t step = 0;
    std::uint64_t runs = 0;
    Phases cycles;
    std::uint64_t busy = 0;  ///< compute cycles of all tiles together, where known
    std::uint64_t known = 0; ///< compute cycles of the slowest tile in the same supersteps
    std::uint64_t bytes_exchanged = 0; ///< received by all tiles
    double balance = 0;                ///< mean tile to slowest; 0 if nothing computed or known
};

struct TileTime {
    std::uint64_t compute = 0;
    std::uint64_t exchange = 0;
};

struct VariableSize {
    std::size_t item = 0; ///< in Profile::memory_items
    std::uint64_t bytes = 0;
    std::uint64_t most = 0; ///< on one tile
    std::uint32_t fullest_tile = 0;
};

struct Summary {
    double seconds = 0;
    Phases cycles;                  ///< of the recorded supersteps
    std::uint64_t other_cycles = 0; ///< of supersteps that were not recorded
    std::uint64_t bytes_exchanged = 0;
    double balance = 0;
    std::vector<StepCost> steps; ///< dearest first
    std::vector<TileTime> tiles;
    std::vector<std::uint32_t> fullest;  ///< tiles by memory, fullest first
    std::vector<VariableSize> variables; ///< by bytes of all tiles, largest first
    std::uint32_t tiles_over_limit = 0;
    std::uint64_t not_by_tile = 0; ///< supersteps that computed without a record of each tile
};

Summary summarise(const tile::Profile& profile);

/// How long a superstep takes.
Phases phases_of(const tile::Superstep& superstep);

/// "repeat while true / relax": a step with the scopes around it.
std::string path_of(const tile::Profile& profile, std::uint32_t step);

} // namespace tropic::report
