// A tensor as anybody would write it down: which coordinates have a value, and which. Nothing here
// is fast and nothing is shared with the product, whose oracle it is.
#pragma once

#include <map>
#include <vector>

#include "reference/number.h"

namespace tropic::reference {

using Coordinates = std::vector<Index>;

/// A scalar is a dense table of rank 0: one value, at no coordinates.
struct Table {
    ElementType element = ElementType::float64;
    std::vector<Index> shape;
    bool dense = false; ///< every coordinate of the shape has a value, and must have
    std::map<Coordinates, Number> entries;

    int rank() const noexcept { return static_cast<int>(shape.size()); }
};

/// All coordinates of the shape, ascending, the last one fastest.
std::vector<Coordinates> all_coordinates(const std::vector<Index>& shape);

/// The same value everywhere.
Table constant_table(ElementType element, const std::vector<Index>& shape, const Number& value);

/// The table of a tensor that nothing has been assigned to yet: zeros if dense, else no entries.
Table unassigned(ElementType element, const std::vector<Index>& shape, bool dense);

bool is_dense(const Format& format);

/// What a variable of that format holds once the table is assigned to it. Dense formats have 0
/// where the table has nothing. Of a dense table, sparse formats keep what is not 0; of a sparse
/// one everything, be it 0 or not. Dense levels at the end of a sparse format are stored as a
/// whole, filled up with 0.
Table stored_as(const Table& table, const Format& format);

/// The format of a variable that has none, by what is first assigned to it.
Format inferred_format(const Table& table);

} // namespace tropic::reference
