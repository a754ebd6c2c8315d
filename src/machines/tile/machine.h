// A tile processor as the model knows it: how many tiles, how much memory, how fast, and what
// synchronising and exchanging cost. Every figure the model uses stands here, by name, with where
// it comes from beside its value in machine.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tropic::tile {

struct Machine {
    std::string name;
    std::uint32_t chips = 1;
    std::uint32_t tiles_per_chip = 1472;
    std::uint64_t bytes_per_tile = 0;
    double clock_hz = 0;
    std::uint32_t workers = 6; ///< hardware contexts of a tile, issuing in turn

    std::uint32_t exchange_bytes_per_cycle = 4; ///< received, and sent, by one tile
    /// The same, where a region's start, on both tiles, and length are multiples of 64 bits.
    std::uint32_t exchange_aligned_bytes_per_cycle = 8;
    std::uint32_t local_copy_bytes_per_cycle = 8; ///< within one tile
    std::uint32_t sync_cycles = 0;                ///< all tiles of one chip
    std::uint32_t global_sync_cycles = 0;         ///< all chips
    std::uint32_t exchange_setup_cycles = 0;
    double link_bytes_per_second = 0; ///< between two chips
    double host_bytes_per_second = 0; ///< as programs see it, not the nominal figure
    double host_latency_seconds = 0;  ///< the least a copy to or from the host takes

    std::uint32_t exchange_region_cycles = 0;     ///< each region a tile receives
    std::uint32_t local_copy_region_cycles = 0;   ///< each region copied within a tile
    std::uint32_t rearrange_region_cycles = 0;    ///< each region put in order or alignment
    double rearrange_bytes_per_cycle = 4;         ///< and its bytes
    std::uint32_t subword_region_cycles = 0;      ///< each region of less than a word, instead
    std::uint32_t compute_set_cycles = 0;         ///< a tile entering and leaving a compute set
    std::uint32_t worker_start_cycles = 0;        ///< the supervisor starting one worker's vertex
    std::uint32_t multi_start_cycles = 0;         ///< and one that all workers run
    std::uint32_t supervisor_start_cycles = 0;    ///< and one that it runs itself
    std::uint32_t branch_cycles = 0;              ///< telling all tiles which way to go
    std::uint32_t loop_cycles = 0;                ///< counting one iteration
    std::uint32_t call_cycles = 0;                ///< calling a function of the program
    std::uint32_t cycle_stamp_cycles = 0;         ///< reading the cycle counter
    std::uint32_t link_congestion = 1;            ///< how much slower links are when many use them
    std::uint32_t supervisor_stack_bytes = 0;     ///< on each tile that computes
    std::uint32_t worker_stack_bytes = 0;         ///< of each worker there
    std::uint32_t step_code_bytes = 0;            ///< on each tile, for each step of the program
    std::uint32_t vertex_code_bytes = 0;          ///< on its tile, to start one vertex
    std::uint32_t exchange_region_code_bytes = 0; ///< each region a tile sends or receives
    std::uint32_t runtime_bytes = 0;              ///< on each tile that computes

    std::uint32_t tiles() const { return chips * tiles_per_chip; }
};

/// A machine by name (`gc2`, `gc200`, `bow`, `gc200x4`) or described in a file. Throws Error,
/// listing what is known, for anything else.
Machine find_machine(std::string_view name_or_file);

/// One chip of every kind that has a name.
const std::vector<Machine>& known_machines();

/// One of a machine's figures, by name, for showing and for reading from a file.
struct MachineParameter {
    using Member =
        std::variant<std::uint32_t Machine::*, std::uint64_t Machine::*, double Machine::*>;
    std::string_view name;
    Member member;
    std::string_view unit;
    std::string_view meaning;
    std::string_view source; ///< where the figure comes from

    double of(const Machine& machine) const;
};

std::span<const MachineParameter> machine_parameters();

} // namespace tropic::tile
