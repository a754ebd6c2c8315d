#include "compile/shared_parts.h"

#include "compile/expression.h"
#include "ir/ga.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"

namespace tropic::compile {

namespace {

constexpr llvm::StringLiteral mark = "part";

bool is_part(mlir::Operation* operation) {
    return operation != nullptr && operation->hasAttr(mark);
}

bool is_sparse(mlir::Value value) {
    const auto type = mlir::dyn_cast<ga::TensorType>(value.getType());
    return type && !type.isDense();
}

bool has_product(mlir::Operation* part) {
    if (mlir::isa<ga::ProductOp>(part)) return true;
    return llvm::any_of(part->getOperands(), [](mlir::Value operand) {
        mlir::Operation* const inner = operand.getDefiningOp();
        return is_part(inner) && has_product(inner);
    });
}

bool is_better_off_alone(mlir::OpOperand& use);

bool any_use_is_better_off_alone(mlir::Operation* part) {
    return llvm::any_of(part->getUses(), is_better_off_alone);
}

/// Whether whoever uses a product there does not need it as a whole.
bool is_better_off_alone(mlir::OpOperand& use) {
    mlir::Operation* const user = use.getOwner();
    if (mlir::isa<ga::ReduceOp>(user)) return true;
    if (auto assign = mlir::dyn_cast<ga::AssignOp>(user)) {
        if (&use != &assign.getValueMutable()) return false;
        if (assign.getMask()) return true;
        // A dense result takes what is added up without storing it first.
        if (is_sparse(assign.getValue()) && assign.getType().isDense()) return true;
        return is_part(user) && any_use_is_better_off_alone(user);
    }
    if (auto elementwise = mlir::dyn_cast<ga::ElementwiseOp>(user)) {
        const bool left = use.getOperandNumber() == 0;
        const bool sampled = elementwise.getMeeting() == ga::Meeting::both &&
                             is_sparse(left ? elementwise.getRight() : elementwise.getLeft());
        return sampled || (is_part(user) && any_use_is_better_off_alone(user));
    }
    // Another order of the chain may be cheaper.
    if (mlir::isa<ga::ProductOp>(user)) return true;
    return mlir::isa<ga::ApplyOp>(user) && is_part(user) && any_use_is_better_off_alone(user);
}

/// Whether a use takes the part out of the statement that it belongs to.
bool is_elsewhere(mlir::Operation* part, mlir::OpOperand& use) {
    return use.getOwner()->getBlock() != part->getBlock() || !part->hasOneUse();
}

} // namespace

void mark_parts(mlir::ModuleOp module) {
    const mlir::Attribute unit = mlir::UnitAttr::get(module.getContext());
    module.walk([&](mlir::Operation* operation) {
        if (is_inlinable(operation)) operation->setAttr(mark, unit);
    });
}

void give_back_parts(mlir::ModuleOp module) {
    // From the outside in: what a copy is made of is shared by one more, and what is no longer used
    // shares nothing any more.
    llvm::SetVector<mlir::Operation*> waiting;
    module.walk([&](mlir::Operation* operation) {
        if (is_part(operation)) waiting.insert(operation);
    });
    while (!waiting.empty()) {
        mlir::Operation* const part = waiting.pop_back_val();
        if (!has_product(part)) continue;
        for (mlir::OpOperand& use : llvm::make_early_inc_range(part->getUses())) {
            if (!is_elsewhere(part, use) || !is_better_off_alone(use)) continue;
            mlir::OpBuilder builder(use.getOwner());
            use.set(builder.clone(*part)->getResult(0));
        }
        for (const mlir::Value operand : part->getOperands()) {
            mlir::Operation* const inner = operand.getDefiningOp();
            if (is_part(inner)) waiting.insert(inner);
        }
        if (part->use_empty()) part->erase();
    }
    module.walk([](mlir::Operation* operation) { operation->removeAttr(mark); });
}

} // namespace tropic::compile
