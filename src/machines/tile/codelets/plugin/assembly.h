// Reads the text of inline assembly, as far as supervisors use it to start workers.
#pragma once

#include <string>
#include <vector>

#include <llvm/ADT/StringRef.h>

namespace tropic::tile::plugin {

/// One instruction: "runall $m1, $m0, 0". Operands of the C++ statement are "%0", "%1", ...
struct AssemblyLine {
    std::string mnemonic;
    std::vector<std::string> operands;
};

/// From the text as LLVM has it ("$$m1" is the register, "$0" the operand); comments are dropped.
std::vector<AssemblyLine> read_assembly(llvm::StringRef text);

} // namespace tropic::tile::plugin
