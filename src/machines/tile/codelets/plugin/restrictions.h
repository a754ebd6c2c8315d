// What compiled C++ can contain and a tile cannot run: other functions than those compiled here and
// known to the table, recursion, calls through pointers, variables that would be shared by all
// tiles, and code that runs before the program.
#pragma once

#include <llvm/IR/Module.h>

namespace tropic::tile::plugin {

/// Takes out what including <iostream> does at start-up: it is of no use, and often not meant.
void drop_stream_setup(llvm::Module& module);

/// Each becomes a problem.
void find_unsupported(llvm::Module& module);

} // namespace tropic::tile::plugin
