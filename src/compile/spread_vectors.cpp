#include "compile/spread_vectors.h"

#include <algorithm>

namespace tropic::compile {

namespace {

bool is_sparse_vector(const Node& node) {
    return node.is_sparse_access() && node.tensor().rank() == 1;
}

/// Something else that is sparse has the label too, further in than its first level.
bool meets_rows(const Node& node, const std::string& label) {
    if (node.kind == Node::Kind::access) {
        if (!node.is_sparse_access() || node.tensor().rank() < 2) return false;
        const auto first = static_cast<std::size_t>(node.tensor().getOrder()[0]);
        return node.labels[first] != label &&
               std::find(node.labels.begin(), node.labels.end(), label) != node.labels.end();
    }
    return std::any_of(node.operands.begin(), node.operands.end(),
                       [&](const auto& operand) { return meets_rows(*operand, label); });
}

std::unique_ptr<Node> access(mlir::Value value, const Node& like) {
    auto node = std::make_unique<Node>();
    node->kind = Node::Kind::access;
    node->value = value;
    node->element = mlir::cast<ga::TensorType>(value.getType()).getElement();
    node->labels = like.labels;
    return node;
}

class Spreader {
  public:
    explicit Spreader(mlir::OpBuilder& builder) : builder_(builder) {}

    /// `product` is the nearest one around the node.
    void visit(Node& node, const Node* product) {
        if (product != nullptr && is_sparse_vector(node) && meets_rows(*product, node.labels[0])) {
            spread(node, product->op == ga::Operator::pair);
            return;
        }
        const Node* inner = node.kind == Node::Kind::product ? &node : product;
        for (auto& operand : node.operands) visit(*operand, inner);
    }

    std::vector<mlir::Operation*> made;

  private:
    /// `places_only`: nobody looks at the values.
    void spread(Node& node, bool places_only) {
        const mlir::Location at = node.value.getLoc();
        const auto dense = [&](mlir::Type element) {
            return ga::TensorType::get(builder_.getContext(), element, {0}, {0});
        };
        auto present =
            ga::PresenceOp::create(builder_, at, dense(builder_.getI1Type()), node.value);
        made.push_back(present);
        node.operands.push_back(access(present.getResult(), node));
        if (places_only) {
            auto converted = std::make_unique<Node>();
            converted->kind = Node::Kind::apply;
            converted->function = ga::Function::convert;
            converted->element = node.element;
            converted->labels = node.labels;
            converted->operands.push_back(access(present.getResult(), node));
            node.operands.push_back(std::move(converted));
        } else {
            auto values =
                ga::ConvertOp::create(builder_, at, dense(node.tensor().getElement()), node.value);
            made.push_back(values);
            node.operands.push_back(access(values.getResult(), node));
        }
        node.kind = Node::Kind::merge;
    }

    mlir::OpBuilder& builder_;
};

} // namespace

std::vector<mlir::Operation*> spread_vectors(Root& root, mlir::OpBuilder& builder) {
    Spreader spreader(builder);
    spreader.visit(*root.value, nullptr);
    return std::move(spreader.made);
}

} // namespace tropic::compile
