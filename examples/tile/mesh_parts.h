// What one part of a mesh owns, what it reads of others, and how its nodes find their neighbours
// in its own lists.
#pragma once

#include <vector>

#include "mesh.h"

namespace tile_example {

struct MeshPart {
    std::vector<unsigned> local_nodes;
    std::vector<unsigned> foreign_nodes;
    std::vector<unsigned> local_edges;
    std::vector<unsigned> foreign_edges;

    /// For each local node: where its neighbours begin in `connectivity`, and how many they are.
    std::vector<unsigned> connectivity_index;
    /// For each neighbour: the node and the edge to it, as positions in the lists above; the
    /// highest bit is set for positions in a local list.
    std::vector<unsigned> connectivity;
    /// For each local edge: both ends, in the same way.
    std::vector<unsigned> edge_ends;
};

std::vector<MeshPart> parts_of(const Mesh& mesh);

} // namespace tile_example
