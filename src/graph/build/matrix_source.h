// The entries of a CSR matrix as a source to be sorted again: transposed, or renumbered, or both.
#pragma once

#include "graph/build/entry_source.h"

namespace tropic::building {

class MatrixSource final : public EntrySource<std::uint64_t> {
  public:
    enum class Side : std::uint8_t { rows, columns };

    /// Keys are row above column, or column above row if `outer` is columns. `renumber`, if not
    /// empty, gives the new number (int64) of every row and column.
    MatrixSource(const Tensor& csr, Side outer, Array renumber);

    Index pieces() const override;
    Index piece_size(Index piece) const override;
    void keys(Index piece, Index begin, Index count, std::uint64_t* out) const override;
    const std::byte* values(Index piece) const override;

  private:
    const Tensor& csr_;
    Array renumber_;
    int row_shift_;
    int col_shift_;
};

} // namespace tropic::building
