#include "compile/structural_result.h"

#include <algorithm>

namespace tropic::compile {

namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// Ones folded give one.
bool keeps_one(ga::Operator fold) {
    switch (fold) {
    case ga::Operator::add:
    case ga::Operator::subtract:
        return false;
    default:
        return true;
    }
}

} // namespace

const Node* find_deciding_matrix(const Root& root) {
    const auto result = mlir::dyn_cast<ga::TensorType>(root.type);
    const Node& product = *root.value;
    if (!result || !result.isDense() || product.kind != Node::Kind::product ||
        product.op != ga::Operator::pair || !keeps_one(product.add)) {
        return nullptr;
    }
    const Node* matrix = nullptr;
    const Node* other = nullptr;
    for (const auto& operand : product.operands) {
        (operand->is_sparse_access() ? matrix : other) = operand.get();
    }
    if (matrix == nullptr || other == nullptr ||
        (other->kind != Node::Kind::access && other->kind != Node::Kind::scalar)) {
        return nullptr;
    }
    const auto type = matrix->tensor();
    if (type.rank() != 2 || type.getKinds()[0] != 0 || type.getKinds()[1] != 1) return nullptr;
    const std::string& row = matrix->labels[static_cast<std::size_t>(type.getOrder()[0])];
    const std::string& inside = matrix->labels[static_cast<std::size_t>(type.getOrder()[1])];
    if (row == inside || !contains(root.labels, row) || contains(root.labels, inside)) {
        return nullptr;
    }
    // A label that is folded and has no values would leave nothing.
    const bool all_known =
        std::all_of(other->labels.begin(), other->labels.end(), [&](const std::string& label) {
            return label == inside || contains(root.labels, label);
        });
    return all_known ? matrix : nullptr;
}

} // namespace tropic::compile
