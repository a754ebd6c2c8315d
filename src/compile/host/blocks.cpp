// Blocks, loops and choices: each tensor is released after its last use.
#include "compile/host/host_emitter.h"

namespace tropic::compile {

llvm::SmallVector<Value> HostEmitter::mapped(ValueRange values) {
    llvm::SmallVector<Value> result;
    for (const Value value : values) result.push_back(mapped(value));
    return result;
}

void HostEmitter::emit_timed(mlir::Operation& op) {
    const bool timed = mlir::isa<it::KernelOp, ga::ReadOp, ga::ConvertOp, ga::PresenceOp,
                                 ga::FillOp, ga::RandomOp, ga::PrintOp>(op);
    if (timed) {
        std::string place = "?";
        llvm::StringRef line;
        if (const auto at = mlir::dyn_cast<mlir::FileLineColLoc>(op.getLoc())) {
            place = "line " + std::to_string(at.getLine()) + ", column " +
                    std::to_string(at.getColumn());
            llvm::StringRef rest = source_;
            for (unsigned l = 0; l < at.getLine(); ++l) std::tie(line, rest) = rest.split('\n');
        }
        call(TROPIC_FUNCTION(begin_statement), {}, {text(place), text(line.trim())});
    }
    emit(op);
    if (timed) call(TROPIC_FUNCTION(end_statement), {}, {});
}

void HostEmitter::emit_block(mlir::Block& block) {
    const auto dying = last_uses(block);
    for (mlir::Operation& op : block) {
        code_.set_location(op.getLoc());
        emit_timed(op);
        const auto dead = dying.find(&op);
        if (dead == dying.end()) continue;
        for (const Value value : dead->second) release(mapped(value));
    }
}

std::map<mlir::Operation*, std::vector<Value>> HostEmitter::last_uses(mlir::Block& block) {
    std::map<mlir::Operation*, std::vector<Value>> dying;
    for (mlir::Operation& op : block) {
        for (const Value result : op.getResults()) {
            if (!mlir::isa<ga::TensorType>(result.getType())) continue;
            mlir::Operation* last = &op;
            for (mlir::Operation* user : result.getUsers()) {
                mlir::Operation* here = block.findAncestorOpInBlock(*user);
                if (here != nullptr && last->isBeforeInBlock(here)) last = here;
            }
            // What a loop yields is retained there before it is released here.
            dying[last].push_back(result);
        }
    }
    return dying;
}

void HostEmitter::emit_loop(mlir::scf::ForOp op) {
    const llvm::SmallVector<Value> initial = mapped(op.getInitArgs());
    const auto is_tensor = [&](unsigned i) {
        return mlir::isa<ga::TensorType>(op.getInitArgs()[i].getType());
    };
    for (unsigned i = 0; i < initial.size(); ++i) {
        if (is_tensor(i)) retain(initial[i]);
    }
    auto loop = mlir::scf::ForOp::create(builder_, op.getLoc(), mapped(op.getLowerBound()),
                                         mapped(op.getUpperBound()), mapped(op.getStep()), initial);
    {
        mlir::OpBuilder::InsertionGuard guard(builder_);
        builder_.setInsertionPointToStart(loop.getBody());
        values_.map(op.getInductionVar(), loop.getInductionVar());
        for (unsigned i = 0; i < initial.size(); ++i) {
            values_.map(op.getRegionIterArg(i), loop.getRegionIterArg(i));
        }
        call(TROPIC_FUNCTION(check_cancelled), {}, {});
        // What the body replaces without a look at it makes room for the new value.
        const auto unread = [&](unsigned i) { return op.getRegionIterArg(i).use_empty(); };
        for (unsigned i = 0; i < initial.size(); ++i) {
            if (is_tensor(i) && unread(i)) release(loop.getRegionIterArg(i));
        }
        mlir::Block& body = *op.getBody();
        auto yield = mlir::cast<mlir::scf::YieldOp>(body.getTerminator());
        emit_yielding(body, yield);
        llvm::SmallVector<Value> yielded = mapped(yield.getOperands());
        for (unsigned i = 0; i < initial.size(); ++i) {
            if (is_tensor(i) && !unread(i)) release(loop.getRegionIterArg(i));
        }
        if (!initial.empty()) mlir::scf::YieldOp::create(builder_, op.getLoc(), yielded);
    }
    for (unsigned i = 0; i < initial.size(); ++i) {
        values_.map(op.getResult(i), loop.getResult(i));
    }
}

void HostEmitter::emit_yielding(mlir::Block& body, mlir::scf::YieldOp yield) {
    const auto dying = last_uses(body);
    for (mlir::Operation& op : body) {
        code_.set_location(op.getLoc());
        if (&op == yield.getOperation()) {
            for (const Value value : yield.getOperands()) {
                if (mlir::isa<ga::TensorType>(value.getType())) retain(mapped(value));
            }
        } else emit_timed(op);
        const auto dead = dying.find(&op);
        if (dead == dying.end()) continue;
        for (const Value value : dead->second) release(mapped(value));
    }
}

void HostEmitter::emit_choice(mlir::scf::IfOp op) {
    auto choice = mlir::scf::IfOp::create(builder_, op.getLoc(), mlir::TypeRange{code_.pointer()},
                                          mapped(op.getCondition()), true);
    const std::pair<mlir::Region*, mlir::Region*> ways[] = {
        {&op.getThenRegion(), &choice.getThenRegion()},
        {&op.getElseRegion(), &choice.getElseRegion()}};
    for (const auto& [from, to] : ways) {
        mlir::OpBuilder::InsertionGuard guard(builder_);
        builder_.setInsertionPointToStart(&to->front());
        auto yield = mlir::cast<mlir::scf::YieldOp>(from->front().getTerminator());
        emit_yielding(from->front(), yield);
        mlir::scf::YieldOp::create(builder_, op.getLoc(), mapped(yield.getOperands()));
    }
    values_.map(op.getResult(0), choice.getResult(0));
}

} // namespace tropic::compile
