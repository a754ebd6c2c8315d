#include "compile/machine_code.h"

#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

#include "compile/native_code.h"
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
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

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

void write_file(const std::string& path, llvm::ArrayRef<char> bytes) {
    std::error_code error;
    llvm::raw_fd_ostream file(path, error);
    if (!error) file.write(bytes.data(), bytes.size());
    file.close();
    if (error || file.has_error()) {
        throw Error(ErrorCode::io, fmt::format("cannot write {}: {}", path, error.message()));
    }
}

std::string find_linker() {
    for (const char* name : {"ld.lld-22", "ld.lld"}) {
        if (const auto found = llvm::sys::findProgramByName(name)) return *found;
    }
    if (const auto found = llvm::sys::findProgramByName("ld.lld", {"/usr/lib/llvm-22/bin"})) {
        return *found;
    }
    throw Error(ErrorCode::not_found, "the linker ld.lld is missing",
                "install the Debian package lld-22");
}

void link_shared(const std::vector<ObjectCode>& objects, const std::string& path) {
    const std::string linked = fmt::format("{}.{}.so", path, getpid());
    std::vector<std::string> aside;
    for (const ObjectCode& object : objects) {
        aside.push_back(fmt::format("{}.{}.{}.o", path, getpid(), aside.size()));
        write_file(aside.back(), object);
    }
    const std::string linker = find_linker();
    std::string message;
    // The hash table of symbols is what dlsym wants; nothing else is worth a byte.
    llvm::SmallVector<llvm::StringRef> arguments{linker,
                                                 "-shared",
                                                 "-s",
                                                 "--hash-style=gnu",
                                                 "--eh-frame-hdr",
                                                 "-z",
                                                 "now",
                                                 "--build-id=none",
                                                 "-o",
                                                 linked};
    arguments.append(aside.begin(), aside.end());
    const int status =
        llvm::sys::ExecuteAndWait(linker, arguments, std::nullopt, {}, 0, 0, &message);
    std::error_code ignored;
    for (const std::string& file : aside) std::filesystem::remove(file, ignored);
    std::error_code error;
    if (status == 0) std::filesystem::rename(linked, path, error);
    if (status != 0 || error) {
        std::filesystem::remove(linked, ignored);
        throw Error(ErrorCode::io,
                    fmt::format("cannot write {}: {}", path,
                                error ? error.message() : "the linker failed: " + message));
    }
}

} // namespace

std::string to_machine_code(mlir::ModuleOp module, MachineOutput output, const std::string& path) {
    lower_to_llvm_dialect(module);
    mlir::registerBuiltinDialectTranslation(*module.getContext());
    mlir::registerLLVMDialectTranslation(*module.getContext());
    llvm::LLVMContext context;
    const std::unique_ptr<llvm::Module> code = mlir::translateModuleToLLVMIR(module, context);
    if (!code) fail("translation to LLVM IR");
    if (output == MachineOutput::llvm) return optimised_text(*code);
    if (output == MachineOutput::assembly) return assembly_text(*code);
    link_shared(compile_objects(*code), path);
    return {};
}

} // namespace tropic::compile
