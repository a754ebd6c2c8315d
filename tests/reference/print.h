// The text that `print` shows of a table stored in some format.
#pragma once

#include <iosfwd>

#include "reference/table.h"

namespace tropic::reference {

/// A dense format shows its elements; any other, for each level, its positions and coordinates
/// (a dense level its size and -1, a singleton level -1 and its coordinates), then the values.
void print(std::ostream& out, const Table& table, const Format& format,
           language::Presentation presentation = language::Presentation::plain);

/// How storage that has no levels here is shown, arrays in this order:
/// - ell: rows, -1, slots of a row, -1, -1, the column in each slot (-1: free), values (free: 0)
/// - bcsr: block rows, -1, positions, block columns, 2, -1, 2, -1, the four values of each block
/// - csb: block rows, -1, block columns, -1, positions of all blocks, rows within the block, -1,
///   columns within the block, values; blocks are squares of the least power of two that, squared,
///   reaches the longer side
/// - mode_generic: as coo, but for the last dimension: its size, -1, all values along it
void print_presented(std::ostream& out, const Table& table, language::Presentation presentation);

} // namespace tropic::reference
