// Folding values: over neighbours, members or a whole space.
#include <algorithm>
#include <array>

#include "compile/algorithm/lanes.h"
#include "language/algorithm/extremes.h"
#include "language/algorithm/visit.h"
#include "machines/cpu/algorithm/algorithm_runtime.h"

namespace tropic::compile {

using alg::Operation;

Code::Fold Code::begin_fold(const alg::Reduction& r) {
    const alg::Type type = element_of(r.value.type);
    Fold fold{r, type, new_cell(unit.value_type(type), "fold"), nullptr, nullptr};
    b.CreateStore(value_as(*r.monoid.identity, type), fold.value);
    if (r.found >= 0 || r.argument || r.monoid.operation == Operation::any) {
        fold.found = new_cell(unit.i1, "found");
        b.CreateStore(b.getFalse(), fold.found);
    }
    if (r.argument) {
        fold.argument = new_cell(unit.i64, "argument");
        b.CreateStore(b.getInt64(-1), fold.argument);
    }
    return fold;
}

void Code::join_fold(const Fold& fold, llvm::Value* given, llvm::Value* found,
                     llvm::Value* argument) {
    const alg::Monoid& monoid = fold.reduction.monoid;
    llvm::Value* const so_far = b.CreateLoad(unit.value_type(fold.type), fold.value);
    if (fold.argument != nullptr) {
        // The better value; of two equal ones that of the lesser label.
        llvm::Value* const best = b.CreateLoad(unit.i64, fold.argument);
        const bool least = monoid.operation != Operation::maximum;
        llvm::Value* const better =
            compare(Operation::less, fold.type, least ? given : so_far, least ? so_far : given);
        llvm::Value* const tie =
            b.CreateAnd(equal(fold.type, given, so_far), b.CreateICmpSLT(argument, best));
        llvm::Value* const before = b.CreateLoad(unit.i1, fold.found);
        const auto or_else = [&](llvm::Value* left, llvm::Value* right) {
            return b.CreateSelect(left, b.getTrue(), right);
        };
        llvm::Value* const wins =
            b.CreateSelect(found, or_else(b.CreateNot(before), or_else(better, tie)), b.getFalse());
        b.CreateStore(b.CreateSelect(wins, given, so_far), fold.value);
        b.CreateStore(b.CreateSelect(wins, argument, best), fold.argument);
        b.CreateStore(b.CreateOr(before, found), fold.found);
        return;
    }
    if (monoid.operation == Operation::any) {
        b.CreateStore(b.CreateSelect(found, given, so_far), fold.value);
    } else {
        const Reordering reordering(*this);
        llvm::Value* const both = combine(monoid.operation, &monoid, fold.type, so_far, given,
                                          fold.reduction.value.place);
        b.CreateStore(both, fold.value);
    }
    if (fold.found != nullptr) {
        b.CreateStore(b.CreateOr(b.CreateLoad(unit.i1, fold.found), found), fold.found);
    }
}

void Code::fold_member(const Fold& fold, llvm::BasicBlock* leave) {
    const alg::Reduction& r = fold.reduction;
    const alg::Monoid& monoid = r.monoid;
    const alg::Type wide = scalar_type(ElementType::int64);
    const bool any = monoid.operation == Operation::any;
    const auto take = [&](llvm::Value* given, llvm::Value* found) {
        llvm::Value* argument = nullptr;
        if (r.argument) argument = convert(scalar(r.label), unit.variable(r.label).type, wide);
        join_fold(fold, given, found, argument);
        if (monoid.terminal && !any && leave != nullptr) {
            llvm::Value* const now = b.CreateLoad(unit.value_type(fold.type), fold.value);
            llvm::BasicBlock* const rest = block("rest");
            b.CreateCondBr(equal(fold.type, now, value_as(*monoid.terminal, fold.type)), leave,
                           rest);
            b.SetInsertPoint(rest);
        }
    };
    if (any && leave != nullptr) {
        const auto leave_with = [&] {
            take(value_as(r.value, fold.type), b.getTrue());
            b.CreateBr(leave);
        };
        if (r.condition) when(truth(*r.condition), leave_with);
        else {
            leave_with();
            b.SetInsertPoint(block("dead"));
        }
        return;
    }
    if (!r.condition) {
        take(value_as(r.value, fold.type), b.getTrue());
        return;
    }
    llvm::Value* const condition = truth(*r.condition);
    const bool simple = monoid.operation != Operation::user && is_harmless(r.value) &&
                        !monoid.terminal && fold.type.record < 0;
    if (!simple) {
        when(condition, [&] { take(value_as(r.value, fold.type), b.getTrue()); });
        return;
    }
    // Without a branch: what does not count is the identity.
    llvm::Value* const given = value_as(r.value, fold.type);
    llvm::Value* const nothing = value_as(*monoid.identity, fold.type);
    take(r.argument ? given : b.CreateSelect(condition, given, nothing), condition);
}

llvm::Value* Code::end_fold(const Fold& fold, const alg::Type& type) {
    const alg::Reduction& r = fold.reduction;
    if (r.found >= 0) {
        llvm::Value* const found = b.CreateLoad(unit.i1, fold.found);
        bind(r.found,
             convert(found, scalar_type(ElementType::boolean), unit.variable(r.found).type));
    }
    if (r.argument) {
        return convert(b.CreateLoad(unit.i64, fold.argument), scalar_type(ElementType::int64),
                       type);
    }
    return convert(b.CreateLoad(unit.value_type(fold.type), fold.value), fold.type, type);
}

void Code::fold_edges(const Fold& fold, const Edges& edges) {
    const alg::Reduction& r = fold.reduction;
    ++folding;
    ++loops_deep_;
    const auto all = [&] {
        loop(edges.begin, edges.end, b.getInt64(1), Pace::row,
             [&](llvm::Value* place, const Loop& blocks) {
                 bind_edge(r.graph, r.inward, place, r.label, r.weight, r.edge);
                 fold_member(fold, blocks.leave);
             });
    };
    if (can_fold_short(fold)) fold_short(fold, edges, all);
    else all();
    --loops_deep_;
    --folding;
}

namespace {

/// Whether one neighbour alone can count: the fold looks an edge up.
bool looks_up(const alg::Reduction& r) {
    if (r.monoid.operation != Operation::any || !r.condition ||
        r.condition->kind != alg::Expression::Kind::binary ||
        r.condition->operation != Operation::equal ||
        !is_label(r.condition->operands[0], r.label)) {
        return false;
    }
    return std::ranges::none_of(std::array{r.label, r.weight, r.edge}, [&](alg::VariableId own) {
        return own >= 0 && alg::mentions(r.condition->operands[1], own);
    });
}

} // namespace

llvm::Value* Code::reduce_here(const alg::Expression& e) {
    const alg::Reduction& r = *e.reduction;
    const Fold fold = begin_fold(r);
    if (r.graph >= 0) {
        Edges edges = edges_of(r.graph, r.inward, index(*r.center));
        if (looks_up(r)) {
            edges.begin = first_not_less(edges, r.graph, r.inward, index(r.condition->operands[1]));
            llvm::Value* const next = b.CreateNSWAdd(edges.begin, b.getInt64(1));
            edges.end = b.CreateSelect(b.CreateICmpSLT(next, edges.end), next, edges.end);
        } else {
            count_edges(edges, leads_on(r));
        }
        if (counts_in_lanes(r)) {
            const auto test = [&](llvm::Value* place, llvm::Value* inside) {
                EdgeGroup group{place, inside, r.graph, r.inward, r.label, r.weight, {}};
                return Lanes(*this, std::move(group))
                    .passing({{EdgeTest::Kind::condition, &*r.condition, -1}});
            };
            const auto add = [&] {
                const alg::Type wide = scalar_type(ElementType::int64);
                llvm::Value* const found = convert(count_in_groups(edges, test), wide, fold.type);
                llvm::Value* const value = b.CreateMul(found, value_as(r.value, fold.type));
                join_fold(fold, value, b.getTrue(), nullptr);
            };
            when(is_long(edges), add, [&] { fold_edges(fold, edges); });
            return end_fold(fold, e.type);
        }
        fold_edges(fold, edges);
    } else {
        const auto body = [&](llvm::Value* i, const Loop& blocks) {
            bind_label(r.label, i);
            fold_member(fold, blocks.leave);
        };
        if (loops_deep_ == 0) edges_outermost_ = false;
        ++loops_deep_;
        if (r.members >= 0) {
            loop_members(r.members, body);
        } else {
            llvm::Value* const size = space_size(r.space);
            count_steps(size);
            loop(b.getInt64(0), size, b.getInt64(1), Pace::whole, body);
        }
        --loops_deep_;
    }
    return end_fold(fold, e.type);
}

llvm::Value* Code::reduce(const alg::Expression& e) {
    if (setting.member || e.reduction->graph >= 0) return reduce_here(e);
    const alg::VariableId graph = alg::extreme_graph(unit.algorithm, *e.reduction);
    if (graph < 0) return reduce_in_parallel(e);
    const alg::Type type = element_of(e.reduction->value.type);
    llvm::AllocaInst* const found = new_cell(unit.stored_type(type), "extreme");
    const bool largest = e.reduction->monoid.operation == Operation::maximum;
    call_runtime(offsetof(cpu::AlgorithmRuntime, extreme), unit.nothing,
                 {frame(), b.getInt64(graph), b.getInt64(largest ? 1 : 0), found});
    return convert(load(type, found, -1, false), type, e.type);
}

} // namespace tropic::compile
