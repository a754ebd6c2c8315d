#pragma once

#include <string>

namespace poplar {

/// All of them are the modelled machine here.
enum class TargetType { IPU, IPU_MODEL, CPU };

std::string toString(TargetType t);

} // namespace poplar
