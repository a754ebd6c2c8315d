// What steps are called in profiles and messages.
#pragma once

#include <string>
#include <string_view>

#include "machines/tile/graph.h"
#include "machines/tile/program.h"

namespace tropic::tile {

/// The name the program gave, or what it does: "copy x to y".
std::string step_name(const Graph& graph, const Program& program);

/// Of what holds other steps: "repeat while true".
std::string_view scope_name(ProgramKind kind);

} // namespace tropic::tile
