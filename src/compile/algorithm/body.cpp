#include "compile/algorithm/body.h"

#include "machines/cpu/algorithm/algorithm_runtime.h"

namespace tropic::compile {

llvm::Function* new_body(Unit& unit, const char* name) {
    auto* const type = llvm::FunctionType::get(
        unit.nothing, {unit.pointer, unit.pointer, unit.i64, unit.i64, unit.i64, unit.pointer},
        false);
    llvm::Function* const made =
        llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, name, unit.module);
    // Nothing of the frame, the worker or the list overlaps with the others.
    for (const unsigned argument : {0U, 1U}) made->addParamAttr(argument, llvm::Attribute::NonNull);
    return made;
}

llvm::Constant* int32_constant(const Unit& unit, std::int64_t value) {
    return llvm::ConstantInt::getSigned(unit.i32, value);
}

llvm::Constant* constant_view(Unit& unit, llvm::ArrayRef<llvm::Constant*> members) {
    llvm::Constant* const value = llvm::ConstantStruct::getAnon(unit.context, members);
    return new llvm::GlobalVariable(unit.module, value->getType(), true,
                                    llvm::GlobalValue::InternalLinkage, value, "view");
}

Setting setting_of(const Uses& uses, bool atomic, bool own_words) {
    Setting setting;
    setting.member = true;
    setting.atomic = atomic;
    setting.uses = &uses;
    setting.contended = uses.contended();
    for (const alg::VariableId id : setting.contended) {
        if (!uses.written_shared.contains(id)) setting.settled.insert(id);
    }
    VariableSet inserted = uses.inserted_own;
    inserted.insert(uses.inserted_shared.begin(), uses.inserted_shared.end());
    for (const alg::VariableId set : inserted) {
        const int number = static_cast<int>(setting.inserts.size());
        setting.inserts[set] = {number, own_words && !uses.inserted_shared.contains(set)};
    }
    return setting;
}

InsertTable insert_table(Unit& unit, const Setting& setting, const VariableSet& rebuilt,
                         const VariableSet& list_only,
                         const std::map<alg::VariableId, alg::VariableId>& claimed) {
    std::vector<llvm::Constant*> members;
    for (const auto& [set, insert] : setting.inserts) {
        const bool again = rebuilt.contains(set);
        const bool unmarked = list_only.contains(set);
        const auto claim = claimed.find(set);
        const alg::VariableId by = claim == claimed.end() ? -1 : claim->second;
        for (const std::int64_t value :
             {set, again ? 1 : 0, insert.bits_only ? 1 : 0, unmarked ? 1 : 0, by}) {
            members.push_back(int32_constant(unit, value));
        }
    }
    static_assert(sizeof(cpu::InsertView) == 20);
    if (members.empty()) return {llvm::ConstantPointerNull::get(unit.pointer), 0};
    return {constant_view(unit, members), static_cast<int>(setting.inserts.size())};
}

} // namespace tropic::compile
