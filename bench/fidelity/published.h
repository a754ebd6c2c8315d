// What the thesis "Exploration of Linear-Algebra Graph Algorithms on the Graphcore IPU" (Y. Otten,
// Bergen 2023) measured on a chip of 1472 tiles, and the graphs it measured.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace fidelity {

/// How near the graph is to the one measured.
enum class Origin : std::uint8_t {
    file,      ///< the same graph
    generated, ///< the same family and size, another draw
    stand_in,  ///< only size, entries, largest degree and eccentricity are like the original's
};

struct Instance {
    std::string_view name;
    Origin origin;
    std::string_view
        source;     ///< a file of TROPIC_DATA, a generator expression, or a stand-in's name
    double spmv_us; ///< one product; 0: not measured
    double bfs_us;  ///< all levels from vertex 0
    double prim_us; ///< a whole run
    /// Whether the row was used to fit parameters: others are predictions.
    bool spmv_fitted;
    bool bfs_fitted;
    bool prim_fitted;
};

std::span<const Instance> instances();

/// The thesis converted cycles to time with this clock.
inline constexpr double thesis_clock_hz = 1.35e9;

} // namespace fidelity
