// Calls that compiled code makes to be watched or stopped: before loads and stores in checked mode,
// and always before divisions by what may be zero and where the compiler put a trap.
#pragma once

#include <llvm/IR/Function.h>

namespace tropic::tile::plugin {

/// Vectors are only as aligned as their elements: a tile's memory is not the host's.
void relax_alignment(llvm::Function& function);

void add_checks(llvm::Function& function, bool accesses);

} // namespace tropic::tile::plugin
