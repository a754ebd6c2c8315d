// What stands behind the classes of the interface.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/HostArray.hpp>
#include <poplar/Target.hpp>

#include "machines/tile/engine.h"
#include "machines/tile/executable.h"
#include "machines/tile/graph.h"
#include "machines/tile/machine.h"

namespace poplar::core {

namespace tile = tropic::tile;

struct Target {
    tile::Machine machine;
    TargetType type = TargetType::IPU;
};

/// A graph, or some tiles of one: virtual graphs share what is behind them.
struct Graph {
    poplar::Target target;
    std::shared_ptr<tile::Graph> graph;
    std::vector<std::uint32_t> tiles; ///< of the whole graph, for each of this one; empty: the same
    std::shared_ptr<std::map<std::string, PerfEstimateFunc>> estimators;

    std::uint32_t tile(unsigned number) const;
};

struct Executable {
    std::shared_ptr<const tile::Executable> executable;
    OptionFlags options;
};

/// What options and environment ask of an engine.
struct EngineSettings {
    tile::EngineOptions engine;
    bool allow_out_of_memory = false;
    std::string profile; ///< files to write when the engine ends, if any
    std::string trace;
    std::string report;

    bool writes() const { return !profile.empty() || !trace.empty() || !report.empty(); }
};

/// Throws invalid_option.
EngineSettings read_settings(const OptionFlags& options);
/// Writes the files that the settings name; returns the profile's path.
std::string write_profile(const EngineSettings& settings, const tile::Profile& profile);

inline tile::ElementType to_tile(const Type& type) {
    return static_cast<tile::ElementType>(type.kind());
}
inline Type from_tile(tile::ElementType type) {
    return Type(static_cast<Type::Kind>(type));
}
tile::Shape to_tile(ArrayRef<std::size_t> shape);

/// The values as elements of a type.
std::vector<std::byte> convert(HostArray values, tile::ElementType type);

/// The element at `from`.
Number number_of(const std::byte* from, tile::ElementType type);

std::uint16_t half_bits(float value);
float half_value(std::uint16_t bits);

} // namespace poplar::core
