// Labels: names in index brackets that no variable has.
#include "language/algorithm/checker.h"

namespace tropic::language::algorithm {

/// `inside` brackets every free name is a label.
void Checker::free_labels(const Tree& tree, std::vector<syntax::Name>& found, bool inside) const {
    const auto add = [&](const syntax::Name& name) {
        for (const syntax::Name& other : found) {
            if (other.text == name.text) return;
        }
        found.push_back(name);
    };
    if (tree.kind == Tree::Kind::reduction || tree.kind == Tree::Kind::builder) {
        std::vector<syntax::Name> inner;
        for (const Tree& operand : tree.operands) free_labels(operand, inner, inside);
        for (const syntax::Name& name : inner) {
            bool bound = false;
            for (const syntax::Name& label : tree.labels) bound = bound || label.text == name.text;
            if (!bound) add(name);
        }
        return;
    }
    if (tree.kind == Tree::Kind::name) {
        if (inside && is_free(tree.name)) add({tree.name, tree.place});
        return;
    }
    for (std::size_t i = 0; i < tree.operands.size(); ++i) {
        const bool index = tree.kind == Tree::Kind::index;
        free_labels(tree.operands[i], found, index ? i > 0 : inside);
    }
}

/// Whether nothing has the name, neither in the program nor in the language.
bool Checker::is_free(std::string_view name) const {
    return find(name) == nullptr && name != "none" && name != "infinity" && name != "true" &&
           name != "false";
}

bool Checker::mentions_free(const Tree& tree) const {
    if (tree.kind == Tree::Kind::name) return is_free(tree.name);
    std::vector<syntax::Name> found;
    free_labels(tree, found);
    return !found.empty();
}

/// An edge between the label and what is bound already, in a place that makes it a condition.
const Checker::Tree* Checker::find_edge(const Tree& tree, std::string_view label) {
    using Kind = Tree::Kind;
    if (tree.kind == Kind::unary && tree.name == "!") return nullptr;
    if (tree.kind == Kind::binary && tree.name.starts_with("|")) return nullptr;
    if (tree.kind == Kind::conditional) return nullptr;
    if (tree.kind == Kind::index && tree.operands.size() == 3 && has_edges(tree.operands[0])) {
        const auto is_label = [&](const Tree& t) {
            return t.kind == Kind::name && t.name == label;
        };
        const Tree& row = tree.operands[1];
        const Tree& column = tree.operands[2];
        if (is_label(row) && !is_label(column) && !mentions_free(column)) return &tree;
        if (is_label(column) && !is_label(row) && !mentions_free(row)) return &tree;
    }
    for (const Tree& operand : tree.operands) {
        if (const Tree* found = find_edge(operand, label)) return found;
    }
    return nullptr;
}

/// A graph, or a vector with an element for every edge of one.
bool Checker::has_edges(const Tree& tree) const {
    if (is_graph(tree)) return true;
    const VariableId id = tree.kind == Tree::Kind::name ? find_variable(tree.name) : -1;
    if (id < 0 || variable(id).type.shape != Type::Shape::vector) return false;
    return algorithm_.spaces[static_cast<std::size_t>(variable(id).type.space)].kind ==
           Space::Kind::edges;
}

/// The graph whose edges these are.
Checker::GraphUse Checker::edges_of(const Tree& tree) {
    if (is_graph(tree)) return graph_of(tree);
    const Type& type = variable(find_variable(tree.name)).type;
    return {.graph = algorithm_.spaces[static_cast<std::size_t>(type.space)].graph};
}

/// What the label runs over, from how it is used.
std::optional<SpaceId> Checker::label_space(const Tree& tree, std::string_view label) {
    if (tree.kind == Tree::Kind::index) {
        const Tree& base = tree.operands[0];
        for (std::size_t i = 1; i < tree.operands.size(); ++i) {
            if (tree.operands[i].kind != Tree::Kind::name || tree.operands[i].name != label) {
                continue;
            }
            if (is_graph(base)) {
                const GraphUse use = graph_of(base);
                if (use.graph >= 0) return i == 1 ? rows_of(use) : columns_of(use);
            }
            const VariableId id = base.kind == Tree::Kind::name ? find_variable(base.name) : -1;
            if (id < 0 || !variable(id).type.is_known()) continue;
            const Type& type = variable(id).type;
            if (type.shape == Type::Shape::table && i == 2) return type.columns;
            const bool edges =
                type.space > 0 &&
                algorithm_.spaces[static_cast<std::size_t>(type.space)].kind == Space::Kind::edges;
            if (edges && tree.operands.size() == 3) {
                const GraphUse use{
                    .graph = algorithm_.spaces[static_cast<std::size_t>(type.space)].graph};
                return i == 1 ? rows_of(use) : columns_of(use);
            }
            if (!type.is_scalar() && type.shape != Type::Shape::stack) return type.space;
        }
    }
    for (const Tree& operand : tree.operands) {
        if (const auto space = label_space(operand, label)) return space;
    }
    return std::nullopt;
}

/// Whether a set or sparse vector is indexed by the label somewhere.
bool Checker::indexes_members(const Tree& tree, std::string_view label) const {
    if (tree.kind == Tree::Kind::index && tree.operands.size() == 2 &&
        tree.operands[0].kind == Tree::Kind::name && tree.operands[1].kind == Tree::Kind::name &&
        tree.operands[1].name == label) {
        const VariableId id = find_variable(tree.operands[0].name);
        if (id >= 0 && variable(id).type.is_members()) return true;
    }
    for (const Tree& operand : tree.operands) {
        if (indexes_members(operand, label)) return true;
    }
    return false;
}

} // namespace tropic::language::algorithm
