// What the ways to partition have in common: each fills the parts of a Partition whose options are
// checked already; the quality is measured afterwards, in the same way for all.
#pragma once

#include "tropic/partition.h"

namespace tropic {

/// block_1d and block_2d. `csr`: the graph's matrix in csr with sorted rows.
void partition_blocks(const Graph& graph, const Tensor& csr, Partition& result,
                      const Context& context);

/// k-way with 1 < parts < vertices.
void partition_metis(const Graph& graph, const Tensor& csr, Partition& result,
                     const Context& context);
void partition_scotch(const Graph& graph, const Tensor& csr, Partition& result,
                      const Context& context);

/// Fills quality, vertices_of_part and entries_of_part, and warns of a balance that misses what was
/// asked for.
void measure_partition(const Graph& graph, const Tensor& csr, Partition& result,
                       const Context& context);

/// Whether a partition cuts the vertices of a square graph, as opposed to blocks of a matrix.
inline bool is_vertex_partition(const Graph& graph, const Partition& partition) {
    return partition.options.method != PartitionMethod::block_2d && graph.is_square();
}

} // namespace tropic
