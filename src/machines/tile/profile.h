// What a run on a tile machine did and cost, in full: every superstep of every iteration, memory
// by tile and variable, and what had to be rearranged. Plain data: the engine fills it, the
// reports read it.
#pragma once

#include "machines/tile/machine.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tropic::tile {

enum class StepKind : std::uint8_t {
    execute,   ///< a compute set
    copy,      ///< tensor to tensor
    host_copy, ///< a stream or remote buffer, to or from the host
    host_call, ///< a function of the host
    sync,      ///< a barrier the program asked for
    control,   ///< deciding a loop, branch or switch
};

/// What one tile does in a step each time, known before the program runs.
struct TileExchange {
    std::uint32_t tile = 0;
    std::uint32_t cycles = 0;           ///< of exchange, rearrangement excluded
    std::uint32_t rearrange_cycles = 0; ///< of copies on the tile that put data in order
    std::uint64_t bytes_sent = 0;
    std::uint64_t bytes_received = 0;
    std::uint64_t bytes_local = 0; ///< copied within the tile
};

/// A step of the program, where it stands in the text; loops execute it many times.
struct ProfileStep {
    std::string name; ///< the compute set's, or "copy x to y"
    StepKind kind = StepKind::execute;
    std::int32_t parent = -1;   ///< the enclosing entry of `scopes`, -1 for the outermost
    std::uint32_t vertices = 0; ///< of a compute set
    std::uint32_t sync_cycles = 0;
    std::uint32_t exchange_setup_cycles = 0;
    std::vector<TileExchange> before; ///< exchange before compute; tiles that take part only
    std::vector<TileExchange> after;  ///< and after it
};

/// A sequence, loop, branch or function of the program, for showing steps as a tree.
struct ProfileScope {
    std::string name; ///< "repeat while true", "sequence", or the name the program gave
    std::int32_t parent = -1;
};

/// One execution of a step. All tiles start together at `start_cycle`.
struct Superstep {
    std::uint32_t step = 0;
    std::uint32_t iteration = 0; ///< of the innermost loop around it, from 0
    std::uint64_t start_cycle = 0;
    std::uint64_t exchange_before_cycles = 0; ///< the slowest tile's
    std::uint64_t compute_cycles = 0;         ///< the slowest tile's
    std::uint64_t exchange_after_cycles = 0;  ///< the slowest tile's
    std::uint64_t sync_cycles = 0;
    std::uint64_t host_cycles = 0;      ///< waiting for the host, in cycles of the tile's clock
    std::vector<std::uint32_t> compute; ///< cycles by tile; empty if no tile computed
};

enum class MemoryKind : std::uint8_t {
    variable,
    constant,
    vertex_state,
    scratch,
    code,
    landing_zone,
    rearrangement,
    control,
};

/// Bytes of one thing on one tile.
struct MemoryPiece {
    std::uint32_t tile = 0;
    std::uint64_t bytes = 0;
};

struct MemoryItem {
    std::string name;
    MemoryKind kind = MemoryKind::variable;
    bool always_live = true;
    std::vector<MemoryPiece> pieces; ///< by tile, ascending
};

struct TileMemory {
    std::uint64_t always_live = 0;
    std::uint64_t shared = 0;  ///< the most that is live at once of what is not always live
    std::uint64_t padding = 0; ///< lost to alignment
    std::uint64_t total() const { return always_live + shared + padding; }
};

/// A copy on a tile that no program asked for: data was not in the order or alignment needed.
struct Rearrangement {
    std::string tensor;
    std::string why; ///< "odd number of bytes", "regions out of order", ...
    std::uint32_t step = 0;
    std::uint32_t tiles = 0;
    std::uint64_t bytes = 0;
    std::uint64_t cycles = 0; ///< of the slowest tile
};

struct HostTime {
    std::string what;   ///< "compile codelets", "compile graph", "run", ...
    double seconds = 0; ///< of this host's clock: not part of the model
};

struct Profile {
    std::string program; ///< what was run, for titles
    Machine machine;
    std::vector<ProfileScope> scopes;
    std::vector<ProfileStep> steps;
    std::vector<Superstep> supersteps;    ///< in order of execution
    std::uint64_t cycles = 0;             ///< in all
    std::uint64_t dropped_supersteps = 0; ///< beyond the limit; their cycles are in `cycles`
    std::vector<TileMemory> memory;       ///< by tile
    std::vector<MemoryItem> memory_items;
    std::vector<Rearrangement> rearrangements;
    std::vector<HostTime> host_times;
    std::string failure; ///< why the program could not be placed or run; empty if it was
};

} // namespace tropic::tile
