// The order in which a chain of products is multiplied: A * B * x is cheaper as A * (B * x).
#pragma once

#include <string>
#include <vector>

#include "mlir/IR/BuiltinOps.h"

namespace tropic::compile {

/// Rewrites chains of products over one semiring where another order takes fewer steps, and says
/// so. Floating-point sums come out rounded differently, as with any other order of their terms.
void order_contractions(mlir::ModuleOp module, std::vector<std::string>& explained);

} // namespace tropic::compile
