// The functions and variables of the codelet runtime, as compiled code calls them. Their names and
// parameters are those of runtime/codelet_runtime.h.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace tropic::tile::plugin {

class RuntimeCalls {
  public:
    explicit RuntimeCalls(llvm::Module& module) : module_(module) {}

    /// Calls a function of the runtime that returns `result`, with these arguments.
    llvm::CallInst* call(llvm::IRBuilderBase& builder, llvm::StringRef name, llvm::Type* result,
                         llvm::ArrayRef<llvm::Value*> arguments);

    /// The address of this thread's slots, or of its limit for them.
    llvm::Value* slots(llvm::IRBuilderBase& builder) { return member(builder, 0); }
    llvm::Value* limit(llvm::IRBuilderBase& builder) { return member(builder, 1); }

  private:
    llvm::Value* member(llvm::IRBuilderBase& builder, unsigned index);

    llvm::Module& module_;
};

} // namespace tropic::tile::plugin
