#include "block_schedule.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "instruction_cost.h"
#include "wide_cost.h"

namespace tropic::tile::plugin {

namespace {

using namespace llvm;

/// The slots of a block as they fill up.
class Slots {
  public:
    /// Takes `cost.slots` slots in a row, no earlier than `ready`; returns the one after.
    std::uint64_t take(const Cost& cost, std::uint64_t ready) {
        std::uint64_t first = ready;
        while (!is_free(cost, first)) ++first;
        const std::uint64_t end = first + cost.slots;
        if (taken_.size() < end) taken_.resize(end);
        for (std::uint64_t i = first; i < end; ++i) {
            if (cost.pipe != Pipe::aux) taken_[i][0] = true;
            if (cost.pipe != Pipe::main) taken_[i][1] = true;
        }
        return end;
    }

    std::uint64_t size() const { return taken_.size(); }

    /// The first slot for an instruction that must be the last: it may share the last slot.
    std::uint64_t last_for_main() const {
        const std::uint64_t size = taken_.size();
        return size > 0 && !taken_.back()[0] ? size - 1 : size;
    }

  private:
    bool is_free(const Cost& cost, std::uint64_t first) const {
        const std::uint64_t end = std::min<std::uint64_t>(first + cost.slots, taken_.size());
        for (std::uint64_t i = first; i < end; ++i) {
            if (cost.pipe != Pipe::aux && taken_[i][0]) return false;
            if (cost.pipe != Pipe::main && taken_[i][1]) return false;
        }
        return true;
    }

    std::vector<std::array<bool, 2>> taken_; ///< main, aux
};

class Scheduler {
  public:
    Scheduler(const LoopPlan& plan, const WideValues& wide) : plan_(plan), wide_(wide) {}

    BlockCost run(const BasicBlock& block) {
        for (const Instruction& instruction : block) place(instruction);
        if (rounds_overlap(block)) {
            const std::uint64_t each = std::min(slots_.size(), overlapping_slots(block));
            return {each, slots_.size() - each, instructions_};
        }
        const auto setup = plan_.setup.find(&block);
        if (setup != plan_.setup.end()) {
            return {slots_.size() + setup->second, 0, instructions_ + setup->second};
        }
        return {slots_.size(), 0, instructions_};
    }

  private:
    Issues issues(const Instruction& instruction) const {
        if (plan_.free.contains(&instruction)) return {};
        if (plan_.counted.contains(&instruction)) return {CostTable::instance().at("brnzdec")};
        if (wide_.is_wide(instruction)) {
            if (auto issues = wide_issues_of(instruction)) return *std::move(issues);
        }
        return issues_of(instruction);
    }

    /// A loop of this block alone, counted, that neither writes nor calls.
    bool rounds_overlap(const BasicBlock& block) const {
        const Instruction* const back = block.getTerminator();
        const auto* branch = dyn_cast<BranchInst>(back);
        const bool loops = branch != nullptr && branch->isConditional() &&
                           (branch->getSuccessor(0) == &block || branch->getSuccessor(1) == &block);
        if (!loops || !(plan_.counted.contains(back) || plan_.free.contains(back))) return false;
        return none_of(block, [](const Instruction& instruction) {
            return instruction.mayWriteToMemory() ||
                   (isa<CallBase>(instruction) && !isa<IntrinsicInst>(instruction));
        });
    }

    /// What a round takes when others fill its gaps: what each pipe issues, but no less than a
    /// value takes on its way from one round to the next.
    std::uint64_t overlapping_slots(const BasicBlock& block) const {
        std::uint64_t main = 0;
        std::uint64_t aux = 0;
        for (const Instruction& instruction : block) {
            for (const Cost& cost : issues(instruction)) {
                if (cost.pipe != Pipe::aux) main += cost.slots;
                if (cost.pipe != Pipe::main) aux += cost.slots;
            }
        }
        std::uint64_t slots = std::max({main, aux, std::uint64_t{1}});
        for (const PHINode& value : block.phis()) {
            slots = std::max(slots, slots_between_rounds(value));
        }
        return slots;
    }

    /// From a value of this round to the same of the next.
    std::uint64_t slots_between_rounds(const PHINode& value) const {
        DenseMap<const Value*, std::uint64_t> since; // of what depends on it
        since[&value] = 0;
        for (const Instruction& instruction : *value.getParent()) {
            if (isa<PHINode>(instruction)) continue;
            std::uint64_t own = 0;
            for (const Cost& cost : issues(instruction)) own += cost.slots;
            std::optional<std::uint64_t> longest;
            for (const Value* operand : instruction.operands()) {
                const auto found = since.find(operand);
                if (found == since.end()) continue;
                longest = std::max(longest.value_or(0), found->second + own);
            }
            if (longest) since[&instruction] = *longest;
        }
        return since.lookup(value.getIncomingValueForBlock(value.getParent()));
    }

    void place(const Instruction& instruction) {
        std::uint64_t ready = 0;
        if (!isa<PHINode>(instruction)) {
            for (const Value* operand : instruction.operands()) {
                const auto found = ready_.find(operand);
                if (found != ready_.end()) ready = std::max(ready, found->second);
            }
        }
        // Memory is read after what was written before, and written after both.
        if (instruction.mayWriteToMemory()) {
            ready = std::max(ready, last_access_);
        } else if (instruction.mayReadFromMemory()) {
            ready = std::max(ready, last_write_);
        }
        const Issues all = issues(instruction);
        if (instruction.isTerminator()) ready = std::max(ready, slots_.last_for_main());
        for (const Cost& cost : all) {
            if (cost.slots == 0) continue;
            ready = slots_.take(cost, ready);
            // Long ones are routines, not instructions in a row.
            instructions_ += cost.pipe == Pipe::both ? 1 : cost.slots;
        }
        ready_[&instruction] = ready;
        if (all.empty()) return;
        if (instruction.mayWriteToMemory()) last_write_ = std::max(last_write_, ready);
        if (instruction.mayReadOrWriteMemory()) last_access_ = std::max(last_access_, ready);
    }

    const LoopPlan& plan_;
    const WideValues& wide_;
    Slots slots_;
    DenseMap<const Value*, std::uint64_t> ready_; ///< the first slot that can use a value
    std::uint64_t last_write_ = 0;
    std::uint64_t last_access_ = 0;
    std::uint64_t instructions_ = 0;
};

} // namespace

BlockCost schedule(const BasicBlock& block, const LoopPlan& plan, const WideValues& wide) {
    return Scheduler(plan, wide).run(block);
}

} // namespace tropic::tile::plugin
