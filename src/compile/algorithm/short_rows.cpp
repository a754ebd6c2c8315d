// Rows of up to four edges, done without a branch for each: nobody can guess how many such a row
// has, and most rows of roads and meshes are such.
#include <algorithm>

#include "compile/algorithm/code.h"

#include "llvm/IR/Intrinsics.h"

namespace tropic::compile {

using alg::Operation;
using Kind = alg::Expression::Kind;

namespace {

constexpr std::int64_t most = 4;

/// Whether a value is worked out in a few steps, and nothing happens by that.
bool is_light(const alg::Expression& e) {
    switch (e.kind) {
    case Kind::constant:
    case Kind::infinity:
    case Kind::variable:
    case Kind::element:
    case Kind::negate:
    case Kind::binary:
    case Kind::convert:
    case Kind::size:
        break;
    case Kind::conditional:
        if (!e.both) return false;
        break;
    default:
        return false;
    }
    // Conditions are made of branches themselves.
    if (e.operation == Operation::logical_and || e.operation == Operation::logical_or) return false;
    return std::ranges::all_of(e.operands, is_light);
}

bool is_plain(const alg::Type& type) {
    return type.record < 0 && type.lanes == 1;
}

/// What reals that are no number make of minima depends on the order of branches.
bool is_usual(Operation operation, const alg::Type& type) {
    return operation == Operation::add ||
           (!is_real(type) && (operation == Operation::minimum || operation == Operation::maximum));
}

/// The edges that are not there must not go further than the last did.
bool mentions(const alg::Expression& e, alg::VariableId local) {
    return e.variable == local || std::ranges::any_of(e.operands, [&](const alg::Expression& o) {
               return mentions(o, local);
           });
}

/// Four times more of it must not cost more than a branch.
constexpr std::size_t most_parts = 12;

std::size_t parts_of(const alg::Expression& e) {
    std::size_t parts = 1;
    for (const alg::Expression& operand : e.operands) parts += parts_of(operand);
    return parts;
}

bool is_short(const alg::Expression& e) {
    return is_light(e) && parts_of(e) <= most_parts;
}

} // namespace

/// The last edge stands for those that are not there.
void Code::when_short(const Edges& edges, const FewEdges& one, const Action& otherwise) {
    // Neither many nor none.
    llvm::Value* const more = b.CreateSub(b.CreateSub(edges.end, edges.begin), b.getInt64(1));
    llvm::Value* const few = b.CreateICmpULT(more, b.getInt64(most));
    const auto all = [&] {
        llvm::Value* const last = b.CreateNSWSub(edges.end, b.getInt64(1));
        for (std::int64_t number = 0; number < most; ++number) {
            llvm::Value* const place = b.CreateBinaryIntrinsic(
                llvm::Intrinsic::smin, b.CreateNSWAdd(edges.begin, b.getInt64(number)), last);
            one(place, b.CreateICmpSLE(b.getInt64(number), more));
        }
    };
    when(few, all, otherwise);
}

/// A claim that is made again changes nothing.
void Code::claim_short(const alg::Statement& s, const Edges& edges, const Action& otherwise) {
    const auto claim_one = [&](llvm::Value* place, llvm::Value*) {
        bind_edge(s.graph, s.inward, place, s.variable, s.weight, s.edge);
        claim(s.body[0]);
    };
    when_short(edges, claim_one, otherwise);
}

bool Code::adds_up(const alg::Statement& s) const {
    if (!setting.member || s.body.size() != 1) return false;
    const alg::Statement& sum = s.body[0];
    return sum.kind == alg::Statement::Kind::scalar && unit.variable(sum.variable).is_local &&
           is_plain(unit.variable(sum.variable).type) &&
           is_usual(sum.operation, unit.variable(sum.variable).type) && is_short(*sum.value) &&
           !mentions(*sum.value, sum.variable);
}

void Code::add_up_short(const alg::Statement& s, const Edges& edges, const Action& otherwise) {
    const alg::Statement& sum = s.body[0];
    const alg::Type& type = unit.variable(sum.variable).type;
    const auto add = [&](llvm::Value* place, llvm::Value* there) {
        bind_edge(s.graph, s.inward, place, s.variable, s.weight, s.edge);
        llvm::Value* const given = value_as(*sum.value, type);
        const Reordering reordering(*this);
        llvm::Value* const so_far = scalar(sum.variable);
        llvm::Value* const now =
            combine(sum.operation, sum.monoid.get(), type, so_far, given, sum.place);
        b.CreateStore(b.CreateSelect(there, now, so_far), cell(sum.variable));
    };
    when_short(edges, add, otherwise);
}

bool Code::can_fold_short(const Fold& fold) const {
    const alg::Reduction& r = fold.reduction;
    return setting.member && !r.condition && !r.argument && !r.monoid.terminal &&
           is_usual(r.monoid.operation, fold.type) && is_plain(fold.type) && is_short(r.value);
}

void Code::fold_short(const Fold& fold, const Edges& edges, const Action& otherwise) {
    const alg::Reduction& r = fold.reduction;
    const auto add = [&](llvm::Value* place, llvm::Value* there) {
        bind_edge(r.graph, r.inward, place, r.label, r.weight, r.edge);
        llvm::Value* const given = value_as(r.value, fold.type);
        llvm::Value* const nothing = value_as(*r.monoid.identity, fold.type);
        join_fold(fold, b.CreateSelect(there, given, nothing), there, nullptr);
    };
    when_short(edges, add, otherwise);
}

} // namespace tropic::compile
