// Tensors as the runtime shows them.
#include "compile/host/host_emitter.h"

namespace tropic::compile {

Value HostEmitter::level_field(mlir::Type type, Value view, int level, std::size_t offset) {
    return code_.field(type, levels_of(view),
                       static_cast<std::int64_t>(sizeof(cpu::LevelView)) * level +
                           static_cast<std::int64_t>(offset));
}

Value HostEmitter::levels_of(Value view) {
    return code_.field(code_.pointer(), view, offsetof(cpu::TensorView, levels));
}

Value HostEmitter::dimension_size(Value view, ga::TensorType type, std::int64_t dimension) {
    for (std::size_t level = 0; level < type.getOrder().size(); ++level) {
        if (type.getOrder()[level] == dimension) {
            return level_field(code_.i64(), view, static_cast<int>(level),
                               offsetof(cpu::LevelView, size));
        }
    }
    llvm_unreachable("every dimension is stored by a level");
}

Value HostEmitter::identity(std::int64_t rank) {
    llvm::SmallVector<std::int8_t> numbers;
    for (std::int64_t d = 0; d < rank; ++d) numbers.push_back(static_cast<std::int8_t>(d));
    return bytes_of(numbers);
}

Value HostEmitter::convert_view(Value view, ga::TensorType type, Value permutation) {
    return call(TROPIC_FUNCTION(convert), code_.pointer(),
                {view, permutation, type_number(type.getElement()), format(type)});
}

} // namespace tropic::compile
