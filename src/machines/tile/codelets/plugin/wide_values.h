// Which values have 64 bits on a tile. Compiled code is the host's, where sizes, indices and
// counters have 64 bits too; on a tile those have 32. What tells them apart is memory: elements and
// members of type long long or int64_t are loaded and stored under that type's name. What is
// computed from such an element, or for it, is wide; what also addresses memory is not.
#pragma once

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Module.h>

namespace tropic::tile::plugin {

class WideValues {
  public:
    /// Follows values through all functions of the module.
    explicit WideValues(const llvm::Module& module);

    /// Whether the instruction works on 64 bits: makes a wide value, or takes one.
    bool is_wide(const llvm::Instruction& instruction) const;

  private:
    void seed(const llvm::Instruction& instruction);
    void add(const llvm::Value* value);
    void add_operand(const llvm::Value* value);
    void follow_users(const llvm::Value& value);
    void follow_operands(const llvm::Value& value);

    llvm::DenseSet<const llvm::Value*> values_;
    llvm::SmallVector<const llvm::Value*> open_;
};

} // namespace tropic::tile::plugin
