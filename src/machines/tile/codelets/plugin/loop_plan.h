// What loops cost beyond their bodies. A loop whose rounds are known when it is entered counts down
// in one instruction (brnzdec), or in none (rpt) if it is one block, short, calls nothing and has
// few enough rounds; addresses that advance with the round are advanced by the loads and stores
// themselves.
#pragma once

#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>

namespace tropic::tile::plugin {

struct LoopPlan {
    /// Cost nothing: counters and tests that the loop instruction replaces, addresses that advance
    /// by themselves, offsets that are part of a load or store.
    llvm::DenseSet<const llvm::Instruction*> free;
    /// Branches back that a brnzdec replaces.
    llvm::DenseSet<const llvm::Instruction*> counted;
    /// Slots for setting up loops, by the block before.
    llvm::DenseMap<const llvm::BasicBlock*, std::uint32_t> setup;
    /// Branches back of loops that may never end.
    std::vector<llvm::Instruction*> endless;
};

LoopPlan plan_loops(llvm::Function& function, llvm::LoopInfo& loops,
                    llvm::ScalarEvolution& scalars);

} // namespace tropic::tile::plugin
