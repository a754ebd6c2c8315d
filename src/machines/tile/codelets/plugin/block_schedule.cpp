#include "block_schedule.h"

#include <algorithm>
#include <array>
#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Instructions.h>

#include "instruction_cost.h"

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
    explicit Scheduler(const LoopPlan& plan) : plan_(plan) {}

    BlockCost run(const BasicBlock& block) {
        for (const Instruction& instruction : block) place(instruction);
        const auto setup = plan_.setup.find(&block);
        if (setup != plan_.setup.end()) {
            return {slots_.size() + setup->second, instructions_ + setup->second};
        }
        return {slots_.size(), instructions_};
    }

  private:
    Issues issues(const Instruction& instruction) const {
        if (plan_.free.contains(&instruction)) return {};
        if (plan_.counted.contains(&instruction)) return {CostTable::instance().at("brnzdec")};
        return issues_of(instruction);
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
    Slots slots_;
    DenseMap<const Value*, std::uint64_t> ready_; ///< the first slot that can use a value
    std::uint64_t last_write_ = 0;
    std::uint64_t last_access_ = 0;
    std::uint64_t instructions_ = 0;
};

} // namespace

BlockCost schedule(const BasicBlock& block, const LoopPlan& plan) {
    return Scheduler(plan).run(block);
}

} // namespace tropic::tile::plugin
