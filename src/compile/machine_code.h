// The last steps: from MLIR's loops to LLVM IR, optimised for the host, to a shared object.
#pragma once

#include <string>

#include "mlir/IR/BuiltinOps.h"

namespace tropic::compile {

enum class MachineOutput : std::uint8_t { llvm, assembly, shared_object };

/// Text for the first two; a shared object is written to `path` (aside first, then renamed).
std::string to_machine_code(mlir::ModuleOp module, MachineOutput output, const std::string& path);

} // namespace tropic::compile
