// The instruction costs, read from the table that was embedded when the plugin was built, or from
// the file that TROPIC_INSTRUCTION_COSTS names.
#pragma once

#include <cstdint>
#include <string>

#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringRef.h>

namespace tropic::tile::plugin {

enum class Pipe : std::uint8_t { main, aux, both };

struct Cost {
    Pipe pipe = Pipe::main;
    std::uint32_t slots = 0;
};

class CostTable {
  public:
    static const CostTable& instance();

    /// Nothing, and a fault, if the table has no such line.
    Cost at(llvm::StringRef key) const;

    /// Of a function that codelets may call; null if they may not.
    const Cost* function(llvm::StringRef name) const;

    /// What is wrong with the table; empty if nothing is.
    const std::string& fault() const { return fault_; }

  private:
    explicit CostTable(llvm::StringRef text);

    llvm::StringMap<Cost> costs_;
    mutable std::string fault_;
};

} // namespace tropic::tile::plugin
