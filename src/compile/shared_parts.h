// Parts of statements that occur more than once. What is equal is computed once; but not a product
// of which each statement needs only some places, or nothing but a sum, or which is better
// multiplied in another order there: those are computed inside of each statement.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace tropic::compile {

/// Marks what belongs to one statement as the program has it: before equal computations are joined.
void mark_parts(mlir::ModuleOp module);

/// Gives parts that came to be shared, or left their loop, back to statements that are better off
/// with their own; takes the marks off.
void give_back_parts(mlir::ModuleOp module);

} // namespace tropic::compile
