// Issue slots of one basic block on one worker: instructions are placed as early as what they need
// allows, one main and one auxiliary instruction a slot. The rounds of a counted loop of one block
// that writes no memory overlap: while one round's sums are added, the next one's loads begin.
#pragma once

#include <cstdint>

#include <llvm/IR/BasicBlock.h>

#include "loop_plan.h"
#include "wide_values.h"

namespace tropic::tile::plugin {

struct BlockCost {
    std::uint64_t slots = 0;
    std::uint64_t once = 0;         ///< more, each time a loop that is this block is entered
    std::uint64_t instructions = 0; ///< on a tile, for the size of the code
};

BlockCost schedule(const llvm::BasicBlock& block, const LoopPlan& plan, const WideValues& wide);

} // namespace tropic::tile::plugin
