// The text that `print` shows of a table stored in some format.
#pragma once

#include <iosfwd>

#include "reference/table.h"

namespace tropic::reference {

/// A dense format shows its elements; any other, for each level, its positions and coordinates
/// (a dense level its size and -1, a singleton level -1 and its coordinates), then the values.
void print(std::ostream& out, const Table& table, const Format& format);

} // namespace tropic::reference
