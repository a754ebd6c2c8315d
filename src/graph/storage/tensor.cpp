#include "tropic/tensor.h"

#include <numeric>

#include <fmt/format.h>

#include "support/counted.h"
#include "tropic/error.h"

namespace tropic {

namespace {

std::vector<int> identity_order(int rank) {
    std::vector<int> order(static_cast<std::size_t>(rank));
    std::iota(order.begin(), order.end(), 0);
    return order;
}

Format uniform(LevelKind kind, int rank) {
    return {std::vector<LevelKind>(static_cast<std::size_t>(rank), kind), identity_order(rank)};
}

} // namespace

Format Format::dense(int rank) {
    return uniform(LevelKind::dense, rank);
}

Format Format::coo(int rank) {
    Format format = uniform(LevelKind::singleton, rank);
    if (rank > 0) format.levels[0] = LevelKind::compressed;
    return format;
}

Format Format::csr() {
    return {{LevelKind::dense, LevelKind::compressed}, {0, 1}};
}
Format Format::csc() {
    return {{LevelKind::dense, LevelKind::compressed}, {1, 0}};
}
Format Format::dcsr() {
    return csf(2);
}
Format Format::dcsc() {
    return {{LevelKind::compressed, LevelKind::compressed}, {1, 0}};
}
Format Format::csf(int rank) {
    return uniform(LevelKind::compressed, rank);
}

std::string Format::name() const {
    const int rank = static_cast<int>(levels.size());
    if (*this == dense(rank)) return "dense";
    if (rank == 1) return "sparse";
    if (rank == 2) {
        if (*this == csr()) return "csr";
        if (*this == csc()) return "csc";
        if (*this == dcsr()) return "dcsr";
        if (*this == dcsc()) return "dcsc";
    }
    if (*this == coo(rank)) return "coo";
    if (*this == csf(rank)) return "csf";
    return "custom";
}

bool parse_format(std::string_view name, int rank, Format& format) {
    if (name == "dense") format = Format::dense(rank);
    else if (name == "coo") format = Format::coo(rank);
    else if (name == "csf") format = Format::csf(rank);
    else if (rank == 1 && name == "sparse") format = Format::sparse_vector();
    else if (rank == 2 && name == "csr") format = Format::csr();
    else if (rank == 2 && name == "csc") format = Format::csc();
    else if (rank == 2 && name == "dcsr") format = Format::dcsr();
    else if (rank == 2 && name == "dcsc") format = Format::dcsc();
    else return false;
    return true;
}

Tensor::Tensor(std::vector<Index> shape, Format format, std::vector<Level> levels, Array values,
               bool unique, bool sorted)
    : shape_(std::move(shape)), format_(std::move(format)), levels_(std::move(levels)),
      values_(std::move(values)), unique_(unique), sorted_(sorted) {}

std::size_t Tensor::bytes() const noexcept {
    std::size_t total = values_.bytes();
    for (const Level& level : levels_) total += level.pos.bytes() + level.crd.bytes();
    return total;
}

Tensor Tensor::with_values(Array values) const {
    if (values.size() != entries()) {
        throw Error({.code = ErrorCode::usage,
                     .message = fmt::format("{} given for a tensor of {}",
                                            values.size() == 1
                                                ? std::string("1 value is")
                                                : fmt::format("{} values are", values.size()),
                                            counted(entries(), "entries")),
                     .accepted = "one value for each entry"});
    }
    Tensor result = *this;
    result.values_ = std::move(values);
    return result;
}

} // namespace tropic
