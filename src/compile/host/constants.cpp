// Calls of the runtime, and the constants that they take.
#include "compile/host/host_emitter.h"

#include "compile/element_types.h"

namespace tropic::compile {

Value HostEmitter::call(std::size_t function, mlir::Type result,
                        llvm::SmallVector<Value> arguments) {
    arguments.insert(arguments.begin(), session_);
    return code_.call(runtime_, function, result, arguments);
}

Value HostEmitter::bytes(llvm::StringRef contents) {
    auto& global = globals_[contents.str()];
    if (!global) {
        mlir::OpBuilder::InsertionGuard guard(builder_);
        builder_.setInsertionPointToStart(module_.getBody());
        const auto type =
            mlir::LLVM::LLVMArrayType::get(code_.i8(), static_cast<unsigned>(contents.size()));
        global = mlir::LLVM::GlobalOp::create(
            builder_, code_.at(), type, /*isConstant=*/true, mlir::LLVM::Linkage::Internal,
            "text_" + std::to_string(globals_.size()), builder_.getStringAttr(contents));
    }
    return mlir::LLVM::AddressOfOp::create(builder_, code_.at(), global).getResult();
}

Value HostEmitter::bytes_of(llvm::ArrayRef<std::int8_t> numbers) {
    // One byte at least, so that an empty array has an address.
    std::string contents(reinterpret_cast<const char*>(numbers.data()), numbers.size());
    contents.push_back('\0');
    return bytes(contents);
}

Value HostEmitter::format(ga::TensorType type) {
    const Value view = code_.slot(code_.i64(), 3);
    code_.set_field(code_.number(type.rank()), view, offsetof(cpu::FormatView, rank));
    code_.set_field(bytes_of(type.getKinds()), view, offsetof(cpu::FormatView, kinds));
    code_.set_field(bytes_of(type.getOrder()), view, offsetof(cpu::FormatView, order));
    return view;
}

Value HostEmitter::type_number(mlir::Type element) {
    return code_.number(static_cast<std::int64_t>(element_of(element)));
}

Value HostEmitter::array(ValueRange numbers) {
    const Value memory = code_.slot(code_.i64(), static_cast<std::int64_t>(numbers.size()) + 1);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        code_.set_field(numbers[i], memory, static_cast<std::int64_t>(8 * i));
    }
    return memory;
}

} // namespace tropic::compile
