// The graph-algebra dialect in C++.
#pragma once

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "ir/enums.h.inc"
#include "ir/ga_dialect.h.inc"

namespace tropic::ga {

/// The kind of a level for which nothing is stored; the others are those of tropic::LevelKind.
inline constexpr int8_t repeated_level = 3;

} // namespace tropic::ga

#define GET_TYPEDEF_CLASSES
#include "ir/ga_types.h.inc"

#define GET_OP_CLASSES
#include "ir/ga_ops.h.inc"

namespace tropic::ga {

/// `[i, j]` as both dialects write labels; TableGen makes the names.
// NOLINTBEGIN(readability-identifier-naming)
mlir::ParseResult parseLabels(mlir::OpAsmParser& parser, mlir::ArrayAttr& labels);
void printLabels(mlir::OpAsmPrinter& printer, mlir::Operation* op, mlir::ArrayAttr labels);
// NOLINTEND(readability-identifier-naming)

/// The rank of a tensor, 0 for a scalar.
int64_t rank_of(mlir::Type type);

/// What a tensor can have as an element.
bool is_element(mlir::Type type);

/// Folding with it depends on the order of the terms.
bool is_ordered(Operator fold);

} // namespace tropic::ga
