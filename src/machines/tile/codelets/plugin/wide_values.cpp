#include "wide_values.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Metadata.h>

namespace tropic::tile::plugin {

namespace {

using namespace llvm;

constexpr unsigned wide_bits = 64;
constexpr unsigned word_bits = 32;

bool has_64_bits(const Value& value) {
    return value.getType()->isIntOrIntVectorTy(wide_bits);
}

StringRef name_of(const Metadata* node) {
    const auto* type = dyn_cast_or_null<MDNode>(node);
    if (type == nullptr || type->getNumOperands() == 0) return "";
    const auto* name = dyn_cast_or_null<MDString>(type->getOperand(0));
    return name == nullptr ? "" : name->getString();
}

/// A load or store of an element or member that the source calls long long, or int64_t. Sizes of
/// fields have a type of their own.
bool accesses_wide_data(const Instruction& instruction) {
    const MDNode* const tag = instruction.getMetadata(LLVMContext::MD_tbaa);
    if (tag == nullptr || tag->getNumOperands() < 2) return false;
    const StringRef type = name_of(tag->getOperand(1));
    return type == "long" || type == "long long";
}

/// Whether the result fits into a word although the operands do not.
bool narrows(const Instruction& instruction) {
    if (instruction.getNumOperands() < 2) return false;
    const auto* constant = dyn_cast<ConstantInt>(instruction.getOperand(1));
    if (constant == nullptr) return false;
    switch (instruction.getOpcode()) {
    case Instruction::And:
        return constant->getValue().isIntN(word_bits);
    case Instruction::LShr:
    case Instruction::AShr:
        return constant->getValue().uge(word_bits);
    default:
        return false;
    }
}

bool addresses_memory(const Value& value) {
    return any_of(value.users(), [](const User* user) { return isa<GetElementPtrInst>(user); });
}

bool is_shift(const Instruction& instruction) {
    return instruction.getOpcode() == Instruction::Shl ||
           instruction.getOpcode() == Instruction::LShr ||
           instruction.getOpcode() == Instruction::AShr;
}

} // namespace

WideValues::WideValues(const Module& module) {
    for (const Function& function : module) {
        for (const Instruction& instruction : instructions(function)) seed(instruction);
    }
    while (!open_.empty()) {
        const Value* const value = open_.pop_back_val();
        follow_users(*value);
        follow_operands(*value);
    }
}

bool WideValues::is_wide(const Instruction& instruction) const {
    if (narrows(instruction)) return false;
    if (values_.contains(&instruction)) return true;
    return any_of(instruction.operands(),
                  [this](const Use& operand) { return values_.contains(operand.get()); });
}

void WideValues::seed(const Instruction& instruction) {
    if (isa<LoadInst>(instruction) && accesses_wide_data(instruction)) add(&instruction);
    if (const auto* store = dyn_cast<StoreInst>(&instruction)) {
        if (accesses_wide_data(instruction)) add_operand(store->getValueOperand());
    }
    if (isa<FPToSIInst, FPToUIInst>(instruction)) add(&instruction);
    const auto* call = dyn_cast<CallBase>(&instruction);
    const Function* const callee = call == nullptr ? nullptr : call->getCalledFunction();
    if (callee != nullptr && callee->isDeclaration() && !callee->isIntrinsic()) add(&instruction);
}

void WideValues::add(const Value* value) {
    if (has_64_bits(*value) && values_.insert(value).second) open_.push_back(value);
}

/// What a wide value is computed from has as many bits, unless it was a word that is extended.
void WideValues::add_operand(const Value* value) {
    const auto* instruction = dyn_cast<Instruction>(value);
    if (instruction != nullptr && !isa<LoadInst>(instruction) && !addresses_memory(*value)) {
        add(value);
    }
}

void WideValues::follow_users(const Value& value) {
    for (const User* user : value.users()) {
        const auto* instruction = dyn_cast<Instruction>(user);
        if (instruction == nullptr || narrows(*instruction)) continue;
        if (is_shift(*instruction) && instruction->getOperand(0) != &value) continue;
        if (const auto* result = dyn_cast<ReturnInst>(instruction)) {
            for (const User* caller : result->getFunction()->users()) add(caller);
            continue;
        }
        const auto* call = dyn_cast<CallBase>(instruction);
        const Function* const callee = call == nullptr ? nullptr : call->getCalledFunction();
        if (callee != nullptr && !callee->isDeclaration()) {
            for (const Argument& argument : callee->args()) {
                if (call->getArgOperand(argument.getArgNo()) == &value) add(&argument);
            }
            continue;
        }
        if (callee == nullptr || callee->isIntrinsic()) add(instruction);
    }
}

void WideValues::follow_operands(const Value& value) {
    const auto* instruction = dyn_cast<Instruction>(&value);
    if (instruction == nullptr || isa<LoadInst>(instruction)) return;
    if (const auto* call = dyn_cast<CallBase>(instruction);
        call != nullptr && !isa<IntrinsicInst>(call)) {
        const Function* const callee = call->getCalledFunction();
        if (callee == nullptr) return;
        for (const BasicBlock& block : *callee) {
            const auto* result = dyn_cast<ReturnInst>(block.getTerminator());
            if (result != nullptr) add_operand(result->getReturnValue());
        }
        return;
    }
    const bool shift = is_shift(*instruction);
    for (const Use& operand : instruction->operands()) {
        if (!shift || operand.getOperandNo() == 0) add_operand(operand.get());
    }
}

} // namespace tropic::tile::plugin
