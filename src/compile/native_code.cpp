#include "compile/native_code.h"

#include <algorithm>
#include <exception>
#include <thread>

#include <fmt/format.h>

#include "compile/target_processor.h"
#include "tropic/error.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

namespace tropic::compile {

namespace {

/// Below this many instructions, sharing out takes longer than it saves.
constexpr std::size_t worth_sharing = 400;

[[noreturn]] void fail(const std::string& what) {
    throw Error(ErrorCode::internal, "the compiler failed: " + what);
}

std::unique_ptr<llvm::TargetMachine> target_machine(bool gathers) {
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
    TargetProcessor processor = target_processor();
    // Gathers load one element after the other on most machines, and rows are short.
    if (!gathers) {
        processor.features += processor.features.empty() ? "" : ",";
        processor.features += "+prefer-no-gather";
    }
    return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
        triple, processor.name, processor.features, llvm::TargetOptions(), llvm::Reloc::PIC_,
        llvm::CodeModel::Small, llvm::CodeGenOptLevel::Default));
}

void optimise(llvm::Module& module, llvm::TargetMachine& machine) {
    // Loops that could not be transformed as asked for are worth no words to users.
    module.getContext().setDiagnosticHandlerCallBack([](const llvm::DiagnosticInfo* info, void*) {
        if (info->getSeverity() == llvm::DS_Error) fail("an error of LLVM");
    });
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

ObjectCode generate(llvm::Module& module, llvm::TargetMachine& machine,
                    llvm::CodeGenFileType type) {
    ObjectCode bytes;
    llvm::raw_svector_ostream stream(bytes);
    llvm::legacy::PassManager passes;
    if (machine.addPassesToEmitFile(passes, stream, nullptr, type)) fail("no code generator");
    passes.run(module);
    return bytes;
}

/// Says for which machine the functions are.
void prepare(llvm::Module& module, llvm::TargetMachine& machine) {
    module.setTargetTriple(machine.getTargetTriple());
    module.setDataLayout(machine.createDataLayout());
    for (llvm::Function& function : module) {
        if (function.isDeclaration()) continue;
        // The runtime's exceptions pass through.
        function.setUWTableKind(llvm::UWTableKind::Async);
        function.addFnAttr("target-cpu", machine.getTargetCPU());
        function.addFnAttr("target-features", machine.getTargetFeatureString());
        // What is exported only calls the runtime, statement by statement: nothing to gain.
        if (function.hasExternalLinkage() && !function.hasHiddenVisibility()) {
            function.addFnAttr(llvm::Attribute::OptimizeNone);
            function.addFnAttr(llvm::Attribute::NoInline);
        }
    }
}

ObjectCode compile_object(llvm::Module& module, bool gathers) {
    const auto machine = target_machine(gathers);
    prepare(module, *machine);
    optimise(module, *machine);
    return generate(module, *machine, llvm::CodeGenFileType::ObjectFile);
}

/// The functions in two parts of about the same size; true: in the second.
llvm::StringMap<bool> share_out(llvm::Module& module) {
    std::vector<llvm::Function*> functions;
    for (llvm::Function& function : module) {
        if (!function.isDeclaration()) functions.push_back(&function);
    }
    // By size, then by name: the same program is always shared out the same.
    std::sort(functions.begin(), functions.end(), [](const auto* left, const auto* right) {
        const std::size_t size = left->getInstructionCount();
        const std::size_t other = right->getInstructionCount();
        return size != other ? size > other : left->getName() < right->getName();
    });
    llvm::StringMap<bool> second;
    std::size_t sizes[2] = {0, 0};
    for (const llvm::Function* function : functions) {
        const bool part = sizes[1] < sizes[0];
        second[function->getName()] = part;
        sizes[part ? 1 : 0] += function->getInstructionCount();
    }
    return second;
}

/// Compiles one part of a module that stands in `bitcode`, in a context of its own.
ObjectCode compile_part(llvm::StringRef bitcode, const llvm::StringMap<bool>& second, bool part,
                        bool gathers) {
    llvm::LLVMContext context;
    auto parsed = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bitcode, "program"), context);
    if (!parsed) fail("reading a part of the program: " + llvm::toString(parsed.takeError()));
    llvm::Module& module = **parsed;
    for (llvm::Function& function : module) {
        const auto place = second.find(function.getName());
        if (place != second.end() && place->second != part) function.deleteBody();
    }
    // Texts and the like are the first part's.
    for (llvm::GlobalVariable& global : module.globals()) {
        if (part && !global.isDeclaration()) global.setInitializer(nullptr);
    }
    return compile_object(module, gathers);
}

} // namespace

bool target_has_gathers() {
    return target_processor().gathers;
}

void aim_at_host(llvm::Module& module) {
    const auto machine = target_machine(false);
    module.setTargetTriple(machine->getTargetTriple());
    module.setDataLayout(machine->createDataLayout());
}

std::vector<ObjectCode> compile_objects(llvm::Module& module, bool gathers) {
    std::size_t instructions = 0;
    std::size_t functions = 0;
    for (const llvm::Function& function : module) {
        instructions += function.getInstructionCount();
        functions += function.isDeclaration() ? 0 : 1;
    }
    std::vector<ObjectCode> objects;
    if (instructions < worth_sharing || functions < 3 || std::thread::hardware_concurrency() < 2) {
        objects.push_back(compile_object(module, gathers));
        return objects;
    }
    for (llvm::GlobalObject& object : module.global_objects()) {
        if (!object.hasInternalLinkage()) continue;
        object.setLinkage(llvm::GlobalValue::ExternalLinkage);
        object.setVisibility(llvm::GlobalValue::HiddenVisibility);
    }
    const llvm::StringMap<bool> second = share_out(module);
    llvm::SmallVector<char, 0> bitcode;
    llvm::raw_svector_ostream stream(bitcode);
    llvm::WriteBitcodeToFile(module, stream);
    objects.resize(2);
    std::exception_ptr failure;
    std::thread other([&] {
        try {
            objects[1] = compile_part(stream.str(), second, true, gathers);
        } catch (...) {
            failure = std::current_exception();
        }
    });
    try {
        objects[0] = compile_part(stream.str(), second, false, gathers);
    } catch (...) {
        other.join();
        throw;
    }
    other.join();
    if (failure) std::rethrow_exception(failure);
    return objects;
}

std::string optimised_text(llvm::Module& module, bool gathers) {
    const auto machine = target_machine(gathers);
    prepare(module, *machine);
    optimise(module, *machine);
    std::string text;
    llvm::raw_string_ostream stream(text);
    module.print(stream, nullptr);
    return text;
}

std::string assembly_text(llvm::Module& module, bool gathers) {
    const auto machine = target_machine(gathers);
    prepare(module, *machine);
    optimise(module, *machine);
    const ObjectCode bytes = generate(module, *machine, llvm::CodeGenFileType::AssemblyFile);
    return {bytes.begin(), bytes.end()};
}

} // namespace tropic::compile
