// Where in the program's text an operation comes from, and the labels it names.
#pragma once

#include <string>
#include <vector>

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"

namespace tropic::compile {

/// "line:column", as explanations show it.
std::string place_of(mlir::Location location);

std::vector<std::string> names_of(mlir::ArrayAttr labels);

} // namespace tropic::compile
