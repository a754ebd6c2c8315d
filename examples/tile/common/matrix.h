// The graph an example works on: a square matrix in compressed rows, its vertices in random order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tropic/graph.h>

namespace tile_example {

struct Matrix {
    std::size_t n = 0;
    std::vector<std::int64_t> pos; ///< row i owns entries pos[i] to pos[i + 1]
    std::vector<std::int32_t> col;
    std::vector<float> value; ///< 1 where the file has none

    std::vector<std::int32_t> old_of; ///< the vertex that row i was in the file
    std::vector<std::int32_t> new_of; ///< and the row that a vertex of the file became

    std::size_t entries() const { return col.size(); }
};

/// Reads a file or makes the graph of a generator expression, and puts its vertices in random
/// order: that spreads the entries evenly over blocks of equal size.
Matrix load_matrix(const std::string& path_or_expression, std::uint64_t seed);

/// The same for a program that goes along edges in both directions: a directed graph becomes an
/// undirected one, and standard error says so.
Matrix load_undirected(const std::string& path_or_expression, std::uint64_t seed);

/// The same for a graph that is there.
Matrix shuffle(tropic::Graph graph, std::uint64_t seed);

} // namespace tile_example
