// Programs that go on from a stage: the text that `compile` gave for ga, it or loops, read back.
#pragma once

#include "compile/compiler.h"

#include "mlir/IR/BuiltinOps.h"

namespace tropic::compile {

struct StageText {
    mlir::OwningOpRef<mlir::ModuleOp> module;
    Stage stage;
};

/// Reads the text of a program that is one of these stages, checking what it says. Throws
/// Error(syntax) at the place that cannot be read, Error(unsupported) for loops that belong to
/// another runtime or to indices of another width.
StageText read_stage(const language::Program& program, mlir::MLIRContext& context, bool wide);

/// Writes down what loops rely on: the runtime that they call, the width of indices, and what is
/// read, which they no longer say.
void sign_loops(mlir::ModuleOp module, bool wide, const std::vector<std::string>& inputs);
std::vector<std::string> inputs_read(mlir::ModuleOp module);

} // namespace tropic::compile
