// Vertices of one compute set run at the same time: what one writes no other may touch.
#pragma once

#include "machines/tile/graph.h"

namespace tropic::tile {

/// Throws TileError naming both vertices, their fields and the element.
void check_overlaps(const Graph& graph, ComputeSetId compute_set);

/// Throws TileError for a vertex that is on no tile or has a field left unconnected.
void check_connected(const Graph& graph, ComputeSetId compute_set);

} // namespace tropic::tile
