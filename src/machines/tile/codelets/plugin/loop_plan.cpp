#include "loop_plan.h"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/Path.h>

#include "cost_table.h"
#include "findings.h"

namespace tropic::tile::plugin {

namespace {

using namespace llvm;

/// Widths differ only because the host has 64-bit addresses.
bool is_width_change(const Instruction& instruction) {
    return isa<SExtInst>(instruction) || isa<ZExtInst>(instruction) || isa<TruncInst>(instruction);
}

class Planner {
  public:
    Planner(LoopInfo& loops, ScalarEvolution& scalars) : loops_(loops), scalars_(scalars) {}

    LoopPlan run(Function& function) {
        for (Instruction& instruction : instructions(function)) {
            if (is_offset(instruction)) plan_.free.insert(&instruction);
        }
        for (Loop* loop : loops_.getLoopsInPreorder()) plan(*loop);
        return std::move(plan_);
    }

  private:
    /// A constant added to an index, which loads and stores have room for.
    static bool is_offset(const Instruction& instruction) {
        const bool adds = instruction.getOpcode() == Instruction::Add ||
                          instruction.getOpcode() == Instruction::Sub;
        return adds && isa<ConstantInt>(instruction.getOperand(1)) && !instruction.use_empty() &&
               only_indexes(instruction);
    }

    static bool only_indexes(const Instruction& index) {
        return all_of(index.users(), [&](const User* user) {
            const auto* address = dyn_cast<GetElementPtrInst>(user);
            if (address != nullptr) {
                return address->getPointerOperand() != &index && only_addresses(*address);
            }
            const auto* instruction = cast<Instruction>(user);
            return is_width_change(*instruction) && only_indexes(*instruction);
        });
    }

    void plan(Loop& loop) {
        find_advancing_addresses(loop);
        BasicBlock* const latch = loop.getLoopLatch();
        if (latch == nullptr) {
            guard_if_endless(loop);
            return;
        }
        auto* const branch = dyn_cast<BranchInst>(latch->getTerminator());
        const bool countable = branch != nullptr && branch->isConditional() &&
                               loop.isLoopExiting(latch) &&
                               !isa<SCEVCouldNotCompute>(scalars_.getExitCount(&loop, latch));
        if (!countable) {
            guard_if_endless(loop);
            return;
        }
        const auto& table = CostTable::instance();
        auto* const test = dyn_cast<ICmpInst>(branch->getCondition());
        if (test != nullptr && test->hasOneUse()) plan_.free.insert(test);
        free_counters(loop, test);
        const bool repeats = can_repeat(loop);
        if (repeats) {
            plan_.free.insert(branch);
        } else {
            plan_.counted.insert(branch);
        }
        if (const BasicBlock* before = loop.getLoopPredecessor()) {
            plan_.setup[before] += table.at(repeats ? "rpt_setup" : "loop_setup").slots;
        }
    }

    void guard_if_endless(Loop& loop) {
        SmallVector<BasicBlock*> exiting;
        loop.getExitingBlocks(exiting);
        for (BasicBlock* block : exiting) {
            if (!isa<SCEVCouldNotCompute>(scalars_.getExitCount(&loop, block))) return;
        }
        SmallVector<BasicBlock*> latches;
        loop.getLoopLatches(latches);
        for (BasicBlock* block : latches) plan_.endless.push_back(block->getTerminator());
    }

    /// Addresses that are a start plus a step for each round of the innermost loop around them, and
    /// are used for nothing else.
    void find_advancing_addresses(Loop& loop) {
        const BasicBlock* const before = loop.getLoopPredecessor();
        for (BasicBlock* block : loop.blocks()) {
            if (loops_.getLoopFor(block) != &loop) continue;
            for (Instruction& instruction : *block) {
                auto* const address = dyn_cast<GetElementPtrInst>(&instruction);
                if (address == nullptr || !only_addresses(*address)) continue;
                const auto* evolution = dyn_cast<SCEVAddRecExpr>(scalars_.getSCEV(address));
                if (evolution == nullptr || evolution->getLoop() != &loop ||
                    !evolution->isAffine()) {
                    continue;
                }
                plan_.free.insert(address);
                if (before != nullptr && !isa<SCEVUnknown>(evolution->getStart())) {
                    plan_.setup[before] += CostTable::instance().at("address_add").slots;
                }
            }
        }
    }

