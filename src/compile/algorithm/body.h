// The functions that do pieces of a loop, and how the runtime is told about them.
#pragma once

#include "compile/algorithm/code.h"

namespace tropic::compile {

/// A function with the signature of cpu::EachBody.
llvm::Function* new_body(Unit& unit, const char* name);

/// A constant of compiled code, laid out like a C structure of the same members.
llvm::Constant* constant_view(Unit& unit, llvm::ArrayRef<llvm::Constant*> members);

llvm::Constant* int32_constant(const Unit& unit, std::int64_t value);

/// What the code of a loop's members may count on, on one thread or on several. Inserts into the
/// member's own bit keep bits only if `own_words`: pieces of the loop share no word.
Setting setting_of(const Uses& uses, bool atomic, bool own_words);

/// The cpu::InsertView of a setting's inserts, and how many there are. `list_only`: what the code
/// for one thread does not mark; `claimed`: Code::claimed of the code for several.
struct InsertTable {
    llvm::Constant* views;
    int count;
};
InsertTable insert_table(Unit& unit, const Setting& setting, const VariableSet& rebuilt,
                         const VariableSet& list_only,
                         const std::map<alg::VariableId, alg::VariableId>& claimed);

} // namespace tropic::compile
