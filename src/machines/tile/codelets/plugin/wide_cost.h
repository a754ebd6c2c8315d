// What arithmetic on 64-bit integers becomes on a tile, whose integer registers have 32 bits.
#pragma once

#include <optional>

#include "instruction_cost.h"

namespace tropic::tile::plugin {

/// Nothing where 64 bits cost what 32 do: loads, stores, control.
std::optional<Issues> wide_issues_of(const llvm::Instruction& instruction);

} // namespace tropic::tile::plugin
