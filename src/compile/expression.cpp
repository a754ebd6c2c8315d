#include "compile/expression.h"

#include <map>
#include <set>

#include "compile/source_place.h"

namespace tropic::compile {

namespace {

using Names = std::vector<std::string>;

mlir::Type element_of_value(mlir::Value value) {
    const auto tensor = mlir::dyn_cast<ga::TensorType>(value.getType());
    return tensor ? tensor.getElement() : value.getType();
}

class Builder {
  public:
    explicit Builder(Root& root) : root_(root) {}

    /// The tree of `value`, whose dimensions have the labels `labels`.
    std::unique_ptr<Node> build(mlir::Value value, const Names& labels, bool top = false) {
        mlir::Operation* operation = value.getDefiningOp();
        if (!top && (operation == nullptr || !is_inlinable(operation))) return leaf(value, labels);
        root_.fused.push_back(operation);
        if (auto op = mlir::dyn_cast<ga::ElementwiseOp>(operation)) {
            const auto rename = renaming(op.getLabels(), labels, {});
            auto node = make(Node::Kind::combine, value, labels);
            node->op = op.getOp();
            node->meeting = op.getMeeting();
            node->operands.push_back(build(op.getLeft(), renamed(op.getLeftLabels(), rename)));
            node->operands.push_back(build(op.getRight(), renamed(op.getRightLabels(), rename)));
            convert_scalars(*node);
            return node;
        }
        if (auto op = mlir::dyn_cast<ga::ProductOp>(operation)) {
            const auto rename =
                renaming(op.getLabels(), labels, {op.getLeftLabels(), op.getRightLabels()});
            auto node = make(Node::Kind::product, value, labels);
            node->value = value;
            node->op = op.getMultiply();
            node->add = op.getAdd();
            node->operands.push_back(build(op.getLeft(), renamed(op.getLeftLabels(), rename)));
            node->operands.push_back(build(op.getRight(), renamed(op.getRightLabels(), rename)));
            convert_scalars(*node);
            // In the order of their first appearance, which is that of an ordered fold.
            for (const mlir::ArrayAttr side : {op.getLeftLabels(), op.getRightLabels()}) {
                for (const std::string& name : renamed(side, rename)) {
                    const auto in = [&](const Names& names) {
                        return std::find(names.begin(), names.end(), name) != names.end();
                    };
                    if (!in(labels) && !in(node->reduced)) node->reduced.push_back(name);
                }
            }
            return node;
        }
        if (auto op = mlir::dyn_cast<ga::ApplyOp>(operation)) {
            // The operand's labels name the result's dimensions too.
            const auto rename = renaming(op.getLabels(), labels, {});
            auto node = make(Node::Kind::apply, value, labels);
            node->function = op.getFunction();
            node->operands.push_back(build(op.getOperand(), renamed(op.getLabels(), rename)));
            return node;
        }
        auto op = mlir::cast<ga::AssignOp>(operation);
        const auto rename = renaming(op.getLabels(), labels, {op.getValueLabels()});
        auto node = build(op.getValue(), renamed(op.getValueLabels(), rename));
        if (op.getAccumulate()) {
            auto sum = make(Node::Kind::combine, value, labels);
            sum->op = *op.getAccumulate();
            sum->meeting = ga::Meeting::either;
            sum->operands.push_back(build(op.getOld(), labels));
            sum->operands.push_back(std::move(node));
            node = std::move(sum);
        }
        const auto from = mlir::cast<ga::TensorType>(op.getValue().getType());
        if (from.isDense() && !mlir::cast<ga::TensorType>(op.getType()).isDense()) {
            auto stored = make(Node::Kind::apply, op.getValue(), labels);
            stored->function = ga::Function::nonzero;
            stored->operands.push_back(std::move(node));
            node = std::move(stored);
        }
        if (op.getMask()) {
            auto merge = make(Node::Kind::merge, value, labels);
            merge->way = *op.getWay();
            merge->operands.push_back(build(op.getMask(), renamed(*op.getMaskLabels(), rename)));
            merge->operands.push_back(std::move(node));
            if (op.getOld()) merge->operands.push_back(build(op.getOld(), labels));
            node = std::move(merge);
        }
        return node;
    }

  private:
    static std::unique_ptr<Node> make(Node::Kind kind, mlir::Value value, const Names& labels) {
        auto node = std::make_unique<Node>();
        node->kind = kind;
        node->element = element_of_value(value);
        node->labels = labels;
        return node;
    }

    static std::unique_ptr<Node> leaf(mlir::Value value, const Names& labels) {
        const bool tensor = mlir::isa<ga::TensorType>(value.getType());
        auto node = make(tensor ? Node::Kind::access : Node::Kind::scalar, value, labels);
        node->value = value;
        return node;
    }

    /// Scalars take the element type of what they meet, and act where that has a value.
    static void convert_scalars(Node& node) {
        for (auto& operand : node.operands) {
            if (operand->kind != Node::Kind::scalar) continue;
            operand->element = node.element;
            node.meeting = ga::Meeting::both;
        }
    }

    /// Names of the operation's labels in this tree: those of the result as asked for, fresh ones
    /// for labels that are folded away.
    std::map<std::string, std::string> renaming(mlir::ArrayAttr own, const Names& wanted,
                                                const std::vector<mlir::ArrayAttr>& operands) {
        std::map<std::string, std::string> rename;
        const Names names = names_of(own);
        for (std::size_t d = 0; d < names.size(); ++d) rename[names[d]] = wanted[d];
        for (const std::string& name : wanted) taken_.insert(name);
        for (const mlir::ArrayAttr labels : operands) {
            for (const std::string& name : names_of(labels)) {
                if (rename.count(name) != 0) continue;
                std::string fresh = name;
                for (int number = 1; !taken_.insert(fresh).second; ++number) {
                    fresh = name + "_" + std::to_string(number);
                }
                rename[name] = fresh;
            }
        }
        return rename;
    }

