// Issue slots of one basic block on one worker: instructions are placed as early as what they need
// allows, one main and one auxiliary instruction a slot.
#pragma once

#include <cstdint>

#include <llvm/IR/BasicBlock.h>

#include "loop_plan.h"

namespace tropic::tile::plugin {

struct BlockCost {
    std::uint64_t slots = 0;
    std::uint64_t instructions = 0; ///< on a tile, for the size of the code
};

BlockCost schedule(const llvm::BasicBlock& block, const LoopPlan& plan);

} // namespace tropic::tile::plugin
