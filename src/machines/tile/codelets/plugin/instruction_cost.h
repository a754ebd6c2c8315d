// What one LLVM instruction becomes on a tile: the instructions it takes, in order, each with its
// pipe and slots. LLVM's own instructions are counted, after optimisation for a fixed processor,
// because they are the same on every host; what the tile's compiler would fold is folded here.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instruction.h>

#include "cost_table.h"

namespace tropic::tile::plugin {

using Issues = llvm::SmallVector<Cost, 4>;

Issues issues_of(const llvm::Instruction& instruction);

/// Calls of functions that are neither compiled here nor in the table; null for all others.
const llvm::Function* unknown_callee(const llvm::Instruction& instruction);

} // namespace tropic::tile::plugin
