// Rows of sparse results are sorted only where somebody needs them in order.
#pragma once

#include <string>
#include <vector>

#include "mlir/IR/BuiltinOps.h"

namespace tropic::compile {

/// Leaves the rows of kernels' results jumbled where all who read them do not mind, and says so.
void leave_rows_jumbled(mlir::ModuleOp module, std::vector<std::string>& explained);

} // namespace tropic::compile
