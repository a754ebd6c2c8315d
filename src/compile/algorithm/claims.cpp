// What pushing does at the end of an edge, without branches: nobody can guess which edges find
// something new, and a wrong guess costs more than the few operations that were not needed.
#include <optional>

#include "compile/algorithm/code.h"
#include "machines/cpu/algorithm/algorithm_runtime.h"

namespace tropic::compile {

using alg::Operation;
using Kind = alg::Expression::Kind;

namespace {

/// "If `condition`, and if j is new in `set` (or: if the element changes), `target` of j becomes
/// `value` (or: gets it added, and j joins the set)".
struct Claim {
    const alg::Expression& condition;
    const alg::Expression& set;    ///< the insertion
    const alg::Expression& target; ///< has the vector and the index
    const alg::Expression& value;
    const alg::Monoid* sum; ///< null: the first that comes decides
};

const alg::Statement* only(const std::vector<alg::Statement>& body, alg::Statement::Kind kind) {
    return body.size() == 1 && body[0].kind == kind ? body.data() : nullptr;
}

std::optional<Claim> claim_of(const alg::Statement& s) {
    using StatementKind = alg::Statement::Kind;
    const alg::Statement* const inner = only(s.body, StatementKind::branch);
    if (inner == nullptr || !s.otherwise.empty() || !inner->otherwise.empty()) return {};
    const alg::Expression& asked = *inner->value;
    if (asked.kind == Kind::insert) {
        const alg::Statement* const store = only(inner->body, StatementKind::element);
        if (store == nullptr || store->operation != Operation::none) return {};
        return Claim{*s.value, asked, *store->target, *store->value, nullptr};
    }
    if (asked.kind == Kind::improve && asked.monoid->operation == Operation::add) {
        const alg::Statement* const then = only(inner->body, StatementKind::evaluate);
        if (then == nullptr || then->value->kind != Kind::insert) return {};
        return Claim{*s.value, *then->value, asked, asked.operands[1], asked.monoid.get()};
    }
    return {};
}

} // namespace

bool Code::claim(const alg::Statement& s) {
    if (setting.atomic || !setting.member || setting.buckets != nullptr) return false;
    const std::optional<Claim> found = claim_of(s);
    if (!found || !is_harmless(found->value)) return false;
    const alg::Expression& target = found->target;
    const alg::VariableId set = found->set.variable;
    const alg::Expression& j = found->set.operands[0];
    const alg::Variable& variable = unit.variable(target.variable);
    const alg::Type type = element_of(variable.type);
    const auto how = setting.inserts.find(set);
    if (found->set.checked || target.checked || j.kind != Kind::variable ||
        !labels.contains(j.variable) || target.operands[0].kind != Kind::variable ||
        target.operands[0].variable != j.variable || variable.is_local ||
        variable.type.shape != alg::Type::Shape::vector || type.record >= 0 || type.lanes != 1 ||
        how == setting.inserts.end() || how->second.bits_only) {
        return false;
    }
    llvm::Value* const which = index(j);
    llvm::Value* wanted = truth(found->condition);
    llvm::Value* const where = address(target);
    llvm::Value* const old = load(type, where, target.variable, false);
    llvm::Value* now = value_as(found->value, type);
    if (found->sum != nullptr) {
        now = combine(Operation::add, found->sum, type, old, now, target.place);
        wanted = b.CreateAnd(wanted, b.CreateNot(equal(type, now, old)));
    }
    llvm::Value* const bits = view_field(set, offsetof(cpu::SetView, bits), unit.pointer);
    llvm::Value* const word_at = b.CreateInBoundsGEP(unit.i64, bits, b.CreateLShr(which, 6));
    llvm::Value* const shift = b.CreateAnd(which, b.getInt64(63));
    llvm::LoadInst* const word = b.CreateLoad(unit.i64, word_at);
    unit.mark(word, Memory::bits, set);
    llvm::Value* const bit = b.CreateShl(b.CreateZExt(wanted, unit.i64), shift);
    unit.mark(b.CreateStore(b.CreateOr(word, bit), word_at), Memory::bits, set);
    llvm::Value* const known = b.CreateTrunc(b.CreateLShr(word, shift), unit.i1);
    llvm::Value* const is_new = b.CreateAnd(wanted, b.CreateNot(known));
    llvm::Value* const changes = found->sum != nullptr ? wanted : is_new;
    store(type, b.CreateSelect(changes, now, old), where, target.variable, false);
    append(set, how->second, which, b.CreateZExt(is_new, unit.i64));
    return true;
}

} // namespace tropic::compile