    static bool only_addresses(const Instruction& address) {
        return all_of(address.users(), [&](const User* user) {
            if (const auto* store = dyn_cast<StoreInst>(user)) {
                return store->getValueOperand() != &address;
            }
            return isa<LoadInst>(user);
        });
    }

    /// Counters that serve only the test and addresses.
    void free_counters(const Loop& loop, const Instruction* test) {
        for (PHINode& counter : loop.getHeader()->phis()) {
            if (!counter.getType()->isIntegerTy() && !counter.getType()->isPointerTy()) continue;
            const auto* evolution = dyn_cast<SCEVAddRecExpr>(scalars_.getSCEV(&counter));
            if (evolution == nullptr || evolution->getLoop() != &loop) continue;
            auto* const next =
                dyn_cast<Instruction>(counter.getIncomingValueForBlock(loop.getLoopLatch()));
            if (next == nullptr) continue;
            if (serves_loop_only(counter, counter, *next, test) &&
                serves_loop_only(*next, counter, *next, test)) {
                plan_.free.insert(next);
            }
        }
    }

    bool serves_loop_only(const Instruction& value, const Instruction& counter,
                          const Instruction& next, const Instruction* test) {
        return all_of(value.users(), [&](const User* user) {
            const auto* instruction = cast<Instruction>(user);
            if (instruction == &counter || instruction == &next || instruction == test ||
                plan_.free.contains(instruction)) {
                return true;
            }
            if (counter.getType()->isPointerTy()) {
                const auto* store = dyn_cast<StoreInst>(instruction);
                return isa<LoadInst>(instruction) ||
                       (store != nullptr && store->getValueOperand() != &value);
            }
            return is_width_change(*instruction) &&
                   serves_loop_only(*instruction, counter, next, test);
        });
    }

    bool can_repeat(const Loop& loop) {
        const auto& table = CostTable::instance();
        if (loop.getNumBlocks() != 1) return false;
        std::uint32_t size = 0;
        for (const Instruction& instruction : *loop.getHeader()) {
            if (isa<DbgInfoIntrinsic>(instruction)) continue;
            if (const auto* call = dyn_cast<CallBase>(&instruction)) {
                if (!isa<IntrinsicInst>(call) || isa<MemIntrinsic>(call)) return false;
            }
            const unsigned opcode = instruction.getOpcode();
            const bool divides = opcode == Instruction::SDiv || opcode == Instruction::UDiv ||
                                 opcode == Instruction::SRem || opcode == Instruction::URem;
            if (divides || instruction.getType()->getScalarType()->isDoubleTy()) return false;
            ++size;
        }
        if (size > table.at("rpt_body").slots) return false;
        const DebugLoc start = loop.getStartLoc();
        if (start && findings().rpt_loops.contains({sys::path::filename(start->getFilename()).str(),
                                                    start.getLine(), start.getCol()})) {
            return true;
        }
        const auto* most = dyn_cast<SCEVConstant>(scalars_.getConstantMaxBackedgeTakenCount(&loop));
        return most != nullptr && most->getAPInt().ult(table.at("rpt_count").slots);
    }

    LoopInfo& loops_;
    ScalarEvolution& scalars_;
    LoopPlan plan_;
};

} // namespace

LoopPlan plan_loops(Function& function, LoopInfo& loops, ScalarEvolution& scalars) {
    return Planner(loops, scalars).run(function);
}

} // namespace tropic::tile::plugin
