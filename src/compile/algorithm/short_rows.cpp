// Rows of up to four edges, done without a branch for each: nobody can guess how many such a row
// has, and most rows of roads and meshes are such.
#include <algorithm>

#include "compile/algorithm/code.h"
#include "machines/cpu/algorithm/algorithm_runtime.h"

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

/// Whether a value may be worked out for an edge that is none of the member's.
bool never_fails(const alg::Expression& e) {
    const bool divides = e.operation == Operation::divide || e.operation == Operation::remainder;
    return !e.checked && (!divides || is_real(e.type)) &&
           std::ranges::all_of(e.operands, never_fails);
}

/// What may stand for the edges that a row has not: their values are not added, but do no harm.
Code::Absent absent_in(Operation operation, const alg::Expression& value) {
    return operation == Operation::add && never_fails(value) ? Code::Absent::others
                                                             : Code::Absent::last;
}

} // namespace

/// Those that are not there are stood for by the last edge, or are edges of the next rows.
void Code::when_short(const alg::VariableId graph, const Edges& edges, Absent absent,
                      const FewEdges& few, const Action& otherwise) {
    // Neither many nor none.
    llvm::Value* const more = b.CreateSub(b.CreateSub(edges.end, edges.begin), b.getInt64(1));
    llvm::Value* is_short = b.CreateICmpULT(more, b.getInt64(most));
    if (absent == Absent::others) {
        llvm::Value* const entries = view_field(graph, offsetof(cpu::GraphView, entries), unit.i64);
        llvm::Value* const room = b.CreateNSWSub(entries, b.getInt64(most));
        is_short = b.CreateAnd(is_short, b.CreateICmpSLE(edges.begin, room));
    }
    const auto all = [&] {
        llvm::Value* const last = b.CreateNSWSub(edges.end, b.getInt64(1));
        std::vector<ShortEdge> list;
        for (std::int64_t number = 0; number < most; ++number) {
            llvm::Value* place = b.CreateNSWAdd(edges.begin, b.getInt64(number));
            if (absent == Absent::last) {
                place = b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, place, last);
            }
            list.push_back({place, b.CreateICmpSLE(b.getInt64(number), more)});
        }
        few(list);
    };
    when(is_short, all, otherwise);
}

/// A claim that is made again changes nothing.
void Code::claim_short(const alg::Statement& s, const Edges& edges, const Action& otherwise) {
    const auto claim_all = [&](const std::vector<ShortEdge>& list) {
        for (const ShortEdge& edge : list) {
            bind_edge(s.graph, s.inward, edge.place, s.variable, s.weight, s.edge);
            claim(s.body[0]);
        }
    };
    when_short(s.graph, edges, Absent::last, claim_all, otherwise);
}

bool Code::adds_up(const alg::Statement& s) const {
    if (!setting.member || s.body.size() != 1) return false;
    const alg::Statement& sum = s.body[0];
    return sum.kind == alg::Statement::Kind::scalar && unit.variable(sum.variable).is_local &&
           is_plain(unit.variable(sum.variable).type) &&
           is_usual(sum.operation, unit.variable(sum.variable).type) && is_short(*sum.value) &&
           !mentions(*sum.value, sum.variable);
}

llvm::Value* Code::add_up_few(const std::vector<ShortEdge>& list, const alg::Type& type,
                              llvm::Value* so_far, const ShortSum& sum) {
    // Minima and maxima may get the last value again.
    const bool adds = sum.operation == Operation::add;
    llvm::Value* const nothing = llvm::Constant::getNullValue(unit.value_type(type));
    std::vector<llvm::Value*> given;
    for (const ShortEdge& edge : list) {
        llvm::Value* const value = sum.value(edge.place);
        const bool sure = given.empty() || !adds; // the first is always there
        given.push_back(sure ? value : b.CreateSelect(edge.there, value, nothing));
    }
    const auto joined = [&](llvm::Value* left, llvm::Value* right) {
        return combine(sum.operation, sum.monoid, type, left, right, sum.place);
    };
    llvm::Value* const early = joined(joined(so_far, given[0]), given[1]);
    return joined(early, joined(given[2], given[3]));
}

void Code::add_up_short(const alg::Statement& s, const Edges& edges, const Action& otherwise) {
    const alg::Statement& sum = s.body[0];
    const alg::Type& type = unit.variable(sum.variable).type;
    const auto all = [&](const std::vector<ShortEdge>& list) {
        const auto value = [&](llvm::Value* place) {
            bind_edge(s.graph, s.inward, place, s.variable, s.weight, s.edge);
            return value_as(*sum.value, type);
        };
        b.CreateStore(add_up_few(list, type, scalar(sum.variable),
                                 {sum.operation, sum.monoid.get(), sum.place, value}),
                      cell(sum.variable));
    };
    when_short(s.graph, edges, absent_in(sum.operation, *sum.value), all, otherwise);
}

bool Code::can_fold_short(const Fold& fold) const {
    const alg::Reduction& r = fold.reduction;
    return setting.member && !r.condition && !r.argument && !r.monoid.terminal &&
           is_usual(r.monoid.operation, fold.type) && is_plain(fold.type) && is_short(r.value);
}

void Code::fold_short(const Fold& fold, const Edges& edges, const Action& otherwise) {
    const alg::Reduction& r = fold.reduction;
    const auto all = [&](const std::vector<ShortEdge>& list) {
        const auto value = [&](llvm::Value* place) {
            bind_edge(r.graph, r.inward, place, r.label, r.weight, r.edge);
            return value_as(r.value, fold.type);
        };
        llvm::Value* const before = b.CreateLoad(unit.value_type(fold.type), fold.value);
        b.CreateStore(add_up_few(list, fold.type, before,
                                 {r.monoid.operation, &r.monoid, r.value.place, value}),
                      fold.value);
        if (fold.found != nullptr) b.CreateStore(b.getTrue(), fold.found);
    };
    when_short(r.graph, edges, absent_in(r.monoid.operation, r.value), all, otherwise);
}

} // namespace tropic::compile
