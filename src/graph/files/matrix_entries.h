// The entries of a sparse matrix in the order they are stored, whatever its format, so that writers
// can cut them into pieces of equal size.
#pragma once

#include <algorithm>

#include "tropic/coordinates.h"

namespace tropic {

class MatrixEntries {
  public:
    /// Reads csr, csc, dcsr, dcsc and coo in place; other formats are brought to coo first.
    MatrixEntries(const Tensor& matrix, const Context& context) : matrix_(matrix) {
        const auto& levels = matrix.format().levels;
        const bool rows_over_compressed =
            levels[1] == LevelKind::compressed && levels[0] != LevelKind::singleton;
        if (!rows_over_compressed && levels != Format::coo().levels) {
            matrix_ = convert(matrix, Format::coo(), context);
        }
        compressed_ = matrix_.level(1).kind == LevelKind::compressed;
        swapped_ = matrix_.format().order[0] == 1;
    }

    Index size() const noexcept { return matrix_.entries(); }
    const Array& values() const noexcept { return matrix_.values(); }

    /// Calls `action(row, col, position)` for the entries at positions [begin, end).
    template <class Action> void for_each(Index begin, Index end, const Action& action) const {
        const auto oriented = [&](Index outer, Index inner, Index position) {
            if (swapped_) action(inner, outer, position);
            else action(outer, inner, position);
        };
        visit_index(matrix_.level(1).crd.type(), [&](auto crd_tag) {
            using Crd = typename decltype(crd_tag)::type;
            const auto crd = matrix_.level(1).crd.template as<Crd>();
            if (!compressed_) {
                visit_index(matrix_.level(0).crd.type(), [&](auto outer_tag) {
                    using Outer = typename decltype(outer_tag)::type;
                    const auto outer = matrix_.level(0).crd.template as<Outer>();
                    for (Index k = begin; k < end; ++k) oriented(outer[k], crd[k], k);
                });
                return;
            }
            visit_index(matrix_.level(1).pos.type(), [&](auto pos_tag) {
                using Pos = typename decltype(pos_tag)::type;
                const auto pos = matrix_.level(1).pos.template as<Pos>();
                const Array& listed = matrix_.level(0).crd;
                // The last parent that starts at or before `begin` and is not empty holds it.
                Index parent = std::upper_bound(pos.begin(), pos.end(), begin) - pos.begin() - 1;
                for (Index k = begin; k < end; ++parent) {
                    const Index stop = std::min<Index>(pos[parent + 1], end);
                    const Index outer = listed.empty() ? parent : listed.index_at(parent);
                    for (; k < stop; ++k) oriented(outer, crd[k], k);
                }
            });
        });
    }

  private:
    Tensor matrix_;
    bool compressed_ = false;
    bool swapped_ = false;
};

} // namespace tropic
