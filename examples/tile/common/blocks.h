// A matrix cut into a square grid of blocks, one block a tile: as many rows and columns of blocks
// as the tiles allow (38 x 38 of 1472).
#pragma once

#include "common/matrix.h"

namespace tile_example {

struct Blocks {
    unsigned grid = 0;   ///< blocks in a row, and in a column
    unsigned height = 0; ///< rows, and columns, of a block
    unsigned n = 0;

    /// Block b (row by row of the grid) owns entries offsets[b] to offsets[b + 1] of `column` and
    /// `value`; columns count from the block's first.
    std::vector<std::size_t> offsets;
    std::vector<int> column;
    std::vector<float> value;
    /// height + 1 positions for each block, counted from its offset.
    std::vector<int> row_begin;

    /// The rows (or columns) that exist of block row (or column) b: the last ones may be cut off.
    unsigned begin(unsigned b) const { return b * height < n ? b * height : n; }
    unsigned end(unsigned b) const { return (b + 1) * height < n ? (b + 1) * height : n; }
    unsigned count() const { return grid * grid; }
};

Blocks cut_into_blocks(const Matrix& matrix, unsigned tiles);

} // namespace tile_example
