#include "compile/program_to_ga.h"

#include "compile/program/lowering.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tropic::compile {

mlir::OwningOpRef<mlir::ModuleOp> ProgramLowering::run() {
    mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(builder_.getUnknownLoc());
    builder_.setInsertionPointToEnd(module->getBody());
    auto main = mlir::func::FuncOp::create(builder_, location({}), "main",
                                           builder_.getFunctionType({}, {}));
    builder_.setInsertionPointToEnd(main.addEntryBlock());
    for (const Statement& statement : program_.statements) lower(statement);
    for (const VariableId id : program_.outputs) {
        const Variable& variable = program_.variables[id];
        ga::ResultOp::create(builder_, location({}), variable.name, value_of(id, variable.place));
    }
    mlir::func::ReturnOp::create(builder_, location({}));
    drop_unused_values(*module);
    return module;
}

mlir::OwningOpRef<mlir::ModuleOp> program_to_ga(const Program& program, mlir::MLIRContext& context,
                                                std::vector<std::string>& explained) {
    return ProgramLowering(program, context, explained).run();
}

} // namespace tropic::compile
