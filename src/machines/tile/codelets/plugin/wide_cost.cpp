#include "wide_cost.h"

#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace tropic::tile::plugin {

namespace {

using namespace llvm;

constexpr unsigned wide_bits = 64;

Issues each_of(const Type& type, std::initializer_list<StringRef> keys) {
    const auto* vector = dyn_cast<FixedVectorType>(&type);
    const unsigned count = vector == nullptr ? 1 : vector->getNumElements();
    Issues issues;
    for (unsigned i = 0; i < count; ++i) {
        for (const StringRef key : keys) issues.push_back(CostTable::instance().at(key));
    }
    return issues;
}

StringRef shift_by(const Value& amount) {
    return isa<Constant>(amount) ? "int64_shift" : "int64_shift_variable";
}

std::optional<Issues> intrinsic(const IntrinsicInst& call) {
    const Type& type = *call.getType();
    switch (call.getIntrinsicID()) {
    case Intrinsic::smin:
    case Intrinsic::smax:
    case Intrinsic::umin:
    case Intrinsic::umax:
        return each_of(type, {"int64_compare", "int64_select"});
    case Intrinsic::abs:
        return each_of(type, {"int64_add", "int64_select"});
    case Intrinsic::ctlz:
    case Intrinsic::cttz:
    case Intrinsic::ctpop:
    case Intrinsic::bswap:
    case Intrinsic::bitreverse:
        return each_of(type, {"int64_bit_count"});
    case Intrinsic::fshl:
    case Intrinsic::fshr: {
        const StringRef key = shift_by(*call.getArgOperand(2));
        return each_of(type, {key, key, "int64_logic"});
    }
    case Intrinsic::usub_sat:
    case Intrinsic::uadd_sat:
    case Intrinsic::ssub_sat:
    case Intrinsic::sadd_sat:
        return each_of(type, {"int64_add", "int64_compare", "int64_select"});
    case Intrinsic::sadd_with_overflow:
    case Intrinsic::uadd_with_overflow:
    case Intrinsic::ssub_with_overflow:
    case Intrinsic::usub_with_overflow:
        return each_of(type, {"int64_add", "int64_compare"});
    case Intrinsic::smul_with_overflow:
    case Intrinsic::umul_with_overflow:
        return each_of(type, {"call", "int64_multiply", "call", "int64_multiply", "int64_compare"});
    case Intrinsic::ucmp:
    case Intrinsic::scmp:
        return each_of(type, {"int64_compare", "int64_compare"});
    case Intrinsic::fptosi_sat:
    case Intrinsic::fptoui_sat:
        return each_of(type, {"call", "int64_from_float"});
    default:
        return {};
    }
}

} // namespace

std::optional<Issues> wide_issues_of(const Instruction& instruction) {
    const Type& type = *instruction.getType();
    switch (instruction.getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
        return each_of(type, {"int64_add"});
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor:
        return each_of(type, {"int64_logic"});
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
        return each_of(type, {shift_by(*instruction.getOperand(1))});
    case Instruction::Mul:
        return each_of(type, {"call", "int64_multiply"});
    case Instruction::SDiv:
    case Instruction::UDiv:
    case Instruction::SRem:
    case Instruction::URem:
        return each_of(type, {"call", "int64_divide"});
    case Instruction::ICmp:
        return each_of(type, {"int64_compare"});
    case Instruction::Select:
        if (!type.isIntOrIntVectorTy(wide_bits)) return {};
        return each_of(type, {"int64_select"});
    case Instruction::SExt:
    case Instruction::ZExt:
        return each_of(type, {"int64_extend"});
    case Instruction::SIToFP:
    case Instruction::UIToFP:
        return each_of(type, {"call", "int64_to_float"});
    case Instruction::FPToSI:
    case Instruction::FPToUI:
        return each_of(type, {"call", "int64_from_float"});
    case Instruction::Call:
        if (const auto* known = dyn_cast<IntrinsicInst>(&instruction)) return intrinsic(*known);
        return {};
    default:
        return {};
    }
}

} // namespace tropic::tile::plugin
