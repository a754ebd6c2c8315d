// Calls that compiled code makes to be watched or stopped: before loads and stores in checked mode,
// and always before divisions by what may be zero and where the compiler put a trap.
#pragma once

#include <llvm/IR/Function.h>

namespace tropic::tile::plugin {

void add_checks(llvm::Function& function, bool accesses);

} // namespace tropic::tile::plugin
