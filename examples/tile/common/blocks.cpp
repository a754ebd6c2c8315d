#include "common/blocks.h"

#include <algorithm>

namespace tile_example {

Blocks cut_into_blocks(const Matrix& matrix, unsigned tiles) {
    Blocks blocks;
    while ((blocks.grid + 1) * (blocks.grid + 1) <= tiles) ++blocks.grid;
    blocks.n = static_cast<unsigned>(matrix.n);
    blocks.height = std::max((blocks.n + blocks.grid - 1) / blocks.grid, 1U);
    const std::size_t stride = blocks.height + 1;
    const auto block_of = [&](std::size_t row, std::size_t entry) {
        const auto col = static_cast<std::size_t>(matrix.col[entry]);
        return row / blocks.height * blocks.grid + col / blocks.height;
    };

    // Count, add up, place: rows come in order, so the entries of a block's row do too.
    blocks.offsets.assign(blocks.count() + std::size_t{1}, 0);
    blocks.row_begin.assign(blocks.count() * stride, 0);
    const auto entries_of = [&](std::size_t row, auto&& action) {
        for (auto e = static_cast<std::size_t>(matrix.pos[row]);
             e < static_cast<std::size_t>(matrix.pos[row + 1]); ++e) {
            action(e, block_of(row, e));
        }
    };
    for (std::size_t row = 0; row < matrix.n; ++row) {
        entries_of(row, [&](std::size_t, std::size_t block) {
            ++blocks.offsets[block + 1];
            ++blocks.row_begin[block * stride + row % blocks.height + 1];
        });
    }
    for (std::size_t b = 0; b < blocks.count(); ++b) {
        blocks.offsets[b + 1] += blocks.offsets[b];
        for (std::size_t i = 1; i < stride; ++i) {
            blocks.row_begin[b * stride + i] += blocks.row_begin[b * stride + i - 1];
        }
    }
    blocks.column.resize(matrix.entries());
    blocks.value.resize(matrix.entries());
    std::vector<std::size_t> next(blocks.offsets.begin(), blocks.offsets.end() - 1);
    for (std::size_t row = 0; row < matrix.n; ++row) {
        entries_of(row, [&](std::size_t e, std::size_t block) {
            const std::size_t at = next[block]++;
            blocks.column[at] = matrix.col[e] % static_cast<int>(blocks.height);
            blocks.value[at] = matrix.value[e];
        });
    }
    return blocks;
}

} // namespace tile_example
