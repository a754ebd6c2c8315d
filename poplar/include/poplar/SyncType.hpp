#pragma once

namespace poplar {

enum class SyncType {
    EXTERNAL, ///< all chips
    INTERNAL, ///< the tiles of each chip
    GLOBAL,   ///< all chips
};

} // namespace poplar
