// The functions by which the engine runs vertices: one for each type, which takes an Invocation.
#pragma once

#include <llvm/IR/Module.h>

namespace tropic::tile::plugin {

/// Adds the entry of each vertex found; reports those whose code is missing.
void add_entries(llvm::Module& module);

} // namespace tropic::tile::plugin
