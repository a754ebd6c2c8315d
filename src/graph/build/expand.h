// The coordinates of a tensor's entries, written out for every level.
#pragma once

#include "graph/build/assemble.h"

namespace tropic::building {

/// The coordinates of entries [begin, end): out[level] has room for them.
template <class T>
void expand(const Tensor& tensor, Index begin, Index end, const std::vector<T*>& out);

extern template void expand(const Tensor&, Index, Index, const std::vector<std::int32_t*>&);
extern template void expand(const Tensor&, Index, Index, const std::vector<std::int64_t*>&);

/// All entries of a sorted tensor.
SortedEntries expanded(const Tensor& tensor, const Context& context);

} // namespace tropic::building
