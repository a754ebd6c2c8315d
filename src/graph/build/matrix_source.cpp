#include "graph/build/matrix_source.h"

#include <algorithm>

#include "graph/build/list_block.h"

namespace tropic::building {

MatrixSource::MatrixSource(const Tensor& csr, Side outer, Array renumber)
    : csr_(csr), renumber_(std::move(renumber)) {
    const auto& order = csr.format().order;
    row_shift_ = outer == Side::rows ? bits_below(csr.dim(order[1])) : 0;
    col_shift_ = outer == Side::rows ? 0 : bits_below(csr.dim(order[0]));
}

Index MatrixSource::pieces() const {
    return (csr_.entries() + list_block - 1) / list_block;
}

Index MatrixSource::piece_size(Index piece) const {
    return std::min(list_block, csr_.entries() - piece * list_block);
}

void MatrixSource::keys(Index piece, Index begin, Index count, std::uint64_t* out) const {
    const Index first = piece * list_block + begin;
    visit_csr(csr_, [&](const auto& view) {
        const auto& pos = view.pos;
        const std::int64_t* renumber =
            renumber_.empty() ? nullptr : renumber_.as<std::int64_t>().data();
        Index row = std::upper_bound(pos.begin(), pos.end(), first) - pos.begin() - 1;
        for (Index i = 0; i < count;) {
            while (static_cast<Index>(pos[row + 1]) <= first + i) ++row;
            const Index end = std::min<Index>(count, static_cast<Index>(pos[row + 1]) - first);
            const auto* crd = view.crd.data() + first;
            if (renumber == nullptr) {
                const auto high = static_cast<std::uint64_t>(row) << row_shift_;
                for (; i < end; ++i)
                    out[i] = high | static_cast<std::uint64_t>(crd[i]) << col_shift_;
            } else {
                const auto high = static_cast<std::uint64_t>(renumber[row]) << row_shift_;
                for (; i < end; ++i) {
                    out[i] = high | static_cast<std::uint64_t>(renumber[crd[i]]) << col_shift_;
                }
            }
        }
    });
}

const std::byte* MatrixSource::values(Index piece) const {
    return static_cast<const std::byte*>(csr_.values().data()) +
           piece * list_block * static_cast<Index>(size_of(csr_.type()));
}

} // namespace tropic::building
