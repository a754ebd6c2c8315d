// A graph as METIS and SCOTCH know it: symmetric, without loops or duplicates, positive integer
// weights, 32-bit indices.
#pragma once

#include "tropic/partition.h"

namespace tropic {

struct Adjacency {
    Array positions;         ///< int32, vertices + 1
    Array neighbours;        ///< int32
    Array edge_weights;      ///< int32, one for each neighbour; empty: all 1
    bool both_added = false; ///< a weight is the sum of the values of both directions

    std::span<const std::int32_t> pos() const { return positions.as<std::int32_t>(); }
    std::span<const std::int32_t> adj() const { return neighbours.as<std::int32_t>(); }
    Index vertices() const { return positions.size() - 1; }
};

/// Weights of either kind are scaled so that their sum stays within this: both libraries add them
/// up in 32 bits, and some sums take every edge twice.
inline constexpr Index largest_weight_sum = Index{1} << 30;

/// The adjacency of a square graph in csr with sorted rows, telling in `result` what had to be done
/// for `library`. Shares the arrays of a matrix that is fit already. Throws Error(unsupported) if
/// the library's 32 bits do not suffice.
Adjacency adjacency_for(std::string_view library, const Tensor& csr, Partition& result,
                        const Context& context);

/// The sum of the weights of the edges that `part_of` cuts, from the values they were made of.
double weight_of_cut(const Tensor& csr, const Adjacency& adjacency, const Array& part_of,
                     const Context& context);

struct VertexWeights {
    int constraints = 0; ///< 0: unweighted
    Array weights;       ///< int32, vertex-major
    Array sizes;         ///< int32; empty: all 1
};

/// The vertex weights of a graph as non-negative 32-bit integers; constraints without any weight
/// are left out. Throws Error(range) for negative ones.
VertexWeights vertex_weights_for(std::string_view library, const Graph& graph, Partition& result,
                                 const Context& context);

} // namespace tropic
