// Sizes of tensors that are constants of the program.
#pragma once

#include <optional>

#include "ir/ga.h"

namespace tropic::compile {

/// The size of a dimension of a tensor, if the program says it.
std::optional<double> known_size(mlir::Value tensor, std::size_t dimension);

} // namespace tropic::compile
