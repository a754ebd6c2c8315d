// Element types of tensors as types of MLIR.
#pragma once

#include "tropic/types.h"

#include "mlir/IR/Types.h"

namespace tropic::compile {

/// The element type in MLIR (signed and unsigned integers are told apart), and back.
mlir::Type element_type(ElementType type, mlir::MLIRContext& context);
ElementType element_of(mlir::Type type);

} // namespace tropic::compile
