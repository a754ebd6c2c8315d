// Writes down a planned expression as an index tree.
#pragma once

#include "compile/plan.h"
#include "ir/it.h"

namespace tropic::compile {

/// Inserts conversions of operands, the kernel, and a conversion of its result where the builder
/// stands. Returns the result, of the root's type.
mlir::Value build_kernel(mlir::OpBuilder& builder, const Root& root, const Plan& plan);

} // namespace tropic::compile
