// Profiles made up for tests, with the proportions of real ones. All are deterministic.
#pragma once

#include <cstdint>
#include <string>

#include "machines/tile/profile.h"

namespace tropic::testing {

struct SyntheticOptions {
    std::uint32_t chips = 1;
    std::uint32_t tiles_per_chip = 1472;
    std::uint32_t supersteps = 1003; ///< 3 and a multiple of 5
    std::uint64_t seed = 1;
};

/// A machine with the main figures of a GC200.
tile::Machine machine_like_gc200(std::uint32_t chips, std::uint32_t tiles_per_chip);

/// A breadth-first search as the thesis has it: host copies, then a loop over expanding, reducing
/// and normalising a frontier that grows and shrinks; a few tiles are idle, some overloaded.
tile::Profile synthetic_search(const SyntheticOptions& options = {});

/// Nothing but the machine.
tile::Profile empty_profile();

/// A graph that did not fit: memory and no superstep.
tile::Profile out_of_memory_profile();

/// Few tiles and round numbers, to be checked by eye: the golden files are made of it.
tile::Profile small_profile();

/// Anything a profile can hold, odd names and extreme numbers among it.
tile::Profile random_profile(std::uint64_t seed);

} // namespace tropic::testing
