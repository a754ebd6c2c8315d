#include "compile/compiler.h"

#include <fmt/format.h>

#include "compile/ga_to_it.h"
#include "compile/in_place.h"
#include "compile/interface_id.h"
#include "compile/it_to_loops.h"
#include "compile/machine_code.h"
#include "compile/program_to_ga.h"
#include "compile/read_stage.h"
#include "compile/shared_parts.h"
#include "ir/it.h"
#include "tropic/error.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "mlir/Transforms/Passes.h"

namespace tropic::compile {

namespace {

std::string print(mlir::ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    module.print(stream);
    return text + "\n";
}

/// Joins equal computations and takes out of loops what does not change in them; not out of
/// loops that look at the clock, whose authors want it done there.
void run_passes(mlir::ModuleOp module) {
    mlir::PassManager passes(module.getContext(), mlir::ModuleOp::getOperationName());
    passes.addPass(mlir::createCSEPass());
    if (failed(passes.run(module))) {
        throw Error(ErrorCode::internal, "the compiler failed: cleaning up");
    }
    module.walk([](mlir::LoopLikeOpInterface loop) {
        const bool timed =
            loop->walk([](ga::TimeOp) { return mlir::WalkResult::interrupt(); }).wasInterrupted();
        if (!timed) mlir::moveLoopInvariantCode(loop);
    });
}

void verify(mlir::ModuleOp module, const std::string& problems) {
    if (failed(mlir::verify(module))) {
        throw Error(ErrorCode::internal, "the compiler made code that is not valid: " + problems);
    }
}

} // namespace

CompileResult compile(const language::Program& program, const CompileOptions& options) {
    CompileResult result;
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    context.loadDialect<ga::GaDialect, it::ItDialect, mlir::arith::ArithDialect,
                        mlir::cf::ControlFlowDialect, mlir::func::FuncDialect,
                        mlir::LLVM::LLVMDialect, mlir::scf::SCFDialect>();
    std::string problems;
    mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic& diagnostic) {
        problems += diagnostic.str() + "\n";
        return mlir::success();
    });
    StageText read = options.resume
                         ? read_stage(program, context, options.wide)
                         : StageText{program_to_ga(program, context, result.explained), Stage::ga};
    const mlir::ModuleOp module = *read.module;
    if (options.stage < read.stage) {
        throw Error({.code = ErrorCode::usage,
                     .message = fmt::format("the text is that of a later stage, {}",
                                            read.stage == Stage::it ? "it" : "loops"),
                     .file = program.file,
                     .accepted = read.stage == Stage::it ? "it, loops, llvm, asm, so"
                                                         : "loops, llvm, asm, so"});
    }
    if (read.stage == Stage::ga) {
        if (!options.resume) {
            verify(module, problems);
            mark_parts(module);
            run_passes(module);
            give_back_parts(module);
        }
        if (options.stage == Stage::ga) {
            result.text = print(module);
            return result;
        }
        ga_to_it(module, result.explained);
        verify(module, problems);
        run_passes(module);
        update_in_place(module, result.explained);
    }
    if (options.stage == Stage::it) {
        result.text = print(module);
        return result;
    }
    if (read.stage != Stage::loops) {
        const std::vector<std::string> inputs = inputs_read(module);
        it_to_loops(module, options.wide, program.text);
        sign_loops(module, options.wide, inputs);
        verify(module, problems);
    }
    if (options.stage == Stage::loops) {
        result.text = print(module);
        return result;
    }
    const MachineOutput output = options.stage == Stage::llvm       ? MachineOutput::llvm
                                 : options.stage == Stage::assembly ? MachineOutput::assembly
                                                                    : MachineOutput::shared_object;
    result.text = to_machine_code(module, output, options.output);
    return result;
}

} // namespace tropic::compile

extern "C" void tropic_compile(const tropic::language::Program& program,
                               const tropic::compile::CompileOptions& options,
                               tropic::compile::CompileResult& result) {
    result = tropic::compile::compile(program, options);
}

extern "C" const char* tropic_compiler_interface_id() {
    return tropic::compile::interface_id;
}
