// An unstructured mesh whose nodes and edges change each other: nodes are vectors, edges have a
// weight, and each step
//     node_i <- 0.8 node_i + 0.2 sum over neighbours j of node_j edge_ij
//     edge_ij <- (node_i . node_j) / 6
// from the values before the step. Parts of the mesh lie on different tiles; each part updates what
// it owns and reads what others own.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "common/experiment.h"

namespace tile_example {

struct Mesh {
    unsigned nodes = 0;
    unsigned node_dim = 3;                            ///< values of a node
    std::vector<std::pair<unsigned, unsigned>> edges; ///< each once
    unsigned parts = 1;
    std::vector<unsigned> part_of_node;
    std::vector<unsigned> part_of_edge;
};

/// Six nodes, eight edges, three parts: the graph the method was first explained on.
Mesh small_mesh(unsigned node_dim);

struct PartitionedMeshOptions {
    unsigned parts = 6;
    std::string method = "metis"; ///< or "scotch"
    std::uint64_t seed = 1;
};

/// Any graph, cut by METIS or SCOTCH. An edge belongs to the part of one of its ends, to that of
/// the two which owns fewer edges so far.
Mesh partitioned_mesh(const std::string& path_or_expression, unsigned node_dim,
                      const PartitionedMeshOptions& options);

struct MeshState {
    std::vector<float> nodes; ///< node after node
    std::vector<float> edges;
};

/// Values between 0 and 0.5, the same for the same seed.
MeshState initial_state(const Mesh& mesh, std::uint64_t seed);

struct MeshResult {
    Timings timings;
    MeshState state;
};

/// Each round is two steps: from the first buffer to the second, and back.
MeshResult run_mesh(const Mesh& mesh, const MeshState& start, unsigned rounds,
                    unsigned parts_per_tile, const Options& options);

/// The same without tiles.
MeshState plain_mesh(const Mesh& mesh, MeshState state, unsigned rounds);

/// The largest difference, relative to the value (or to one, if that is larger).
double difference(const MeshState& a, const MeshState& b);

} // namespace tile_example
