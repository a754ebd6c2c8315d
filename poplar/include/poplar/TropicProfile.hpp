// Tropic's own additions to the interface: machines by name, and the profile as data.
#pragma once

#include <string>

#include <poplar/Device.hpp>
#include <poplar/Engine.hpp>

namespace poplar {

/// A device by the name of a machine ("gc200x4") or of a file that describes one.
Device createTropicDevice(StringRef nameOrFile);

/// Everything the engine knows of its graph and of what ran since the profile was last reset, in
/// the formats of Tropic's --profile, --trace and --report.
std::string tropicProfileJson(const Engine& engine);
std::string tropicTrace(const Engine& engine);
std::string tropicHtmlReport(const Engine& engine);

/// Cycles of the modelled machine since the engine was loaded, or the profile reset.
std::uint64_t tropicCycles(const Engine& engine);

} // namespace poplar
