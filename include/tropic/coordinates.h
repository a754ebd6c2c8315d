// A list of entries in the order they came: what readers and generators produce and what tensors
// are built from. It is kept in blocks so that memory can be given back block by block while
// building.
#pragma once

#include <vector>

#include "tropic/tensor.h"

namespace tropic {

/// A run of entries: coordinates[d][e] is the coordinate of entry e in dimension d.
struct CoordinateBlock {
    std::vector<Array> coordinates; ///< all of the list's index type, all of the same size
    Array values;                   ///< the same size; `pattern` if entries carry no value

    Index size() const noexcept { return values.size(); }
};

struct CoordinateList {
    std::vector<Index> shape; ///< every coordinate d is in [0, shape[d])
    ElementType index_type = ElementType::int32;
    ElementType value_type = ElementType::pattern;
    std::vector<CoordinateBlock> blocks;

    int rank() const noexcept { return static_cast<int>(shape.size()); }
    Index entries() const noexcept;
};

/// What becomes of entries with the same coordinates. First and last are in list order.
enum class Duplicates : std::uint8_t { keep, sum, min, max, first, last };

std::string_view name_of(Duplicates rule) noexcept;
bool parse_duplicates(std::string_view name, Duplicates& rule) noexcept;

struct BuildReport {
    Index entries_in = 0;
    Index merged = 0; ///< entries that disappeared into an equal one
};

/// Builds a tensor with sorted coordinates. The same list gives the same tensor for every number of
/// threads (sums are taken in list order). Takes the list by value: its blocks are freed on the
/// way, so that the peak stays near the size of list or tensor, not their sum. Throws
/// Error(range) for a coordinate outside the shape and for sums that leave the range of an integer
/// type on the way, Error(out_of_memory) before allocating over the limit; for formats with a dense
/// first level that is far larger than the entries the hint names dcsr.
Tensor build(CoordinateList list, const Format& format, Duplicates duplicates,
             const Context& context = {}, BuildReport* report = nullptr);

/// The entries of a tensor in level order, as a list (dense tensors list every element).
CoordinateList coordinates_of(const Tensor& tensor, const Context& context = {});

/// The same tensor in another format. Dense to sparse drops zeros; `pattern` to dense gives bool
/// ones.
Tensor convert(const Tensor& tensor, const Format& format, const Context& context = {});

/// A matrix from arrays of the caller's. Sizes must agree; `weights` may be empty (pattern).
Tensor matrix_from_edges(Index rows, Index cols, const Array& from, const Array& to,
                         const Array& weights, const Format& format = Format::csr(),
                         Duplicates duplicates = Duplicates::keep, const Context& context = {},
                         BuildReport* report = nullptr);

} // namespace tropic
