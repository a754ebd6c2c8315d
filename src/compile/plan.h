// How one expression is walked: the order of its loops, how its products are computed, which
// operands need another storage order first. Chosen by comparing estimated costs.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compile/expression.h"

namespace tropic::compile {

/// How a product inside an expression is computed.
enum class ProductWay : std::uint8_t {
    dot,         ///< where all its labels are fixed: an accumulator, loops over what is folded
    workspace,   ///< where all but its last label are fixed: a sparse row, built and then walked
    materialise, ///< by a kernel of its own, before
};

struct ProductPlan {
    const Node* product = nullptr;
    ProductWay way = ProductWay::dot;
    std::size_t depth = 0;          ///< after how many loops of the enclosing order it is computed
    std::vector<std::string> loops; ///< workspace: folded labels and the row's label; dot: folded
                                    ///< labels only; in order
    std::string row;                ///< workspace: the label of the row
    const Node* row_mask = nullptr; ///< workspace: an access whose row says where to compute
};

/// A sparse operand that has to be stored in another order: order[level] = dimension.
struct Conversion {
    const Node* access = nullptr;
    std::vector<std::int8_t> order;
};

/// A row of a sparse operand that loops further in meet again and again: it is spread out once,
/// where all its other labels are fixed, and then looked into by coordinate.
struct Lookup {
    const Node* access = nullptr;
    std::size_t depth = 0; ///< after how many loops around the access's place it is spread out
    std::string row;       ///< the label of its last level
};

/// A plan that was not taken: the cheapest of those that compute the products in the same ways.
struct Alternative {
    std::vector<std::string> order;
    std::vector<ProductPlan> products;
    double cost = 0;
    double storing = 0; ///< the part of the cost for operands and products that are stored before
};

struct Plan {
    std::vector<std::string> order; ///< loops over the labels of the expression, outermost first
    std::vector<ProductPlan> products;
    std::vector<Conversion> conversions;
    std::vector<Lookup> lookups;
    bool convert_result = false; ///< the result is appended in another order than it is wanted in
    double cost = 0;
    std::vector<Alternative> rejected; ///< the cheapest first
    bool kept_to_push = false;         ///< the program's masks rule out dot products
    bool kept_to_pull = false;         ///< the program's masks rule out rows

    const ProductPlan* find(const Node* product) const;
    bool is_materialised(const Node& node) const;
    const Lookup* find_lookup(const Node* access) const;

    /// The product among whose loops a part of `inner` at that depth is computed (null: among those
    /// of the expression): the nearest around it, or one further out if it can be computed before
    /// that begins.
    template <class Enclosing>
    const Node* home_of(const Node* inner, std::size_t depth, const Enclosing& enclosing) const {
        const Node* home = enclosing(inner);
        while (home != nullptr && depth < find(home)->depth) home = enclosing(home);
        return home;
    }

    /// The storage of an access, or of a materialised product, as the loops see it.
    ga::TensorType type_of(const Node& node) const;
};

/// Sizes known when compiling, by label; others are guessed.
using KnownSizes = std::map<std::string, double>;

/// The cheapest way. Products to be materialised are marked; the caller splits the expression at
/// them and plans again.
Plan make_plan(const Root& root, const KnownSizes& sizes);

/// The labels of an expression's value: the result's, or all of them where all are folded.
std::vector<std::string> free_labels(const Root& root);

/// Calls `action` for every node, operands first.
template <class Action> void for_each_node(const Node& node, const Action& action) {
    for (const auto& operand : node.operands) for_each_node(*operand, action);
    action(node);
}

} // namespace tropic::compile
