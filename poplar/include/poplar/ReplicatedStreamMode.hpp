#pragma once

namespace poplar {

enum class ReplicatedStreamMode { REPLICATE, BROADCAST };

} // namespace poplar
