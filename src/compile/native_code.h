// LLVM IR to code for the processor this runs on, or for another (target_processor.h).
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"

namespace tropic::compile {

using ObjectCode = llvm::SmallVector<char, 0>;

/// Says for which machine a module is to be written: how its types are aligned.
void aim_at_host(llvm::Module& module);

/// Whether the processor has masks and gathers for vectors of 16 elements.
bool target_has_gathers();

/// Object files that together hold the module's code. Functions of large modules are shared out and
/// compiled side by side; the functions they are made of become visible among the objects.
/// Gathers that the module asks for are made only with `gathers`: elsewhere LLVM would use them
/// where rows are too short.
std::vector<ObjectCode> compile_objects(llvm::Module& module, bool gathers = false);

/// The optimised module, and its assembly, as text.
std::string optimised_text(llvm::Module& module, bool gathers = false);
std::string assembly_text(llvm::Module& module, bool gathers = false);

} // namespace tropic::compile
