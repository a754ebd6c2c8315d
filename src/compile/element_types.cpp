#include "compile/element_types.h"

#include "mlir/IR/BuiltinTypes.h"

namespace tropic::compile {

mlir::Type element_type(ElementType type, mlir::MLIRContext& context) {
    const auto integer = [&](unsigned bits, bool is_signed) -> mlir::Type {
        return mlir::IntegerType::get(
            &context, bits, is_signed ? mlir::IntegerType::Signed : mlir::IntegerType::Unsigned);
    };
    switch (type) {
    case ElementType::pattern:
    case ElementType::boolean:
        return mlir::IntegerType::get(&context, 1);
    case ElementType::float32:
        return mlir::Float32Type::get(&context);
    case ElementType::float64:
        return mlir::Float64Type::get(&context);
    default:
        return integer(static_cast<unsigned>(8 * size_of(type)), is_signed(type));
    }
}

ElementType element_of(mlir::Type type) {
    if (type.isF64()) return ElementType::float64;
    if (type.isF32()) return ElementType::float32;
    if (type.isInteger(1)) return ElementType::boolean;
    const bool is_signed = !type.isUnsignedInteger();
    switch (type.getIntOrFloatBitWidth()) {
    case 8:
        return is_signed ? ElementType::int8 : ElementType::uint8;
    case 16:
        return is_signed ? ElementType::int16 : ElementType::uint16;
    case 32:
        return is_signed ? ElementType::int32 : ElementType::uint32;
    default:
        return is_signed ? ElementType::int64 : ElementType::uint64;
    }
}

} // namespace tropic::compile
