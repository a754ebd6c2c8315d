// An entry as messages name it: by the ids that its file has for it.
#pragma once

#include <string>
#include <vector>

#include "tropic/graph.h"

namespace tropic {

/// "the edge from 5 to 7" for an entry of a matrix, in the order in which the tensor stores them;
/// "entry 5 7 2" for one of another tensor. Dimensions without ids count from 0.
std::string entry_text(const Tensor& tensor, const std::vector<VertexIds>& ids, Index entry);

} // namespace tropic