    static Names renamed(mlir::ArrayAttr labels, const std::map<std::string, std::string>& rename) {
        Names names = names_of(labels);
        for (std::string& name : names) name = rename.at(name);
        return names;
    }

    Root& root_;
    std::set<std::string> taken_;
};

/// Narrow whole numbers wrap around where a product stores them, and sums of truths are no truths.
bool sums_exactly(mlir::Type element) {
    return mlir::isa<mlir::FloatType>(element) || element.getIntOrFloatBitWidth() == 64;
}

/// A sum of everything does not need the sums inside: terms of a product go straight to the total,
/// (sum over k of a*b)*c being the sum over k of a*b*c. `labels` collects what they are summed
/// over.
void dissolve_sums(Node& node, std::vector<std::string>& labels) {
    if (!sums_exactly(node.element)) return;
    if (node.kind == Node::Kind::product && node.add == ga::Operator::add) {
        node.kind = Node::Kind::combine;
        node.meeting = ga::Meeting::both;
        labels.insert(labels.end(), node.reduced.begin(), node.reduced.end());
        node.labels.insert(node.labels.end(), node.reduced.begin(), node.reduced.end());
        return;
    }
    // One of the two factors: terms of both would have to be met with each other.
    if (node.kind != Node::Kind::combine || node.meeting != ga::Meeting::both ||
        node.op != ga::Operator::multiply) {
        return;
    }
    for (const auto& operand : node.operands) {
        std::vector<std::string> inner;
        dissolve_sums(*operand, inner);
        if (inner.empty()) continue;
        labels.insert(labels.end(), inner.begin(), inner.end());
        node.labels.insert(node.labels.end(), inner.begin(), inner.end());
        return;
    }
}

/// `product` is the nearest one around the node; `seen` are the accesses met so far with theirs.
void join(Node& node, const Node* product, std::vector<std::pair<const Node*, const Node*>>& seen) {
    node.same_as = nullptr;
    const Node* inner = node.kind == Node::Kind::product ? &node : product;
    for (const auto& operand : node.operands) join(*operand, inner, seen);
    if (node.kind != Node::Kind::access) return;
    for (const auto& [other, around] : seen) {
        if (around == product && other->value == node.value && other->labels == node.labels) {
            node.same_as = other;
            return;
        }
    }
    seen.emplace_back(&node, product);
}

/// Storing does not change which places have a value: sparse stays sparse, dense stays dense.
bool keeps_places(ga::AssignOp op) {
    const auto from = mlir::cast<ga::TensorType>(op.getValue().getType());
    const auto to = mlir::cast<ga::TensorType>(op.getType());
    // A dense level below a sparse one stores all of its places.
    bool below = false;
    for (const std::int8_t kind : to.getKinds()) {
        if (below && kind == 0) return false;
        below |= kind != 0;
    }
    return from.isDense() == to.isDense() && from.getElement() == to.getElement();
}

} // namespace

bool is_computation(mlir::Operation* operation) {
    return mlir::isa<ga::ElementwiseOp, ga::ProductOp, ga::ApplyOp, ga::AssignOp, ga::ReduceOp>(
        operation);
}

bool is_inlinable(mlir::Operation* operation) {
    if (!is_computation(operation) || mlir::isa<ga::ReduceOp>(operation)) return false;
    if (!operation->hasOneUse()) return false;
    mlir::Operation* user = *operation->user_begin();
    if (!is_computation(user) || user->getBlock() != operation->getBlock()) return false;
    if (auto assign = mlir::dyn_cast<ga::AssignOp>(operation)) {
        if (!keeps_places(assign)) return false;
        // What is assigned before a look at the clock is done by then.
        for (mlir::Operation* next = operation; next != user; next = next->getNextNode()) {
            if (mlir::isa<ga::TimeOp>(next)) return false;
        }
    }
    return true;
}

void join_accesses(Root& root) {
    std::vector<std::pair<const Node*, const Node*>> seen;
    join(*root.value, nullptr, seen);
}

Root build_root(mlir::Operation* operation) {
    Root root;
    root.operation = operation;
    root.type = operation->getResult(0).getType();
    Builder builder(root);
    if (auto reduce = mlir::dyn_cast<ga::ReduceOp>(operation)) {
        root.fused.push_back(operation);
        root.fold = reduce.getOp();
        root.value = builder.build(reduce.getOperand(), names_of(reduce.getLabels()));
        if (root.value->kind == Node::Kind::product && root.value->labels.empty()) {
            // One value is left to be folded: the product's own fold makes the scalar.
            root.fold = root.value->add;
            root.value->kind = Node::Kind::combine;
            root.value->meeting = ga::Meeting::both;
            root.value->labels = root.value->reduced;
        } else if (root.fold == ga::Operator::add) {
            std::vector<std::string> labels;
            dissolve_sums(*root.value, labels);
        }
        join_accesses(root);
        return root;
    }
    // All of them call the labels of their result `labels`; apply's operand has the same.
    root.labels = names_of(operation->getAttrOfType<mlir::ArrayAttr>("labels"));
    root.value = builder.build(operation->getResult(0), root.labels, true);
    join_accesses(root);
    return root;
}

} // namespace tropic::compile
