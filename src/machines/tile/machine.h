// A tile processor as the model knows it: how many tiles, how much memory, how fast, and what
// synchronising and exchanging cost. Every figure the model uses stands here, by name, with where
// it comes from beside its value in machine.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tropic::tile {

struct Machine {
    std::string name;
    std::uint32_t chips = 1;
    std::uint32_t tiles_per_chip = 1472;
    std::uint64_t bytes_per_tile = 0;
    double clock_hz = 0;
    std::uint32_t workers = 6; ///< hardware contexts of a tile, issuing in turn

    std::uint32_t exchange_bytes_per_cycle = 4;   ///< received, and sent, by one tile
    std::uint32_t local_copy_bytes_per_cycle = 8; ///< within one tile
    std::uint32_t sync_cycles = 0;                ///< all tiles of one chip
    std::uint32_t global_sync_cycles = 0;         ///< all chips
    std::uint32_t exchange_setup_cycles = 0;
    double link_bytes_per_second = 0; ///< between two chips
    double host_bytes_per_second = 0; ///< as programs see it, not the nominal figure
    double host_latency_seconds = 0;  ///< the least a copy to or from the host takes

    std::uint32_t tiles() const { return chips * tiles_per_chip; }
};

/// A machine by name (`gc2`, `gc200`, `bow`, `gc200x4`) or described in a file. Throws Error,
/// listing what is known, for anything else.
Machine find_machine(std::string_view name_or_file);

/// One chip of every kind that has a name.
const std::vector<Machine>& known_machines();

} // namespace tropic::tile
