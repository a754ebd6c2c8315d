// What the machine's memory gives, and what a kernel at least asks of it.
#pragma once

#include "../peers/contestant.h"

namespace tropic::bench {

/// Bytes per second that so many threads read from an array far larger than the caches: the best
/// of several passes.
double read_bandwidth(int threads);

/// The bytes that a kernel moves if every array is read or written once where the algorithm goes
/// over it and gathers from vertex arrays come from the caches. With n vertices, m entries, 4-byte
/// positions, coordinates, weights and values:
///   bfs          4 m + 12 n: rows once, positions, parents written and read
///   sssp         8 m + 16 n: rows and weights once, positions, distances, buckets
///   pagerank     rounds (4 m + 16 n): rows, positions, ranks read and written, shares written
///   components   4 m + 12 n, or 24 n where a mean degree of 8 lets two neighbours settle most
///   triangles    8 m + 4 (paths of two edges in the graph directed by degree): directing, then
///                reading a row for every edge
///   betweenness  2 (4 m + 36 n): out and back over rows, with four values of 8 bytes a vertex
/// `rounds` below 1 gives 0 for pagerank: nobody counted.
double least_traffic(Kernel kernel, const BenchGraph& graph, int rounds);

} // namespace tropic::bench
