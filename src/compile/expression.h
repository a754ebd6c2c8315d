// One fused expression: the tree of graph-algebra operations that a kernel computes, with one set
// of labels. It is what the planner looks at before an index tree is built.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ir/ga.h"

namespace tropic::compile {

struct Node {
    enum class Kind : std::uint8_t {
        access,  ///< a tensor at labels
        scalar,  ///< a scalar value
        combine, ///< operands[0] op operands[1]
        apply,   ///< function of operands[0]
        product, ///< fold by `add`, over `reduced`, of operands[0] op operands[1]
        merge,   ///< where operands[0] is set: operands[1], elsewhere operands[2] (if there is one)
    };
    Kind kind = Kind::access;
    mlir::Value value;               ///< access and scalar; product: the operation's result
    mlir::Type element;              ///< of the node's value
    std::vector<std::string> labels; ///< access: one for each dimension; others: of the value
    ga::Operator op = ga::Operator::multiply;
    ga::Operator add = ga::Operator::add;
    ga::Meeting meeting = ga::Meeting::both;
    ga::Function function = ga::Function::negate;
    ga::Way way = ga::Way::automatic; ///< merge: how the mask is to be used
    std::vector<std::string> reduced;
    std::vector<std::unique_ptr<Node>> operands;
    const Node* same_as = nullptr; ///< access: an earlier one of the same, in the same loops

    /// The access that stands for all that are the same.
    const Node& origin() const { return same_as == nullptr ? *this : *same_as; }
    ga::TensorType tensor() const { return mlir::cast<ga::TensorType>(value.getType()); }
    bool is_sparse_access() const { return kind == Kind::access && !tensor().isDense(); }
};

/// What a kernel is for: an operation whose result has to exist, with all that is fused into it.
struct Root {
    mlir::Operation* operation = nullptr;
    std::unique_ptr<Node> value;
    std::vector<std::string> labels; ///< of the result, one for each dimension; none for a scalar
    mlir::Type type;                 ///< of the result: a tensor, f64 or i64
    ga::Operator fold = ga::Operator::add; ///< scalars: folds all values of all labels
    std::vector<mlir::Operation*> fused;   ///< the operations inside, the root included
};

/// True for operations that kernels compute.
bool is_computation(mlir::Operation* operation);

/// True if the operation may be computed inside its only user, never existing by itself.
bool is_inlinable(mlir::Operation* operation);

/// The expression of an operation, down to values that exist.
Root build_root(mlir::Operation* operation);

/// Finds accesses to the same tensor at the same labels in the same loops (Node::same_as).
void join_accesses(Root& root);

} // namespace tropic::compile
