// Where in the user's source an instruction comes from.
#pragma once

#include <string>

#include <llvm/IR/DebugLoc.h>
#include <llvm/IR/Module.h>

namespace tropic::tile::plugin {

/// The line in the translation unit's main file, or in the file nearest to it, that led to this
/// place; 0 if unknown.
std::uint32_t user_line(const llvm::DebugLoc& place);

void add_problem(const llvm::DebugLoc& place, std::string message, std::string hint);

/// A function's name as the source has it, without its parameters.
std::string readable_name(llvm::StringRef mangled);

} // namespace tropic::tile::plugin
