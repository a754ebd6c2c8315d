#include "compile/repeated_result.h"

#include <algorithm>

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tropic::compile {

namespace {

using Names = std::vector<std::string>;

bool contains(const Names& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// The operand of a product whose values and places make no difference; -1: both do.
int unread_operand(const Node& product) {
    const auto is_dense = [&](std::size_t operand) {
        const Node& node = *product.operands[operand];
        return node.kind == Node::Kind::access && node.tensor().isDense();
    };
    const bool is_pair = product.op == ga::Operator::pair;
    if ((is_pair || product.op == ga::Operator::first) && is_dense(1)) return 1;
    return (is_pair || product.op == ga::Operator::second) && is_dense(0) ? 0 : -1;
}

/// Levels of the labels that are left, then one for each of the others, for which nothing is
/// stored.
ga::TensorType repeated_type(ga::TensorType whole, const Names& labels, const Names& left_out) {
    llvm::SmallVector<std::int8_t> kinds;
    llvm::SmallVector<std::int8_t> order;
    for (const bool repeated : {false, true}) {
        for (const std::int8_t dimension : whole.getOrder()) {
            if (contains(left_out, labels[static_cast<std::size_t>(dimension)]) != repeated) {
                continue;
            }
            kinds.push_back(repeated ? ga::repeated_level : std::int8_t{0});
            order.push_back(dimension);
        }
    }
    return ga::TensorType::get(whole.getContext(), whole.getElement(), kinds, order);
}

/// A loop that carries the value on without a look at it, from a start that is all zero.
mlir::scf::ForOp carrying_loop(mlir::OpOperand& use) {
    auto yield = mlir::dyn_cast<mlir::scf::YieldOp>(use.getOwner());
    auto loop = yield ? mlir::dyn_cast<mlir::scf::ForOp>(yield->getParentOp()) : mlir::scf::ForOp();
    if (!loop) return {};
    const unsigned number = use.getOperandNumber();
    const bool blank = static_cast<bool>(loop.getInitArgs()[number].getDefiningOp<ga::EmptyOp>());
    return blank && loop.getRegionIterArg(number).use_empty() ? loop : mlir::scf::ForOp();
}

/// Zeros, repeated like `type`.
mlir::Value blank_like(mlir::OpBuilder& builder, ga::EmptyOp empty, ga::TensorType type) {
    llvm::SmallVector<mlir::Value> stored;
    llvm::SmallVector<mlir::Value> repeated;
    std::vector<bool> is_repeated(type.getOrder().size());
    for (std::size_t level = 0; level < type.getOrder().size(); ++level) {
        if (type.getKinds()[level] != ga::repeated_level) continue;
        const auto dimension = static_cast<unsigned>(type.getOrder()[level]);
        is_repeated[dimension] = true;
        repeated.push_back(empty.getSizes()[dimension]);
    }
    for (unsigned d = 0; d < is_repeated.size(); ++d) {
        if (!is_repeated[d]) stored.push_back(empty.getSizes()[d]);
    }
    const mlir::Value zeros = ga::EmptyOp::create(builder, empty.getLoc(), type.stored(), stored);
    return ga::RepeatOp::create(builder, empty.getLoc(), type, zeros, repeated);
}

void hand_on(mlir::OpOperand& use, mlir::Value repeated, mlir::Type whole);

void carry(mlir::scf::ForOp loop, unsigned number, mlir::Value repeated) {
    mlir::OpBuilder builder(loop);
    const auto type = mlir::cast<ga::TensorType>(repeated.getType());
    const mlir::Value result = loop.getResult(number);
    const mlir::Type whole = result.getType();
    auto empty = loop.getInitArgs()[number].getDefiningOp<ga::EmptyOp>();
    loop.getInitArgsMutable()[number].assign(blank_like(builder, empty, type));
    if (empty->use_empty()) empty.erase();
    loop.getRegionIterArg(number).setType(type);
    loop.getResult(number).setType(type);
    loop.getBody()->getTerminator()->setOperand(number, repeated);
    for (mlir::OpOperand& use : llvm::make_early_inc_range(result.getUses())) {
        hand_on(use, result, whole);
    }
}

void hand_on(mlir::OpOperand& use, mlir::Value repeated, mlir::Type whole) {
    mlir::Operation* const user = use.getOwner();
    if (is_computation(user) || mlir::isa<ga::SizeOp>(user)) {
        use.set(repeated);
    } else if (auto loop = carrying_loop(use)) {
        carry(loop, use.getOperandNumber(), repeated);
    } else {
        mlir::OpBuilder builder(user);
        use.set(ga::ConvertOp::create(builder, user->getLoc(), whole, repeated));
    }
}

} // namespace

std::optional<Repeated> find_repetition(Root& whole, mlir::OpBuilder& builder) {
    const auto type = mlir::dyn_cast<ga::TensorType>(whole.type);
    if (!type || !type.isDense() || whole.value->kind != Node::Kind::product) return std::nullopt;
    const int unread = unread_operand(*whole.value);
    if (unread < 0) return std::nullopt;
    const auto dropped_at = static_cast<std::size_t>(unread);
    const Node& dropped = *whole.value->operands[dropped_at];
    const Node& kept = *whole.value->operands[1 - dropped_at];
    if (kept.kind != Node::Kind::access) return std::nullopt;
    // A label that only the dropped operand has and that is folded: as many terms as it has values.
    const bool all_known = llvm::all_of(dropped.labels, [&](const std::string& label) {
        return contains(kept.labels, label) || contains(whole.labels, label);
    });
    if (!all_known) return std::nullopt;
    Repeated found;
    for (const std::int8_t dimension : type.getOrder()) {
        const std::string& label = whole.labels[static_cast<std::size_t>(dimension)];
        if (!contains(kept.labels, label)) found.labels.push_back(label);
    }
    if (found.labels.empty() || found.labels.size() == whole.labels.size()) return std::nullopt;

    found.type = repeated_type(type, whole.labels, found.labels);
    found.root.operation = whole.operation;
    found.root.type = found.type.stored();
    found.root.fused = std::move(whole.fused);
    for (const std::string& label : whole.labels) {
        if (!contains(found.labels, label)) found.root.labels.push_back(label);
    }
    found.root.value = std::move(whole.value);
    Node& product = *found.root.value;
    product.labels = found.root.labels;
    auto scalar = std::make_unique<Node>();
    scalar->kind = Node::Kind::scalar;
    scalar->element = product.element;
    scalar->value = mlir::arith::ConstantOp::create(builder, whole.operation->getLoc(),
                                                    builder.getF64FloatAttr(1));
    found.dropped = std::exchange(product.operands[dropped_at], std::move(scalar));
    join_accesses(found.root);
    return found;
}

mlir::Value make_repeated(const Repeated& repeated, mlir::Value stored, mlir::OpBuilder& builder) {
    const mlir::Location at = repeated.root.operation->getLoc();
    const Node& like = *repeated.dropped;
    llvm::SmallVector<mlir::Value> sizes;
    for (const std::string& label : repeated.labels) {
        const auto found = std::find(like.labels.begin(), like.labels.end(), label);
        sizes.push_back(ga::SizeOp::create(builder, at, builder.getI64Type(), like.value,
                                           found - like.labels.begin()));
    }
    return ga::RepeatOp::create(builder, at, repeated.type, stored, sizes);
}

void hand_on_repeated(mlir::Value whole, mlir::Value repeated) {
    for (mlir::OpOperand& use : llvm::make_early_inc_range(whole.getUses())) {
        hand_on(use, repeated, whole.getType());
    }
}

} // namespace tropic::compile
