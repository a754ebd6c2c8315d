// Dense results that take the place of an operand nobody needs any more.
#pragma once

#include <string>
#include <vector>

#include "mlir/IR/BuiltinOps.h"

namespace tropic::compile {

/// Marks the kernels that may write their result where an operand is, and says so. The last look at
/// the order of operations: nothing may be moved afterwards.
void update_in_place(mlir::ModuleOp module, std::vector<std::string>& explained);

} // namespace tropic::compile
