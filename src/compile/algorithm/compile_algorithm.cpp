#include "compile/algorithm/compile_algorithm.h"

#include "compile/algorithm/code.h"
#include "compile/native_code.h"
#include "compile/shared_object.h"
#include "machines/cpu/algorithm/algorithm_runtime.h"
#include "tropic/error.h"

#include "llvm/IR/Verifier.h"

namespace tropic::compile {

namespace {

/// The program's level, as a function of the frame.
llvm::Function* write_program(Unit& unit) {
    auto* const type = llvm::FunctionType::get(unit.nothing, {unit.pointer}, false);
    llvm::Function* const function =
        llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, "program", unit.module);
    Code code(unit, function, {});
    VariableSet parameters;
    VariableSet results;
    for (const auto& [from, to] : {std::pair{&unit.algorithm.parameters, &parameters},
                                   std::pair{&unit.algorithm.results, &results}}) {
        for (const alg::VariableId id : *from) {
            if (unit.variable(id).type.is_scalar()) to->insert(id);
        }
    }
    code.load_scalars(parameters);
    code.finish = code.block("finish");
    code.statements(unit.algorithm.statements);
    code.go_on_in(code.finish);
    code.store_scalars(results);
    code.b.CreateRetVoid();
    code.end_prologue();
    return function;
}

/// What is exported is not optimised: it only calls.
void write_entry(Unit& unit, llvm::Function* program) {
    llvm::Function* const entry =
        llvm::Function::Create(program->getFunctionType(), llvm::GlobalValue::ExternalLinkage,
                               cpu::algorithm_symbol, unit.module);
    llvm::IRBuilder<> b(llvm::BasicBlock::Create(unit.context, "", entry));
    b.CreateCall(program, {entry->getArg(0)});
    b.CreateRetVoid();
}

void verify(llvm::Module& module) {
    std::string problems;
    llvm::raw_string_ostream stream(problems);
    if (llvm::verifyModule(module, &stream)) {
        throw Error(ErrorCode::internal, "the compiler made code that is not valid: " + problems);
    }
}

} // namespace

CompileResult compile(const alg::Algorithm& algorithm, const CompileOptions& options) {
    llvm::LLVMContext context;
    llvm::Module module("algorithm", context);
    aim_at_host(module);
    const bool gathers = target_has_gathers();
    Unit unit(algorithm, options.wide, gathers, module);
    write_entry(unit, write_program(unit));
    verify(module);
    CompileResult result;
    switch (options.stage) {
    case Stage::llvm:
        result.text = optimised_text(module, gathers);
        break;
    case Stage::assembly:
        result.text = assembly_text(module, gathers);
        break;
    case Stage::shared_object:
        link_shared(compile_objects(module, gathers), options.output);
        break;
    default:
        throw Error(ErrorCode::unsupported, "an algorithm has no such stage",
                    "its stages are algorithm, llvm, assembly and shared_object");
    }
    return result;
}

} // namespace tropic::compile

extern "C" void tropic_compile_algorithm(const tropic::language::algorithm::Algorithm& algorithm,
                                         const tropic::compile::CompileOptions& options,
                                         tropic::compile::CompileResult& result) {
    result = tropic::compile::compile(algorithm, options);
}
