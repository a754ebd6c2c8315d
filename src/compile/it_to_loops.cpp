#include "compile/it_to_loops.h"

#include "compile/host/host_emitter.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tropic::compile {

void HostEmitter::run() {
    auto main = module_.lookupSymbol<mlir::func::FuncOp>("main");
    code_.set_location(main.getLoc());
    builder_.setInsertionPointToEnd(module_.getBody());
    const mlir::Type pointer = code_.pointer();
    auto entry = mlir::LLVM::LLVMFuncOp::create(
        builder_, main.getLoc(), cpu::program_symbol,
        mlir::LLVM::LLVMFunctionType::get(mlir::LLVM::LLVMVoidType::get(module_.getContext()),
                                          {pointer, pointer}));
    mlir::Block* block = entry.addEntryBlock(builder_);
    runtime_ = block->getArgument(0);
    session_ = block->getArgument(1);
    builder_.setInsertionPointToEnd(block);
    emit_block(main.getBody().front());
    mlir::LLVM::ReturnOp::create(builder_, main.getLoc(), ValueRange{});
    main.erase();
}

void it_to_loops(mlir::ModuleOp module, bool wide, llvm::StringRef source) {
    HostEmitter(module, wide, source).run();
}

} // namespace tropic::compile
