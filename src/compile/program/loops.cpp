// Loops carry the variables that they assign.
#include "compile/program/lowering.h"

#include <algorithm>

#include "language/values.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/BitVector.h"

namespace tropic::compile {

namespace {

/// The loop without the values that it hands on from round to round and nobody looks at.
void drop_unused(mlir::scf::ForOp loop) {
    llvm::BitVector unused(loop.getBody()->getNumArguments());
    llvm::SmallVector<Value> initial;
    llvm::SmallVector<Value> yielded;
    llvm::SmallVector<Value> results;
    const unsigned first = loop.getNumInductionVars();
    for (unsigned c = 0; c < loop.getNumResults(); ++c) {
        if (loop.getRegionIterArg(c).use_empty() && loop.getResult(c).use_empty()) {
            unused.set(first + c);
            continue;
        }
        initial.push_back(loop.getInitArgs()[c]);
        yielded.push_back(loop.getYieldedValues()[c]);
        results.push_back(loop.getResult(c));
    }
    if (unused.none()) return;
    mlir::OpBuilder builder(loop);
    auto kept = mlir::scf::ForOp::create(builder, loop.getLoc(), loop.getLowerBound(),
                                         loop.getUpperBound(), loop.getStep(), initial);
    kept.getRegion().takeBody(loop.getRegion());
    kept.getBody()->getTerminator()->setOperands(yielded);
    kept.getBody()->eraseArguments(unused);
    for (auto [old, result] : llvm::zip(results, kept.getResults())) {
        old.replaceAllUsesWith(result);
    }
    loop.erase();
}

} // namespace

void ProgramLowering::lower_loop(const Statement& statement) {
    namespace arith = mlir::arith;
    const mlir::Location at = location(statement.place);
    if (rehearsing_) return rehearse(statement);
    // Counted from 0, so that steps of either sign, and of fractions, work; a step of 0 is no
    // turn.
    const bool real = is_float(program_.variables[statement.variable].element);
    const mlir::Type type = scalar_type(program_.variables[statement.variable].element);
    const Value begin = to_scalar(scalar(statement.operands[0]), type, at);
    const Value end = to_scalar(scalar(statement.operands[1]), type, at);
    const Value step = to_scalar(scalar(statement.operands[2]), type, at);
    const Value zero = constant(std::int64_t{0}, at);
    const Value one = constant(std::int64_t{1}, at);
    const Value count = real ? real_turns(begin, end, step, at) : turns(begin, end, step, at);

    const auto assigned = language::first_assignments(statement.body);
    const auto unknown = [&](const Statement* first) {
        const VariableId id = first->variable;
        const Variable& variable = program_.variables[id];
        return variable.is_tensor && !variable.format && !values_[id] && !rehearsed_.contains(id);
    };
    if (std::ranges::any_of(assigned, unknown)) rehearse(statement);
    std::vector<VariableId> carried;
    llvm::SmallVector<Value> initial;
    for (const Statement* first : assigned) {
        const VariableId id = first->variable;
        if (!values_[id]) values_[id] = start_of(*first);
        if (!values_[id]) continue; // it lives and dies within one turn
        carried.push_back(id);
        initial.push_back(values_[id]);
    }
    const std::vector<Value> before = values_;
    auto loop = mlir::scf::ForOp::create(builder_, at, zero, count, one, initial);
    {
        mlir::OpBuilder::InsertionGuard guard(builder_);
        builder_.setInsertionPointToStart(loop.getBody());
        for (std::size_t c = 0; c < carried.size(); ++c) {
            values_[carried[c]] = loop.getRegionIterArg(static_cast<unsigned>(c));
        }
        const Value turn = to_scalar(loop.getInductionVar(), type, at);
        if (real) {
            const Value offset = arith::MulFOp::create(builder_, at, turn, step);
            values_[statement.variable] = arith::AddFOp::create(builder_, at, begin, offset);
        } else {
            const Value offset = arith::MulIOp::create(builder_, at, turn, step);
            values_[statement.variable] = arith::AddIOp::create(builder_, at, begin, offset);
        }
        for (const Statement& inner : statement.body) lower(inner);
        llvm::SmallVector<Value> yielded;
        for (std::size_t c = 0; c < carried.size(); ++c) {
            Value value = values_[carried[c]];
            if (value.getType() != initial[c].getType()) {
                value = ga::ConvertOp::create(builder_, at, initial[c].getType(), value);
            }
            yielded.push_back(value);
        }
        // A loop that carries nothing has its terminator already.
        if (!carried.empty()) mlir::scf::YieldOp::create(builder_, at, yielded);
    }
    values_ = before;
    for (std::size_t c = 0; c < carried.size(); ++c) {
        values_[carried[c]] = loop.getResult(static_cast<unsigned>(c));
    }
}

Value ProgramLowering::turns(Value begin, Value end, Value step, mlir::Location at) {
    namespace arith = mlir::arith;
    const Value zero = constant(std::int64_t{0}, at);
    const Value still = arith::CmpIOp::create(builder_, at, arith::CmpIPredicate::eq, step, zero);
    const Value divisor =
        arith::SelectOp::create(builder_, at, still, constant(std::int64_t{1}, at), step);
    const Value distance = arith::SubIOp::create(builder_, at, end, begin);
    const Value rounded = arith::CeilDivSIOp::create(builder_, at, distance, divisor);
    return arith::SelectOp::create(builder_, at, still, zero, rounded);
}

Value ProgramLowering::real_turns(Value begin, Value end, Value step, mlir::Location at) {
    namespace arith = mlir::arith;
    const Value zero = constant(0.0, at);
    const Value distance = arith::SubFOp::create(builder_, at, end, begin);
    const Value exact = arith::DivFOp::create(builder_, at, distance, step);
    // Rounded up by hand; what is no positive number (0 / 0 included) is no turn at all.
    const Value below = to_scalar(exact, builder_.getI64Type(), at);
    const Value back = to_scalar(below, builder_.getF64Type(), at);
    const Value more = arith::CmpFOp::create(builder_, at, arith::CmpFPredicate::OLT, back, exact);
    const Value rounded = arith::AddIOp::create(
        builder_, at, below, arith::ExtUIOp::create(builder_, at, builder_.getI64Type(), more));
    const Value limit = constant(9e15, at);
    const Value some = arith::CmpFOp::create(builder_, at, arith::CmpFPredicate::OGT, exact, zero);
    const Value finite =
        arith::CmpFOp::create(builder_, at, arith::CmpFPredicate::OLT, exact, limit);
    return arith::SelectOp::create(builder_, at, arith::AndIOp::create(builder_, at, some, finite),
                                   rounded, constant(std::int64_t{0}, at));
}

Value ProgramLowering::start_of(const Statement& first) {
    const Variable& variable = program_.variables[first.variable];
    if (variable.is_tensor) {
        return empty_for(first, variable.format ? declared_type(variable, true)
                                                : rehearsed_.at(first.variable));
    }
    const mlir::Location at = location(first.place);
    return is_float(variable.element) ? constant(0.0, at) : constant(std::int64_t{0}, at);
}

void ProgramLowering::rehearse(const Statement& loop) {
    const mlir::Location at = location(loop.place);
    if (!rehearsing_) {
        mlir::Block thrown_away;
        const mlir::OpBuilder::InsertionGuard guard(builder_);
        builder_.setInsertionPointToEnd(&thrown_away);
        const auto values = values_;
        const auto places = label_places_;
        const auto streams = random_streams_;
        rehearsing_ = true;
        rehearse(loop);
        rehearsing_ = false;
        values_ = values;
        label_places_ = places;
        random_streams_ = streams;
        return;
    }
    values_[loop.variable] = to_scalar(constant(std::int64_t{0}, at),
                                       scalar_type(program_.variables[loop.variable].element), at);
    for (const Statement& inner : loop.body) {
        lower(inner);
        const VariableId id = inner.variable;
        if (id >= 0 && values_[id] && program_.variables[id].is_tensor) {
            rehearsed_.emplace(id, mlir::cast<ga::TensorType>(values_[id].getType()));
        }
    }
}

void ProgramLowering::drop_unused_values(mlir::ModuleOp module) {
    // From the outside: what nobody wants of a loop is not wanted of the loops in it.
    std::vector<mlir::scf::ForOp> loops;
    module.walk<mlir::WalkOrder::PreOrder>([&](mlir::scf::ForOp loop) { loops.push_back(loop); });
    for (const mlir::scf::ForOp loop : loops) drop_unused(loop);
}

} // namespace tropic::compile
