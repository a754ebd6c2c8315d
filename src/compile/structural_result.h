// Results whose values are all 1 and whose places the structure of one matrix decides.
#pragma once

#include "compile/expression.h"

namespace tropic::compile {

/// A matrix with compressed rows such that every place of the dense result is 1 if none of its
/// rows is empty; null if there is no such one.
const Node* find_deciding_matrix(const Root& root);

} // namespace tropic::compile
