#include "runtime_calls.h"

namespace tropic::tile::plugin {

using namespace llvm;

CallInst* RuntimeCalls::call(IRBuilderBase& builder, StringRef name, Type* result,
                             ArrayRef<Value*> arguments) {
    SmallVector<Type*> types;
    for (const Value* argument : arguments) types.push_back(argument->getType());
    FunctionCallee callee =
        module_.getOrInsertFunction(name, FunctionType::get(result, types, false));
    if (auto* function = dyn_cast<Function>(callee.getCallee())) {
        function->setVisibility(GlobalValue::HiddenVisibility);
        function->setDSOLocal(true);
    }
    return builder.CreateCall(callee, arguments);
}

Value* RuntimeCalls::member(IRBuilderBase& builder, unsigned index) {
    Type* const number = builder.getInt64Ty();
    StructType* const type = StructType::get(number, number);
    GlobalVariable* thread = module_.getGlobalVariable("tropic_thread");
    if (thread == nullptr) {
        thread = new GlobalVariable(module_, type, false, GlobalValue::ExternalLinkage, nullptr,
                                    "tropic_thread", nullptr, GlobalValue::GeneralDynamicTLSModel);
        thread->setVisibility(GlobalValue::HiddenVisibility);
        thread->setDSOLocal(true);
        thread->setAlignment(Align(8));
    }
    return builder.CreateStructGEP(type, builder.CreateThreadLocalAddress(thread), index);
}

} // namespace tropic::tile::plugin
