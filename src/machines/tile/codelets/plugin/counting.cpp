#include "counting.h"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "block_schedule.h"
#include "cost_table.h"
#include "places.h"
#include "runtime_calls.h"

namespace tropic::tile::plugin {

namespace {

using namespace llvm;

bool is_switch_to_workers(const Instruction& instruction) {
    const auto* call = dyn_cast<CallBase>(&instruction);
    const Function* const callee = call == nullptr ? nullptr : call->getCalledFunction();
    return callee != nullptr &&
           (callee->getName() == "tropic_start" || callee->getName() == "tropic_sync");
}

class Counter {
  public:
    explicit Counter(const FunctionCount& count)
        : count_(count), function_(*count.function), runtime_(*function_.getParent()) {}

    void run() {
        BasicBlock& entry = function_.getEntryBlock();
        IRBuilder<> builder(&entry, entry.getFirstInsertionPt());
        number_ = builder.getInt64Ty();
        local_ = builder.CreateAlloca(number_, nullptr, "slots");
        builder.CreateStore(builder.getInt64(0), local_);
        if (!count_.loops.endless.empty()) {
            total_ = runtime_.slots(builder);
            limit_ = builder.CreateLoad(number_, runtime_.limit(builder));
        }
        for (BasicBlock& block : function_) add_to_block(block);
        for (Instruction* back : count_.loops.endless) guard(*back);
        DominatorTree dominators(function_);
        PromoteMemToReg({local_}, dominators);
    }

  private:
    void add(IRBuilderBase& builder, Value* slots) {
        builder.CreateStore(builder.CreateAdd(builder.CreateLoad(number_, local_), slots), local_);
    }

    void add_to_block(BasicBlock& block) {
        const std::uint64_t slots = count_.slots.lookup(&block);
        if (slots > 0) {
            const auto start = block.isEntryBlock()
                                   ? std::next(cast<Instruction>(local_)->getIterator(), 2)
                                   : block.getFirstInsertionPt();
            IRBuilder<> builder(&block, start);
            add(builder, builder.getInt64(slots));
        }
        for (Instruction& instruction : make_early_inc_range(block)) {
            if (const auto* copy = dyn_cast<MemIntrinsic>(&instruction)) add_length(*copy);
            const bool flushes = isa<ReturnInst>(instruction) || is_switch_to_workers(instruction);
            if (flushes) flush(instruction);
        }
    }

    /// Of copies and fills, whose length is known when they run.
    void add_length(const MemIntrinsic& copy) {
        IRBuilder<> builder(const_cast<MemIntrinsic*>(&copy));
        Value* const bytes = builder.CreateZExtOrTrunc(copy.getLength(), number_);
        Value* const words =
            builder.CreateLShr(builder.CreateAdd(bytes, builder.getInt64(7)), builder.getInt64(3));
        const std::uint32_t each = CostTable::instance().at("copy_per_8_bytes").slots;
        add(builder, builder.CreateMul(words, builder.getInt64(each)));
    }

    /// The thread's count gets what this function has counted so far.
    void flush(Instruction& before) {
        IRBuilder<> builder(&before);
        Value* const total = runtime_.slots(builder);
        builder.CreateStore(builder.CreateAdd(builder.CreateLoad(number_, total),
                                              builder.CreateLoad(number_, local_)),
                            total);
        builder.CreateStore(builder.getInt64(0), local_);
    }

    /// Stops at the thread's limit when a loop goes round that may never end.
    void guard(Instruction& back) {
        IRBuilder<> builder(&back);
        Value* const counted = builder.CreateAdd(builder.CreateLoad(number_, local_),
                                                 builder.CreateLoad(number_, total_));
        Value* const over = builder.CreateICmpUGT(counted, limit_);
        Instruction* const stop = SplitBlockAndInsertIfThen(
            over, &back, true, MDBuilder(back.getContext()).createUnlikelyBranchWeights());
        IRBuilder<> stopping(stop);
        runtime_.call(stopping, "tropic_stop_endless", stopping.getVoidTy(),
                      {stopping.getInt32(user_line(back.getDebugLoc()))});
    }

    const FunctionCount& count_;
    Function& function_;
    RuntimeCalls runtime_;
    Type* number_ = nullptr;
    AllocaInst* local_ = nullptr;
    Value* total_ = nullptr; ///< the address of the thread's count, where loops are guarded
    Value* limit_ = nullptr;
};

} // namespace

FunctionCount count(Function& function, const WideValues& wide, FunctionAnalysisManager& analyses) {
    FunctionCount result;
    result.function = &function;
    result.loops = plan_loops(function, analyses.getResult<LoopAnalysis>(function),
                              analyses.getResult<ScalarEvolutionAnalysis>(function));
    for (BasicBlock& block : function) {
        const BlockCost cost = schedule(block, result.loops, wide);
        result.slots[&block] += cost.slots;
        result.instructions += cost.instructions;
        if (cost.once == 0) continue;
        for (BasicBlock* before : predecessors(&block)) {
            if (before != &block) result.slots[before] += cost.once;
        }
    }
    return result;
}

void add_counters(const FunctionCount& count) {
    Counter(count).run();
}

} // namespace tropic::tile::plugin
