#include "instruction_cost.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

namespace tropic::tile::plugin {

namespace {

using namespace llvm;

constexpr unsigned aux_bits = 64; ///< that one floating-point instruction works on

const CostTable& table() {
    return CostTable::instance();
}

Issues one(StringRef key) {
    return {table().at(key)};
}

Issues times(std::uint64_t count, StringRef key) {
    Issues issues;
    for (std::uint64_t i = 0; i < count; ++i) issues.push_back(table().at(key));
    return issues;
}

std::uint64_t bits_of(const Type& type, const DataLayout& layout) {
    return layout.getTypeSizeInBits(const_cast<Type*>(&type)).getFixedValue();
}

/// Integer vectors are taken element by element, floating-point ones 64 bits at a time.
Issues arithmetic(const Instruction& instruction, StringRef int_key, StringRef float_key,
                  StringRef double_key = "double_simple") {
    const Type& type = *instruction.getOperand(0)->getType();
    const auto* vector = dyn_cast<FixedVectorType>(&type);
    const unsigned count = vector == nullptr ? 1 : vector->getNumElements();
    const Type& scalar = *type.getScalarType();
    if (scalar.isDoubleTy() || scalar.isX86_FP80Ty()) return times(count, double_key);
    if (!scalar.isFloatingPointTy()) return times(count, int_key);
    const std::uint64_t bits = bits_of(type, instruction.getDataLayout());
    return times(std::max<std::uint64_t>(1, (bits + aux_bits - 1) / aux_bits), float_key);
}

/// Whether a compare is part of the branch on it: brz, brnz, brneg and brpos test against zero.
bool folds_into_branch(const ICmpInst& compare) {
    const auto* constant = dyn_cast<ConstantInt>(compare.getOperand(1));
    const bool null = isa<ConstantPointerNull>(compare.getOperand(1));
    if (!null && constant == nullptr) return false;
    const bool zero = null || constant->isZero();
    const bool by_sign = (compare.getPredicate() == CmpInst::ICMP_SLT && zero) ||
                         (compare.getPredicate() == CmpInst::ICMP_SGT && constant != nullptr &&
                          constant->isMinusOne());
    if (!by_sign && !(compare.isEquality() && zero)) return false;
    return all_of(compare.users(), [](const User* user) { return isa<BranchInst>(user); });
}

bool used_in_main(const FCmpInst& compare) {
    return any_of(compare.users(), [](const User* user) {
        const auto* select = dyn_cast<SelectInst>(user);
        return select == nullptr || !select->getType()->isFPOrFPVectorTy();
    });
}

/// Addresses are base + delta + offset in a load or store; what is more than that is computed.
Issues address(const GetElementPtrInst& instruction) {
    const DataLayout& layout = instruction.getDataLayout();
    SmallMapVector<Value*, APInt, 4> scaled;
    const unsigned width = layout.getIndexTypeSizeInBits(instruction.getType());
    APInt constant(width, 0);
    if (!instruction.collectOffset(layout, width, scaled, constant)) return one("address_add");

    std::uint64_t accessed = 0; // bytes, if all uses are loads and stores of one size
    bool computed = false;
    for (const User* user : instruction.users()) {
        const auto* load = dyn_cast<LoadInst>(user);
        const auto* store = dyn_cast<StoreInst>(user);
        if (store != nullptr && store->getPointerOperand() != &instruction) store = nullptr;
        if (load == nullptr && store == nullptr) {
            computed = computed || !isa<GetElementPtrInst>(user);
            continue;
        }
        const Type* type = load != nullptr ? load->getType() : store->getValueOperand()->getType();
        accessed = bits_of(*type, layout) / 8;
    }
    Issues issues;
    for (const auto& [value, scale] : scaled) {
        const std::uint64_t bytes = scale.getZExtValue();
        if (bytes == 1 || bytes == accessed) continue;
        issues.push_back(table().at(isPowerOf2_64(bytes) ? "address_shift" : "address_multiply"));
    }
    const std::size_t terms = scaled.size() + (constant.isZero() ? 0 : 1);
    const std::size_t folded = computed ? 0 : 1;
    for (std::size_t i = folded; i < terms; ++i) issues.push_back(table().at("address_add"));
    return issues;
}

Issues width_change(const CastInst& cast) {
    const Type& from = *cast.getSrcTy();
    const unsigned bits = from.getScalarSizeInBits();
    const bool narrow = bits == 8 || bits == 16;
    // Truth values are 0 or 1 in a register; loads extend; 32 and 64 bits are the host's business.
    if (isa<TruncInst>(cast) || !narrow || isa<LoadInst>(cast.getOperand(0))) return {};
    return one(isa<SExtInst>(cast) ? "extend_signed" : "extend_unsigned");
}

Issues conversion(const CastInst& cast) {
    const bool to_float = isa<SIToFPInst>(cast) || isa<UIToFPInst>(cast);
    const Type& other = *(to_float ? cast.getDestTy() : cast.getSrcTy())->getScalarType();
    if (other.isDoubleTy()) return one("double_convert");
    if (!to_float) return {table().at("float_to_int"), table().at("to_main")};
    Issues issues;
    if (!isa<LoadInst>(cast.getOperand(0))) issues.push_back(table().at("to_aux"));
    issues.push_back(table().at("float_from_int"));
    return issues;
}

Issues stored(const StoreInst& store) {
    const std::uint64_t bits = bits_of(*store.getValueOperand()->getType(), store.getDataLayout());
    if (bits <= 8) return one("store8");
    if (bits <= 16) return one("store16");
    return times((bits + 63) / 64, "store");
}

Issues intrinsic(const IntrinsicInst& call) {
    switch (call.getIntrinsicID()) {
    case Intrinsic::smin:
    case Intrinsic::smax:
    case Intrinsic::umin:
    case Intrinsic::umax:
        return arithmetic(call, "int_minmax", "float_minmax");
    case Intrinsic::abs:
        return arithmetic(call, "int_abs", "float_negate");
    case Intrinsic::ctlz:
    case Intrinsic::cttz:
    case Intrinsic::ctpop:
    case Intrinsic::bswap:
    case Intrinsic::bitreverse:
        return arithmetic(call, "bit_count", "bit_count");
    case Intrinsic::fshl:
    case Intrinsic::fshr:
    case Intrinsic::usub_sat:
    case Intrinsic::uadd_sat:
    case Intrinsic::ssub_sat:
    case Intrinsic::sadd_sat:
        return times(2, "int_simple");
    case Intrinsic::sadd_with_overflow:
    case Intrinsic::uadd_with_overflow:
    case Intrinsic::ssub_with_overflow:
    case Intrinsic::usub_with_overflow:
    case Intrinsic::smul_with_overflow:
    case Intrinsic::umul_with_overflow:
        return times(3, "int_simple");
    case Intrinsic::ucmp:
    case Intrinsic::scmp:
        return times(3, "int_compare");
    case Intrinsic::minnum:
    case Intrinsic::maxnum:
    case Intrinsic::minimum:
    case Intrinsic::maximum:
    case Intrinsic::minimumnum:
    case Intrinsic::maximumnum:
        return arithmetic(call, "int_minmax", "float_minmax");
    case Intrinsic::fabs:
    case Intrinsic::copysign:
        return arithmetic(call, "int_simple", "float_negate");
    case Intrinsic::sqrt:
        return arithmetic(call, "int_simple", "float_sqrt", "double_divide");
    case Intrinsic::floor:
    case Intrinsic::ceil:
    case Intrinsic::trunc:
    case Intrinsic::rint:
    case Intrinsic::nearbyint:
    case Intrinsic::roundeven:
    case Intrinsic::round:
    case Intrinsic::canonicalize:
        return arithmetic(call, "int_simple", "float_round");
    case Intrinsic::fma:
    case Intrinsic::fmuladd: {
        Issues issues = arithmetic(call, "int_multiply", "float_multiply");
        issues.append(arithmetic(call, "int_simple", "float_add"));
        return issues;
    }
    case Intrinsic::is_fpclass:
        return {table().at("float_compare"), table().at("to_main")};
    case Intrinsic::fptosi_sat:
    case Intrinsic::fptoui_sat:
        return {table().at("float_to_int"), table().at("to_main")};
    case Intrinsic::memcpy:
    case Intrinsic::memmove:
    case Intrinsic::memset:
        return one("copy_setup"); // and what the length adds when it runs
    case Intrinsic::vector_reduce_add:
    case Intrinsic::vector_reduce_mul:
    case Intrinsic::vector_reduce_or:
    case Intrinsic::vector_reduce_and:
    case Intrinsic::vector_reduce_fadd:
        return times(2, "int_simple");
    default:
        break;
    }
    // exp, log, sin and the like are the library's functions by another name.
    StringRef name = Intrinsic::getBaseName(call.getIntrinsicID());
    name.consume_front("llvm.");
    const bool single = !call.getType()->getScalarType()->isDoubleTy();
    const Cost* const cost = table().function((name + (single ? "f" : "")).str());
    return cost == nullptr ? Issues{} : Issues{table().at("call"), *cost};
}

Issues called(const CallBase& call) {
    if (const auto* known = dyn_cast<IntrinsicInst>(&call)) return intrinsic(*known);
    const Function* const callee = call.getCalledFunction();
    if (callee != nullptr && callee->isDeclaration()) {
        if (const Cost* cost = table().function(callee->getName())) {
            if (cost->pipe != Pipe::both) return {*cost};
            return {table().at("call"), *cost};
        }
        return {}; // of the runtime, which counts by itself
    }
    return one("call");
}

Issues selected(const SelectInst& select) {
    if (select.getType()->isIntOrIntVectorTy() || select.getType()->isPointerTy()) {
        return arithmetic(select, "int_select", "int_select");
    }
    return one("float_select");
}

Issues branched(const BranchInst& branch) {
    if (branch.isConditional()) return one("branch");
    const bool next = branch.getSuccessor(0) == branch.getParent()->getNextNode();
    return next ? Issues{} : one("jump");
}

} // namespace

Issues issues_of(const Instruction& instruction) {
    using namespace PatternMatch;
    switch (instruction.getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
        return arithmetic(instruction, "int_simple", "int_simple");
    case Instruction::Xor:
        // The other way round is the other branch.
        if (instruction.getType()->isIntegerTy(1) && match(&instruction, m_Not(m_Value()))) {
            return {};
        }
        return arithmetic(instruction, "int_simple", "int_simple");
    case Instruction::Mul:
        return arithmetic(instruction, "int_multiply", "int_multiply");
    case Instruction::SDiv:
    case Instruction::UDiv:
    case Instruction::SRem:
    case Instruction::URem:
        return arithmetic(instruction, "int_divide", "int_divide");
    case Instruction::FAdd:
    case Instruction::FSub:
        return arithmetic(instruction, "int_simple", "float_add");
    case Instruction::FMul:
        return arithmetic(instruction, "int_multiply", "float_multiply");
    case Instruction::FDiv:
        return arithmetic(instruction, "int_divide", "float_divide", "double_divide");
    case Instruction::FRem:
        return {table().at("call"), *table().function("fmodf")};
    case Instruction::FNeg:
        return arithmetic(instruction, "int_simple", "float_negate");
    case Instruction::ICmp:
        if (folds_into_branch(cast<ICmpInst>(instruction))) return {};
        return arithmetic(instruction, "int_compare", "int_compare");
    case Instruction::FCmp: {
        Issues issues = arithmetic(instruction, "int_compare", "float_compare");
        if (used_in_main(cast<FCmpInst>(instruction))) issues.push_back(table().at("to_main"));
        return issues;
    }
    case Instruction::Select:
        return selected(cast<SelectInst>(instruction));
    case Instruction::GetElementPtr:
        return address(cast<GetElementPtrInst>(instruction));
    case Instruction::Load:
        return times((bits_of(*instruction.getType(), instruction.getDataLayout()) + 127) / 128,
                     "load");
    case Instruction::Store:
        return stored(cast<StoreInst>(instruction));
    case Instruction::SExt:
    case Instruction::ZExt:
    case Instruction::Trunc:
        return width_change(cast<CastInst>(instruction));
    case Instruction::SIToFP:
    case Instruction::UIToFP:
    case Instruction::FPToSI:
    case Instruction::FPToUI:
        return conversion(cast<CastInst>(instruction));
    case Instruction::FPExt:
    case Instruction::FPTrunc:
        return one(instruction.getType()->getScalarType()->isDoubleTy() ||
                           instruction.getOperand(0)->getType()->getScalarType()->isDoubleTy()
                       ? "double_convert"
                       : "float_convert");
    case Instruction::ExtractElement:
    case Instruction::InsertElement:
        // Registers of 32 bits are named by themselves.
        return instruction.getOperand(0)->getType()->getScalarSizeInBits() >= 32
                   ? Issues{}
                   : one("float_pack");
    case Instruction::ShuffleVector:
        return one("float_pack");
    case Instruction::Call:
        return called(cast<CallBase>(instruction));
    case Instruction::Br:
        return branched(cast<BranchInst>(instruction));
    case Instruction::Switch:
        return one("switch");
    case Instruction::Ret:
        return one("return");
    default:
        return {}; // registers only: phi, bitcast, freeze, alloca, insertvalue, ...
    }
}

const Function* unknown_callee(const Instruction& instruction) {
    const auto* call = dyn_cast<CallBase>(&instruction);
    if (call == nullptr || isa<IntrinsicInst>(call)) return nullptr;
    const Function* const callee = call->getCalledFunction();
    if (callee == nullptr || !callee->isDeclaration()) return nullptr;
    if (callee->getName().starts_with("tropic_")) return nullptr;
    return table().function(callee->getName()) == nullptr ? callee : nullptr;
}

} // namespace tropic::tile::plugin
