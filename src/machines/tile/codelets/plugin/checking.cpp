#include "checking.h"

#include <vector>

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "places.h"
#include "runtime_calls.h"

namespace tropic::tile::plugin {

namespace {

using namespace llvm;

/// What the stack and constants hold is nobody's field.
bool is_private(const Value& pointer) {
    const Value* const object = getUnderlyingObject(&pointer);
    return isa<AllocaInst>(object) || isa<GlobalVariable>(object);
}

class Checker {
  public:
    explicit Checker(Function& function) : function_(function), runtime_(*function.getParent()) {}

    void run(bool accesses) {
        std::vector<Instruction*> all;
        for (Instruction& instruction : instructions(function_)) all.push_back(&instruction);
        for (Instruction* instruction : all) {
            if (accesses) check_access(*instruction);
            check_division(*instruction);
            check_trap(*instruction);
        }
    }

  private:
    void check_access(Instruction& instruction) {
        if (auto* load = dyn_cast<LoadInst>(&instruction)) {
            report("tropic_on_load", instruction, load->getPointerOperand(),
                   bytes_of(*load->getType()));
        } else if (auto* store = dyn_cast<StoreInst>(&instruction)) {
            report("tropic_on_store", instruction, store->getPointerOperand(),
                   bytes_of(*store->getValueOperand()->getType()));
        } else if (auto* fill = dyn_cast<MemIntrinsic>(&instruction)) {
            IRBuilder<> builder(fill);
            Value* const bytes = builder.CreateZExtOrTrunc(fill->getLength(), builder.getInt32Ty());
            if (auto* copy = dyn_cast<MemTransferInst>(fill)) {
                report("tropic_on_load", instruction, copy->getRawSource(), bytes);
            }
            report("tropic_on_store", instruction, fill->getRawDest(), bytes);
        }
    }

    Value* bytes_of(Type& type) const {
        const std::uint64_t bytes = function_.getDataLayout().getTypeStoreSize(&type);
        return ConstantInt::get(Type::getInt32Ty(function_.getContext()), bytes);
    }

    void report(StringRef what, Instruction& before, Value* pointer, Value* bytes) {
        if (is_private(*pointer)) return;
        IRBuilder<> builder(&before);
        runtime_.call(builder, what, builder.getVoidTy(),
                      {pointer, bytes, builder.getInt32(user_line(before.getDebugLoc()))});
    }

    /// Where the host would raise a signal, the program stops with a message instead.
    void check_division(Instruction& instruction) {
        const unsigned opcode = instruction.getOpcode();
        const bool is_signed = opcode == Instruction::SDiv || opcode == Instruction::SRem;
        if (!is_signed && opcode != Instruction::UDiv && opcode != Instruction::URem) return;
        Value* const divisor = instruction.getOperand(1);
        if (isa<Constant>(divisor) || divisor->getType()->isVectorTy()) return;
        IRBuilder<> builder(&instruction);
        Value* bad = builder.CreateIsNull(divisor);
        if (is_signed) {
            Type* const type = divisor->getType();
            Value* const least =
                ConstantInt::get(type, APInt::getSignedMinValue(type->getIntegerBitWidth()));
            bad = builder.CreateOr(
                bad,
                builder.CreateAnd(builder.CreateICmpEQ(divisor, Constant::getAllOnesValue(type)),
                                  builder.CreateICmpEQ(instruction.getOperand(0), least)));
        }
        Instruction* const stop = SplitBlockAndInsertIfThen(
            bad, &instruction, true,
            MDBuilder(instruction.getContext()).createUnlikelyBranchWeights());
        add_stop(*stop, "tropic_stop_division", instruction.getDebugLoc());
    }

    void check_trap(Instruction& instruction) {
        const auto* call = dyn_cast<IntrinsicInst>(&instruction);
        if (call == nullptr || (call->getIntrinsicID() != Intrinsic::trap &&
                                call->getIntrinsicID() != Intrinsic::ubsantrap)) {
            return;
        }
        add_stop(instruction, "tropic_stop_trap", instruction.getDebugLoc());
    }

    void add_stop(Instruction& before, StringRef name, const DebugLoc& place) {
        IRBuilder<> builder(&before);
        runtime_.call(builder, name, builder.getVoidTy(), {builder.getInt32(user_line(place))});
    }

    Function& function_;
    RuntimeCalls runtime_;
};

} // namespace

void relax_alignment(Function& function) {
    const auto element_align = [&](Type& type) {
        return Align(std::max<std::uint64_t>(1, type.getScalarSizeInBits() / 8));
    };
    for (Instruction& instruction : instructions(function)) {
        if (auto* load = dyn_cast<LoadInst>(&instruction)) {
            if (load->getType()->isVectorTy() && !is_private(*load->getPointerOperand())) {
                load->setAlignment(std::min(load->getAlign(), element_align(*load->getType())));
            }
        } else if (auto* store = dyn_cast<StoreInst>(&instruction)) {
            Type& type = *store->getValueOperand()->getType();
            if (type.isVectorTy() && !is_private(*store->getPointerOperand())) {
                store->setAlignment(std::min(store->getAlign(), element_align(type)));
            }
        } else if (auto* fill = dyn_cast<MemIntrinsic>(&instruction)) {
            fill->setDestAlignment(Align(1));
            if (auto* copy = dyn_cast<MemTransferInst>(fill)) copy->setSourceAlignment(Align(1));
        }
    }
}

void add_checks(Function& function, bool accesses) {
    Checker(function).run(accesses);
}

} // namespace tropic::tile::plugin
