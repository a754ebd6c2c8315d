// Prim's minimum spanning tree as algebra: the distances of all vertices to the tree are a vector,
// its least element joins the tree, and the column of that vertex lowers the others.
#pragma once

#include <cstdint>
#include <vector>

#include "common/experiment.h"
#include "common/matrix.h"

namespace tile_example {

struct PrimResult {
    Timings timings;
    /// For each row of the shuffled matrix the vertex it hangs on; the root on itself, UINT_MAX
    /// where the tree never came.
    std::vector<unsigned> connection;
};

/// Weights are rounded to whole numbers. The tree grows from row 0 of the shuffled matrix.
PrimResult run_prim(const Matrix& matrix, const Options& options);

/// What is wrong with the tree, compared with one that Kruskal's algorithm found; empty if nothing.
std::string check_tree(const Matrix& matrix, const std::vector<unsigned>& connection);

} // namespace tile_example
