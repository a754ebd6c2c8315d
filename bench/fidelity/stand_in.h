// Graphs in place of those that can neither be had nor drawn from their family: as many vertices
// and entries, the same largest degree, and as many levels from vertex 0 as such a graph would
// have.
#pragma once

#include <string_view>

#include <tropic/graph.h>

namespace fidelity {

tropic::Graph make_stand_in(std::string_view name);

} // namespace fidelity
