// How the host carries out a copy of one tensor to another.
#pragma once

#include "machines/tile/executable.h"

namespace tropic::tile {

/// Of tensors with as many elements.
CopyPlan copy_elements(const Tensor& from, const Tensor& to);

} // namespace tropic::tile
