// Makes compiled code count its own issue slots. Each function keeps a count of its own in a
// register and adds it to the thread's when it returns.
#pragma once

#include <vector>

#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>

#include "loop_plan.h"
#include "wide_values.h"

namespace tropic::tile::plugin {

/// What a function costs, known before anything is added to it.
struct FunctionCount {
    llvm::Function* function = nullptr;
    llvm::DenseMap<llvm::BasicBlock*, std::uint64_t> slots;
    LoopPlan loops;
    std::uint64_t instructions = 0;
};

FunctionCount count(llvm::Function& function, const WideValues& wide,
                    llvm::FunctionAnalysisManager& analyses);

/// Adds the counting code, and stops loops that never end.
void add_counters(const FunctionCount& count);

} // namespace tropic::tile::plugin
