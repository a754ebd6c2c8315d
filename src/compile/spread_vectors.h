// Sparse vectors that a product meets row after row: rather than followed side by side with each
// row, they are spread out once over all coordinates and looked into.
#pragma once

#include "compile/expression.h"

#include "mlir/IR/Builders.h"

namespace tropic::compile {

/// Replaces sparse vectors inside the products of an expression by their spread-out form, made
/// where the builder stands. Returns the operations that make it: none if there was nothing to do.
std::vector<mlir::Operation*> spread_vectors(Root& root, mlir::OpBuilder& builder);

} // namespace tropic::compile
