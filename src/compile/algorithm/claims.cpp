// What pushing does at the end of an edge, without branches: nobody can guess which edges find
// something new, and a wrong guess costs more than the few operations that were not needed.
#include <algorithm>
#include <optional>

#include "compile/algorithm/code.h"
#include "language/algorithm/visit.h"
#include "machines/cpu/algorithm/algorithm_runtime.h"

namespace tropic::compile {

using alg::Operation;
using Kind = alg::Expression::Kind;
using StatementKind = alg::Statement::Kind;

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

const alg::Statement* only(const std::vector<alg::Statement>& body, StatementKind kind) {
    return body.size() == 1 && body[0].kind == kind ? body.data() : nullptr;
}

std::optional<Claim> claim_of(const alg::Statement& s) {
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

bool is_variable(const alg::Expression& e, alg::VariableId id) {
    return e.kind == Kind::variable && e.variable == id;
}

/// The number below 0 that the target of a claim is compared with, if that is all a condition
/// asks.
const alg::Expression* negative_number(const alg::Expression& condition,
                                       const alg::Expression& target) {
    if (condition.kind != Kind::binary || condition.operation != Operation::equal) return nullptr;
    const auto& sides = condition.operands;
    for (const std::size_t side : {0U, 1U}) {
        const alg::Expression& element = sides[side];
        const alg::Expression& number = sides[1 - side];
        if (element.kind == Kind::element && element.variable == target.variable &&
            is_variable(element.operands[0], target.operands[0].variable) &&
            number.kind == Kind::constant && !is_real(number.type) && number.integer < 0) {
            return &number;
        }
    }
    return nullptr;
}

/// Whether a condition holds only while the target of a claim is a number below 0.
bool wants_negative(const alg::Expression& condition, const alg::Expression& target) {
    if (condition.kind == Kind::binary && condition.operation == Operation::logical_and) {
        return std::ranges::any_of(condition.operands,
                                   [&](const auto& e) { return wants_negative(e, target); });
    }
    return negative_number(condition, target) != nullptr;
}

} // namespace

/// What a claim takes is never free again in the same loop: an index takes the place of a negative
/// number, once. Nobody has to ask whether it is a member.
bool Code::is_new_for_sure(alg::VariableId set, const alg::Expression& condition,
                           const alg::Expression& target, const alg::Expression& value) const {
    const Uses& uses = *setting.uses;
    return setting.inserts.at(set).rebuilt && uses.insert_places.at(set) == 1 &&
           !uses.looked_up.contains(set) && uses.write_places.at(target.variable) == 1 &&
           value.kind == Kind::variable && labels.contains(value.variable) &&
           wants_negative(condition, target);
}

/// Several workers may claim an element at once, without locking, if each gives it another value:
/// the one that stays says whose claim counts (cpu::InsertView::claimed). Whoever finds it taken
/// writes back what is there, which is what some claim has given it.
bool Code::may_race(alg::VariableId set, const alg::Expression& condition,
                    const alg::Expression& target, const alg::Expression& value) const {
    const alg::Type type = element_of(unit.variable(target.variable).type);
    return value.kind == Kind::variable && value.variable == setting.member_label &&
           is_new_for_sure(set, condition, target, value) &&
           negative_number(condition, target) != nullptr && unit.stored_type(type) == unit.index;
}

void Code::race(alg::VariableId set, const alg::Expression& condition,
                const alg::Expression& target, const alg::Expression& value) {
    const alg::Type type = element_of(unit.variable(target.variable).type);
    llvm::Value* const where = address(target);
    llvm::Value* const old = load(type, where, target.variable, true);
    llvm::Value* const wanted =
        equal(type, old, value_as(*negative_number(condition, target), type));
    llvm::Value* const now = value_as(value, type);
    store(type, b.CreateSelect(wanted, now, old), where, target.variable, true);
    append(set, setting.inserts.at(set), index(target.operands[0]), b.CreateZExt(wanted, unit.i64),
           now);
    claimed_[set] = target.variable;
}

bool Code::may_be_claimed(const alg::Expression& insertion) const {
    const alg::Expression& j = insertion.operands[0];
    const auto how = setting.inserts.find(insertion.variable);
    return !insertion.checked && j.kind == Kind::variable && labels.contains(j.variable) &&
           how != setting.inserts.end() && !how->second.bits_only;
}

bool Code::may_be_written(const alg::Expression& target) const {
    const alg::Variable& variable = unit.variable(target.variable);
    const alg::Type type = element_of(variable.type);
    return !target.checked && target.operands[0].kind == Kind::variable &&
           labels.contains(target.operands[0].variable) && !variable.is_local &&
           variable.type.shape == alg::Type::Shape::vector && type.record < 0 && type.lanes == 1;
}

llvm::Value* Code::insert_where(llvm::Value* wanted, alg::VariableId set, llvm::Value* which) {
    llvm::Value* const bits = view_field(set, offsetof(cpu::SetView, bits), unit.pointer);
    llvm::Value* const word_at = b.CreateInBoundsGEP(unit.i64, bits, b.CreateLShr(which, 6));
    llvm::Value* const shift = b.CreateAnd(which, b.getInt64(63));
    llvm::LoadInst* const word = b.CreateLoad(unit.i64, word_at);
    unit.mark(word, Memory::bits, set);
    llvm::Value* const bit = b.CreateShl(b.CreateZExt(wanted, unit.i64), shift);
    unit.mark(b.CreateStore(b.CreateOr(word, bit), word_at), Memory::bits, set);
    llvm::Value* const known = b.CreateTrunc(b.CreateLShr(word, shift), unit.i1);
    llvm::Value* const is_new = b.CreateAnd(wanted, b.CreateNot(known));
    append(set, setting.inserts.at(set), which, b.CreateZExt(is_new, unit.i64));
    return is_new;
}

bool Code::can_claim(const alg::Statement& s) const {
    if (!setting.member || setting.buckets != nullptr) return false;
    const std::optional<Claim> found = claim_of(s);
    return found && is_harmless(found->value) && may_be_claimed(found->set) &&
           may_be_written(found->target) &&
           found->target.operands[0].variable == found->set.operands[0].variable &&
           (!setting.atomic ||
            (found->sum == nullptr &&
             may_race(found->set.variable, found->condition, found->target, found->value)));
}

alg::VariableId Code::claimed_vector(const alg::Statement& s) {
    return claim_of(s)->target.variable;
}

alg::VariableId Code::claimed_set(const alg::Statement& s) {
    return claim_of(s)->set.variable;
}

bool Code::claims_once(const std::vector<alg::Statement>& body) const {
    if (body.size() != 1 || !can_claim(body[0])) return false;
    const std::optional<Claim> claim = claim_of(body[0]);
    if (!claim || claim->sum != nullptr) return false;
    bool changes = false; // by asking
    alg::for_each_expression(claim->condition, [&](const alg::Expression& e) {
        changes |= e.kind == Kind::improve || e.kind == Kind::swap || e.kind == Kind::insert;
    });
    return !changes;
}

std::optional<Code::MemberClaim> Code::member_claim(const alg::Statement& s) const {
    const std::optional<Claim> claim = claim_of(s);
    if (!claim || !can_claim(s) || claim->sum != nullptr) return {};
    const alg::VariableId set = claim->set.variable;
    if (!may_race(set, claim->condition, claim->target, claim->value)) return {};
    return MemberClaim{claim->target.variable, set,
                       *negative_number(claim->condition, claim->target)};
}

bool Code::claim(const alg::Statement& s) {
    const std::optional<Claim> found = claim_of(s);
    if (!found || !can_claim(s)) return false;
    const alg::Expression& target = found->target;
    const alg::VariableId set = found->set.variable;
    if (setting.atomic) {
        race(set, found->condition, target, found->value);
        return true;
    }
    const alg::Type type = element_of(unit.variable(target.variable).type);
    llvm::Value* const which = index(found->set.operands[0]);
    llvm::Value* wanted = truth(found->condition);
    llvm::Value* const where = address(target);
    llvm::Value* const old = load(type, where, target.variable, false);
    llvm::Value* now = value_as(found->value, type);
    if (found->sum != nullptr) {
        now = combine(Operation::add, found->sum, type, old, now, target.place);
        wanted = b.CreateAnd(wanted, b.CreateNot(equal(type, now, old)));
    } else if (is_new_for_sure(set, found->condition, target, found->value)) {
        store(type, b.CreateSelect(wanted, now, old), where, target.variable, false);
        append(set, setting.inserts.at(set), which, b.CreateZExt(wanted, unit.i64));
        list_only_.insert(set);
        return true;
    }
    llvm::Value* const is_new = insert_where(wanted, set, which);
    llvm::Value* const changes = found->sum != nullptr ? wanted : is_new;
    store(type, b.CreateSelect(changes, now, old), where, target.variable, false);
    return true;
}

bool Code::is_at_hand(const alg::Expression& e) const {
    if (e.kind == Kind::element) {
        return e.operands.size() == 1 && !e.checked && e.operands[0].kind == Kind::variable &&
               labels.contains(e.operands[0].variable);
    }
    if (e.operands.empty()) return is_harmless(e);
    const bool plain = e.kind == Kind::negate || e.kind == Kind::convert ||
                       (e.kind == Kind::binary && is_real(e.type));
    const bool asks = e.kind == Kind::binary &&
                      (e.operation == Operation::equal || e.operation == Operation::not_equal ||
                       e.operation == Operation::less || e.operation == Operation::less_equal);
    return (plain || asks) && !e.checked &&
           std::ranges::all_of(e.operands,
                               [&](const auto& operand) { return is_at_hand(operand); });
}

bool Code::is_branch_free(const alg::Statement& s) const {
    if (s.kind != StatementKind::branch || !s.otherwise.empty() || !is_at_hand(*s.value)) {
        return false;
    }
    if (const alg::Statement* const then = only(s.body, StatementKind::evaluate)) {
        return then->value->kind == Kind::insert && may_be_claimed(*then->value);
    }
    const alg::Statement* const change = only(s.body, StatementKind::element);
    return change != nullptr && may_be_written(*change->target) && is_at_hand(*change->value) &&
           (change->operation == Operation::none || change->operation == Operation::add ||
            change->operation == Operation::subtract);
}

bool Code::is_branch_free(const std::vector<alg::Statement>& body) const {
    if (setting.atomic || !setting.member || setting.buckets != nullptr) return false;
    const auto inserts = [](const alg::Statement& s) {
        return only(s.body, StatementKind::evaluate) != nullptr;
    };
    return std::ranges::any_of(body, inserts) &&
           std::ranges::all_of(body, [&](const auto& s) { return is_branch_free(s); });
}

void Code::without_branch(const alg::Statement& s) {
    llvm::Value* const wanted = truth(*s.value);
    const alg::Statement& then = s.body[0];
    if (then.kind == StatementKind::evaluate) {
        insert_where(wanted, then.value->variable, index(then.value->operands[0]));
        return;
    }
    const alg::Expression& target = *then.target;
    const alg::Type type = element_of(unit.variable(target.variable).type);
    llvm::Value* const where = address(target);
    llvm::Value* const old = load(type, where, target.variable, false);
    llvm::Value* now = value_as(*then.value, type);
    if (then.operation != Operation::none) {
        now = combine(then.operation, then.monoid.get(), type, old, now, target.place);
    }
    store(type, b.CreateSelect(wanted, now, old), where, target.variable, false);
}

} // namespace tropic::compile
