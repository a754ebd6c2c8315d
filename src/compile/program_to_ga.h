// From a checked program to the graph-algebra dialect: variables become values, statements become
// operations, loops carry the variables they assign.
#pragma once

#include <string>
#include <vector>

#include "language/program.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tropic::compile {

/// A module with one function, `main`. Throws Error(unsupported) at its place in the program. The
/// formats chosen for variables that declare none are `explained`.
mlir::OwningOpRef<mlir::ModuleOp> program_to_ga(const language::Program& program,
                                                mlir::MLIRContext& context,
                                                std::vector<std::string>& explained);

} // namespace tropic::compile
