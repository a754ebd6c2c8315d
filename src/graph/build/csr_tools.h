// What the transforms of a graph share: working on CSR whatever the storage, and loops over rows
// that are balanced by entries.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "graph/build/squeeze.h"
#include "support/parallel.h"
#include "tropic/graph.h"

namespace tropic::building {

/// The matrix as csr with sorted rows; itself if it is that already.
Tensor sorted_csr(const Tensor& matrix, const Context& context);

/// Replaces the graph's matrix by `csr`, stored in the format it had before.
void put_back(Graph& graph, const Tensor& csr, const Context& context);

/// The same for a `csr` in the shape of what `squeezed` made of the graph's matrix.
void put_back(Graph& graph, const Tensor& csr, const Squeezed& squeezed, const Context& context);

/// Calls body(first_row, end_row) for ranges of rows with about the same number of entries and
/// rows together.
template <class Pos, class Body>
void for_row_ranges(const Context& context, std::span<const Pos> pos, const Body& body) {
    constexpr Index piece = 1 << 16;
    const Index rows = static_cast<Index>(pos.size()) - 1;
    const Index work = rows + static_cast<Index>(pos[rows]);
    const Index pieces = (work + piece - 1) / piece;
    const auto row_at = [&](Index target) {
        // The first row whose work before it, row + pos[row], reaches the target.
        Index low = 0;
        Index high = rows;
        while (low < high) {
            const Index middle = low + (high - low) / 2;
            if (middle + static_cast<Index>(pos[middle]) < target) low = middle + 1;
            else high = middle;
        }
        return low;
    };
    parallel_each(context, pieces, [&](Index p) {
        context.check_cancelled();
        const Index begin = row_at(p * piece);
        const Index end = p + 1 == pieces ? rows : row_at((p + 1) * piece);
        if (begin < end) body(begin, end);
    });
}

/// Turns counts[row + 1] into starts (counts[0] is 0) and gives them the narrowest type.
Array positions_from_counts(Array counts, const Context& context);

/// Which entries stay: those below, on and above the diagonal.
struct Kept {
    bool below;
    bool diagonal;
    bool above;

    bool operator()(Index row, Index col) const noexcept {
        return row == col ? diagonal : (row > col ? below : above);
    }
};

/// The csr matrix of the entries that are kept.
Tensor filtered(const Tensor& csr, const Kept& keep, const Context& context);

/// The elements of `array`, `group` in a row for each, that `old_of` (int32 or int64) names.
Array gathered(const Array& array, const Array& old_of, Index group, const Context& context);

} // namespace tropic::building
