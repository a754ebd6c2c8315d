// Tensors as text: nested brackets, the middle left out where there is much.
#pragma once

#include <cstddef>
#include <string>

#include "machines/tile/program.h"

namespace tropic::tile {

/// `data` holds the elements in row-major order.
std::string print_tensor(const Shape& shape, ElementType type, const std::byte* data,
                         const PrintFormat& format);

/// One element as a number.
double element_value(ElementType type, const std::byte* element);
std::int64_t element_integer(ElementType type, const std::byte* element);

} // namespace tropic::tile
