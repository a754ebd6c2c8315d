// Along a row: which parts of a statement that makes a graph have entries of their own, and masks.
#include <algorithm>

#include <fmt/format.h>

#include "language/algorithm/matrix.h"
#include "language/algorithm/visit.h"

namespace tropic::language::algorithm {

bool Checker::mentions_column(const Matrix& matrix, const Tree& tree) const {
    std::vector<syntax::Name> found;
    free_labels(tree, found, true);
    return std::ranges::any_of(
        found, [&](const syntax::Name& name) { return name.text == matrix.column.text; });
}

Checker::Part Checker::part_of_index(Matrix& matrix, const Tree& tree) {
    if (tree.operands.size() != 3 || !has_edges(tree.operands[0])) return Part::none;
    const bool by_row = mentions_column(matrix, tree.operands[1]);
    const bool by_column = mentions_column(matrix, tree.operands[2]);
    if (by_row == by_column) return Part::none;
    return is_name(tree.operands[by_row ? 1 : 2], matrix.column) ? Part::leaf : Part::mapped;
}

Checker::Part Checker::part_of(Matrix& matrix, const Tree& tree) {
    if (at_hand_.contains(&tree)) return Part::none;
    if (const auto known = matrix.parts.find(&tree); known != matrix.parts.end()) {
        return known->second;
    }
    using Kind = Tree::Kind;
    Part part = Part::none;
    const bool product = tree.kind == Kind::product;
    const syntax::Function* own = product ? find_function(tree.name) : nullptr;
    const bool semiring = own != nullptr && own->kind == syntax::Function::Kind::semiring;
    if (tree.kind == Kind::index) {
        part = part_of_index(matrix, tree);
    } else if (tree.kind == Kind::reduction || (product && (!tree.second.empty() || semiring))) {
        if (mentions_column(matrix, tree) && is_reached(matrix, tree)) part = Part::fold;
    } else if (!(tree.kind == Kind::unary && tree.name == "!")) {
        int sides = 0;
        for (const Tree& operand : tree.operands) {
            if (part_of(matrix, operand) != Part::none) ++sides;
        }
        const bool joins =
            product || (tree.kind == Kind::binary && (tree.name == "+" || tree.name == "-" ||
                                                      tree.name == "|" || tree.name == "||"));
        if (sides > 0) part = joins && sides == 2 ? Part::join : Part::point;
    }
    matrix.parts.emplace(&tree, part);
    return part;
}

/// Whether edges lead from the row to the column, through the labels of the fold.
bool Checker::is_reached(Matrix& matrix, const Tree& tree) {
    std::vector<syntax::Name> labels = tree.labels;
    if (tree.kind == Tree::Kind::product) free_labels(tree, labels);
    else labels.push_back(matrix.column);
    const Scoped scoped(*this);
    const auto bound = std::make_shared<const Expression>(truth_of(true));
    for (bool further = true; further;) {
        further = false;
        for (std::size_t i = 0; i < labels.size() && !further; ++i) {
            if (find_edge(tree, labels[i].text) == nullptr) continue;
            if (labels[i].text == matrix.column.text) return true;
            frame_->scopes.back().insert_or_assign(labels[i].text, Symbol{.value = bound});
            labels.erase(labels.begin() + static_cast<std::ptrdiff_t>(i));
            further = true;
        }
    }
    return false;
}

/// The parts with entries that a formula is made of.
void Checker::operands_of(Matrix& matrix, const Tree& tree, std::vector<const Tree*>& found) {
    const Part part = part_of(matrix, tree);
    if (part == Part::none) return;
    if (part != Part::point) {
        found.push_back(&tree);
        return;
    }
    for (const Tree& operand : tree.operands) operands_of(matrix, operand, found);
}

/// Edges that must be there for the formula to have a value.
void Checker::leaves_of(const Tree& tree, std::vector<const Tree*>& found) const {
    using Kind = Tree::Kind;
    if (at_hand_.contains(&tree) || tree.kind == Kind::reduction) return;
    if (tree.kind == Kind::unary && tree.name == "!") return;
    if (tree.kind == Kind::binary && tree.name.starts_with("|")) return;
    if (tree.kind == Kind::index && tree.operands.size() == 3 && has_edges(tree.operands[0])) {
        found.push_back(&tree);
        return;
    }
    for (const Tree& operand : tree.operands) leaves_of(operand, found);
}

/// A set or sparse vector that is indexed by the label.
const Checker::Tree* Checker::find_members(const Tree& tree, const syntax::Name& label) const {
    if (tree.kind == Tree::Kind::unary && tree.name == "!") return nullptr;
    if (tree.kind == Tree::Kind::index && tree.operands.size() == 2 &&
        is_name(tree.operands[1], label) && indexes_members(tree, label.text)) {
        return &tree;
    }
    for (const Tree& operand : tree.operands) {
        if (const Tree* found = find_members(operand, label)) return found;
    }
    return nullptr;
}

// --- masks ---

bool Checker::read_matrix_mask(Matrix& matrix) {
    const auto& mask = matrix.words->mask;
    if (!mask) return true;
    for (const syntax::Name& way : mask->ways) {
        if (way.text == "replace") matrix.replace = true;
        else if (way.text == "keep") matrix.keep = true;
        else {
            report(ErrorCode::unsupported, way.place,
                   fmt::format("'{}' in a mask of a graph", way.text),
                   {.accepted = "keep, replace"});
            return false;
        }
    }
    if (matrix.graph < 0 && matrix.keep) {
        report(ErrorCode::not_found, matrix.name.place,
               fmt::format("unknown graph '{}'", matrix.name.text),
               {.hint = fmt::format("make it first: {}[i, j] = ...;", matrix.name.text)});
        return false;
    }
    const Tree* tree = whole_masks(matrix, mask->condition);
    if (tree == nullptr) return false;
    mask_parts(matrix, *tree);
    return true;
}

/// The mask with names of graphs written out: <A> is where A has a value that is not 0,
/// <structure(A)> where it has any.
const Checker::Tree* Checker::whole_masks(Matrix& matrix, const Tree& tree) {
    const auto own = [&](Tree made) {
        matrix.owned.push_back(std::move(made));
        return &matrix.owned.back();
    };
    const bool structure = tree.kind == Tree::Kind::call && tree.name == "structure" &&
                           find_function(tree.name) == nullptr;
    if (structure && !argument_count(tree, 1, 1, "structure(A)")) return nullptr;
    const Tree& named = structure ? tree.operands[0] : tree;
    if ((structure || tree.kind == Tree::Kind::name) && is_graph(named)) {
        Tree edge;
        edge.kind = Tree::Kind::index;
        edge.place = tree.place;
        edge.operands = {named, matrix.words->target->operands[1],
                         matrix.words->target->operands[2]};
        const GraphUse use = graph_of(named);
        if (use.graph < 0) return nullptr;
        if (structure || variable(use.graph).type.pattern) return own(std::move(edge));
        Tree zero;
        zero.place = tree.place;
        zero.is_integer = true;
        Tree differs;
        differs.kind = Tree::Kind::binary;
        differs.place = tree.place;
        differs.name = "!=";
        differs.operands = {std::move(edge), std::move(zero)};
        return own(std::move(differs));
    }
    if (const VariableId id = named.kind == Tree::Kind::name ? find_variable(named.name) : -1;
        id >= 0 && variable(id).type.is_known() && !variable(id).type.is_scalar()) {
        report(ErrorCode::inconsistent, tree.place,
               fmt::format("'{}' is {}; say whether it masks rows or columns", named.name,
                           described(variable(id).type)),
               {.accepted = fmt::format("{0}[{1}], {0}[{2}]", named.name, matrix.row.text,
                                        matrix.column.text)});
        return nullptr;
    }
    const bool descends =
        (tree.kind == Tree::Kind::unary && tree.name == "!") ||
        (tree.kind == Tree::Kind::binary &&
         (tree.name == "&&" || tree.name == "||" || tree.name == "&" || tree.name == "|"));
    if (!descends) return &tree;
    Tree made = tree;
    bool changed = false;
    for (std::size_t i = 0; i < tree.operands.size(); ++i) {
        const Tree* part = whole_masks(matrix, tree.operands[i]);
        if (part == nullptr) return nullptr;
        changed = changed || part != &tree.operands[i];
        made.operands[i] = *part;
    }
    return changed ? own(std::move(made)) : &tree;
}

/// What `&&` joins; what concerns the row alone is asked once a row.
void Checker::mask_parts(Matrix& matrix, const Tree& tree) {
    const bool both = tree.kind == Tree::Kind::binary &&
                      (tree.name == "&&" || (tree.name == "&" && is_condition(tree)));
    if (both) {
        for (const Tree& operand : tree.operands) mask_parts(matrix, operand);
        return;
    }
    (mentions_column(matrix, tree) ? matrix.tests : matrix.row_tests).push_back(&tree);
}

void Checker::mark_masks(Matrix& matrix, const Tree& tree, std::vector<Statement>& marks) {
    const bool descends = (tree.kind == Tree::Kind::unary && tree.name == "!") ||
                          (tree.kind == Tree::Kind::binary &&
                           (tree.name == "&&" || tree.name == "||" || is_condition(tree)));
    if (descends) {
        for (const Tree& operand : tree.operands) mark_masks(matrix, operand, marks);
        return;
    }
    if (tree.kind != Tree::Kind::index || part_of(matrix, tree) != Part::leaf ||
        !is_graph(tree.operands[0])) {
        return;
    }
    const GraphUse use = graph_of(tree.operands[0]);
    if (use.graph < 0) return;
    const bool to_column = is_name(tree.operands[2], matrix.column);
    const SpaceId from = to_column ? rows_of(use) : columns_of(use);
    bool checked = false;
    Expression center = index_value(tree.operands[to_column ? 1 : 2], from, checked);
    if (!center.type.is_known()) {
        matrix.failed = true;
        return;
    }
    if (checked) center = in_range(std::move(center), from);
    Statement mark;
    mark.kind = Statement::Kind::marks;
    mark.place = tree.place;
    mark.graph = use.graph;
    mark.inward = to_column == use.flipped;
    mark.first = std::move(center);
    Type type;
    type.shape = Type::Shape::marks;
    type.element = ElementType::boolean;
    type.space = to_column ? columns_of(use) : rows_of(use);
    mark.variable = new_local("mask", type, tree.place);
    marked_.emplace(&tree, mark.variable);
    marks.push_back(std::move(mark));
}

/// Whether the mask lets the entry pass.
Expression Checker::test_of(Matrix& matrix) {
    std::vector<Expression> all;
    // Sparse vectors that are compared are there, as edges are.
    Guards guards;
    guards.labels = {matrix.label, matrix.at};
    Guards* const outer = std::exchange(guards_, &guards);
    const Restricts restricted = std::exchange(restricts_, Restricts::sparse);
    if (matrix.fixed_column >= 0) {
        all.push_back(binary_of(Operation::equal, read(matrix.at), read(matrix.fixed_column)));
    }
    for (const Tree* test : matrix.tests) {
        all.push_back(mask_test(matrix, *test));
        if (!all.back().type.is_known()) matrix.failed = true;
    }
    guards_ = outer;
    restricts_ = restricted;
    for (Expression& guard : guards.conditions) all.push_back(std::move(guard));
    return matrix.failed ? unknown_at(matrix.place()) : conjunction(std::move(all));
}

Expression Checker::mask_test(Matrix& matrix, const Tree& tree) {
    if (tree.kind == Tree::Kind::unary && tree.name == "!") {
        const Restricts outer = std::exchange(restricts_, Restricts::nothing);
        Expression inner = mask_test(matrix, tree.operands[0]);
        restricts_ = outer;
        return inner.type.is_known() ? not_of(std::move(inner)) : inner;
    }
    const bool logical =
        tree.kind == Tree::Kind::binary && (tree.name == "&&" || tree.name == "||");
    if (logical || (tree.kind == Tree::Kind::binary && is_condition(tree))) {
        const Restricts outer = restricts_;
        if (tree.name.starts_with("|")) restricts_ = Restricts::nothing;
        Expression left = mask_test(matrix, tree.operands[0]);
        Expression right = mask_test(matrix, tree.operands[1]);
        restricts_ = outer;
        if (!left.type.is_known() || !right.type.is_known()) return unknown_at(tree.place);
        return binary_of(tree.name.starts_with("|") ? Operation::logical_or
                                                    : Operation::logical_and,
                         std::move(left), std::move(right));
    }
    if (const auto known = marked_.find(&tree); known != marked_.end()) {
        return member_at(known->second, read(matrix.at, tree.place), tree.place);
    }
    // A comparison holds where the edges in it are there.
    std::vector<const Tree*> leaves;
    leaves_of(tree, leaves);
    std::vector<Expression> all;
    for (const Tree* leaf : leaves) {
        if (leaf == &tree || !is_graph(leaf->operands[0])) continue;
        all.push_back(condition(*leaf));
        if (!all.back().type.is_known()) return unknown_at(tree.place);
    }
    all.push_back(condition(tree));
    if (!all.back().type.is_known()) return unknown_at(tree.place);
    return conjunction(std::move(all));
}

} // namespace tropic::language::algorithm
