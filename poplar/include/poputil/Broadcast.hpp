// Shapes that differ only where one has size one.
#pragma once

#include <poplar/Tensor.hpp>

namespace poputil {

/// Views of the operands with one shape, by numpy's rules. Throws poplibs_error.
void broadcastToMatch(poplar::Tensor& a, const std::vector<std::size_t>& shape);
void broadcastToMatch(poplar::Tensor& a, poplar::Tensor& b);
void broadcastToMatch(poplar::Tensor& a, poplar::Tensor& b, poplar::Tensor& c);
bool canBroadcastToMatch(const poplar::Tensor& a, const poplar::Tensor& b);

} // namespace poputil
