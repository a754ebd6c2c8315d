#include "compile/machine_code.h"

#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

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
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

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

std::unique_ptr<llvm::TargetMachine> host_machine() {
    static const bool ready = [] {
        llvm::InitializeNativeTarget();
        llvm::InitializeNativeTargetAsmPrinter();
        return true;
    }();
    (void)ready;
    const llvm::Triple triple(llvm::sys::getProcessTriple());
    std::string error;
    const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, error);
    if (target == nullptr) fail(error);
    std::string features;
    for (const auto& [name, on] : llvm::sys::getHostCPUFeatures()) {
        features += fmt::format("{}{}{}", features.empty() ? "" : ",", on ? "+" : "-", name.str());
    }
    // Gathers load one element after the other on most machines, and rows are short.
    features += ",+prefer-no-gather";
    return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
        triple, llvm::sys::getHostCPUName(), features, llvm::TargetOptions(), llvm::Reloc::PIC_,
        llvm::CodeModel::Small, llvm::CodeGenOptLevel::Default));
}

void optimise(llvm::Module& module, llvm::TargetMachine& machine) {
    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager groups;
    llvm::ModuleAnalysisManager modules;
    llvm::PassBuilder builder(&machine);
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(groups);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, groups, modules);
    builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(module, modules);
}

llvm::SmallVector<char, 0> generate(llvm::Module& module, llvm::TargetMachine& machine,
                                    llvm::CodeGenFileType type) {
    llvm::SmallVector<char, 0> bytes;
    llvm::raw_svector_ostream stream(bytes);
    llvm::legacy::PassManager passes;
    if (machine.addPassesToEmitFile(passes, stream, nullptr, type)) fail("no code generator");
    passes.run(module);
    return bytes;
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

void link_shared(llvm::ArrayRef<char> object, const std::string& path) {
    const std::string aside = fmt::format("{}.{}.o", path, getpid());
    const std::string linked = fmt::format("{}.{}.so", path, getpid());
    write_file(aside, object);
    const std::string linker = find_linker();
    std::string message;
    // The hash table of symbols is what dlsym wants; nothing else is worth a byte.
    const llvm::SmallVector<llvm::StringRef> arguments{linker,
                                                       "-shared",
                                                       "-s",
                                                       "--hash-style=gnu",
                                                       "--eh-frame-hdr",
                                                       "-z",
                                                       "now",
                                                       "--build-id=none",
                                                       "-o",
                                                       linked,
                                                       aside};
    const int status =
        llvm::sys::ExecuteAndWait(linker, arguments, std::nullopt, {}, 0, 0, &message);
    std::error_code ignored;
    std::filesystem::remove(aside, ignored);
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
    const auto machine = host_machine();
    code->setTargetTriple(machine->getTargetTriple());
    code->setDataLayout(machine->createDataLayout());
    for (llvm::Function& function : *code) {
        if (function.isDeclaration()) continue;
        // The runtime's exceptions pass through.
        function.setUWTableKind(llvm::UWTableKind::Async);
        function.addFnAttr("target-cpu", machine->getTargetCPU());
        function.addFnAttr("target-features", machine->getTargetFeatureString());
    }
    optimise(*code, *machine);
    if (output == MachineOutput::llvm) {
        std::string text;
        llvm::raw_string_ostream stream(text);
        code->print(stream, nullptr);
        return text;
    }
    if (output == MachineOutput::assembly) {
        const auto bytes = generate(*code, *machine, llvm::CodeGenFileType::AssemblyFile);
        return {bytes.begin(), bytes.end()};
    }
    link_shared(generate(*code, *machine, llvm::CodeGenFileType::ObjectFile), path);
    return {};
}

} // namespace tropic::compile
