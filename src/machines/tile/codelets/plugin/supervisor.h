// Inline assembly of supervisors. What starts workers and waits for them (setzi, run, runall, sync)
// and what reads or writes a status register (get, put) becomes calls of the runtime; anything else
// is a problem that shows it.
#pragma once

#include <llvm/IR/Module.h>

namespace tropic::tile::plugin {

/// Leaves no inline assembly behind.
void replace_assembly(llvm::Module& module);

} // namespace tropic::tile::plugin
