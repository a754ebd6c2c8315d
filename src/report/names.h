// The words that stand for a profile's enumerations in files and tables.
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "machines/tile/profile.h"

namespace tropic::report {

inline constexpr std::array<std::string_view, 6> step_kinds = {"execute",   "copy", "host_copy",
                                                               "host_call", "sync", "control"};
inline constexpr std::array<std::string_view, 8> memory_kinds = {
    "variable", "constant",     "vertex_state",  "scratch",
    "code",     "landing_zone", "rearrangement", "control"};

inline std::string_view name_of(tile::StepKind kind) {
    return step_kinds.at(static_cast<std::size_t>(kind));
}
inline std::string_view name_of(tile::MemoryKind kind) {
    return memory_kinds.at(static_cast<std::size_t>(kind));
}

} // namespace tropic::report
