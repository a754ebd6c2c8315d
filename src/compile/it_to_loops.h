// From index trees and what is left of graph algebra to loops and calls of the runtime, in the
// arith, scf and llvm dialects.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace tropic::compile {

/// Replaces the module's `main` by the entry point of a compiled program and its kernels. `source`
/// is the program's text, quoted where statements are timed.
void it_to_loops(mlir::ModuleOp module, bool wide, llvm::StringRef source);

} // namespace tropic::compile
