// Sizes of tensors that are constants of the program.
#pragma once

#include <optional>

#include "ir/ga.h"

namespace tropic::compile {

// What is guessed of sizes that are not known when compiling: a graph of some size, rows of an
// ordinary length. Only ratios matter.
inline constexpr double guessed_size = 1e5;
inline constexpr double guessed_row = 16;

/// The size of a dimension of a tensor, if the program says it.
std::optional<std::int64_t> known_size(mlir::Value tensor, std::size_t dimension);

/// The number behind a size, if it is one.
std::optional<std::int64_t> constant_of(mlir::Value size);

} // namespace tropic::compile
