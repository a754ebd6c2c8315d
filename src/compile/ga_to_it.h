// From graph algebra to index trees: computations are fused, planned, and become kernels.
#pragma once

#include <string>
#include <vector>

#include "mlir/IR/BuiltinOps.h"

namespace tropic::compile {

/// Replaces every computation of the module's functions by kernels. What was fused and chosen is
/// added to `explained`, a line for each.
void ga_to_it(mlir::ModuleOp module, std::vector<std::string>& explained);

} // namespace tropic::compile
