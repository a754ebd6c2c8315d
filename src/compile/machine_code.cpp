#include "compile/machine_code.h"

#include "compile/native_code.h"
#include "compile/shared_object.h"
#include "tropic/error.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/Module.h"

namespace tropic::compile {

namespace {

[[noreturn]] void fail(const std::string& what) {
    throw Error(ErrorCode::internal, "the compiler failed: " + what);
}

void lower_to_llvm_dialect(mlir::ModuleOp module) {
    mlir::PassManager passes(module.getContext(), mlir::ModuleOp::getOperationName());
    passes.enableVerifier(false);
    passes.addPass(mlir::arith::createArithExpandOpsPass());
    passes.addPass(mlir::createSCFToControlFlowPass());
    passes.addPass(mlir::createArithToLLVMConversionPass());
    passes.addPass(mlir::createConvertControlFlowToLLVMPass());
    passes.addPass(mlir::createReconcileUnrealizedCastsPass());
    if (failed(passes.run(module))) fail("lowering to LLVM");
}

} // namespace

std::string to_machine_code(mlir::ModuleOp module, MachineOutput output, const std::string& path) {
    lower_to_llvm_dialect(module);
    mlir::registerBuiltinDialectTranslation(*module.getContext());
    mlir::registerLLVMDialectTranslation(*module.getContext());
    llvm::LLVMContext context;
    const std::unique_ptr<llvm::Module> code = mlir::translateModuleToLLVMIR(module, context);
    if (!code) fail("translation to LLVM IR");
    const bool gathers = target_has_gathers();
    if (output == MachineOutput::llvm) return optimised_text(*code, gathers);
    if (output == MachineOutput::assembly) return assembly_text(*code, gathers);
    link_shared(compile_objects(*code, gathers), path);
    return {};
}

} // namespace tropic::compile
