// What words can be told to be before they are read: whether `&` and `|` join numbers or
// conditions.
#include <algorithm>
#include <array>

#include "language/algorithm/checker.h"
#include "language/element_types.h"

namespace tropic::language::algorithm {

namespace {

bool joins(const syntax::Expression& tree) {
    return tree.kind == syntax::Expression::Kind::binary && (tree.name == "&" || tree.name == "|");
}

bool is_one_of(std::string_view name, std::span<const std::string_view> names) {
    return std::ranges::find(names, name) != names.end();
}

constexpr std::array<std::string_view, 5> counting = {"+", "-", "*", "/", "%"};
constexpr std::array<std::string_view, 9> asking = {"&&", "||", "==", "!=",      "<",
                                                    "<=", ">",  ">=", "differs."};
constexpr std::array<std::string_view, 16> numbers = {
    "abs",   "sqrt",   "log",        "exp",       "floor",     "ceil",         "pow",  "random",
    "count", "degree", "random_int", "in_degree", "neighbour", "in_neighbour", "edge", "size"};

} // namespace

Checker::Sort Checker::sort_of(const Tree& tree) const {
    using Kind = Tree::Kind;
    const auto of_type = [](const Type& type) {
        if (!type.is_scalar() || !is_number(type)) return Sort::unknown;
        return type.element == ElementType::boolean ? Sort::truth : Sort::number;
    };
    switch (tree.kind) {
    case Kind::number:
        return Sort::number;
    case Kind::name: {
        if (const Symbol* const symbol = find(tree.name)) {
            return of_type(symbol->value ? symbol->value->type : variable(symbol->variable).type);
        }
        return tree.name == "true" || tree.name == "false" ? Sort::truth : Sort::unknown;
    }
    case Kind::index:
        return sort_of_index(tree);
    case Kind::unary:
        return tree.name == "!" ? Sort::truth : Sort::number;
    case Kind::conditional: {
        const Sort yes = sort_of(tree.operands[1]);
        return yes == sort_of(tree.operands[2]) ? yes : Sort::unknown;
    }
    case Kind::call:
        return sort_of_call(tree);
    case Kind::reduction:
        if (tree.name == "or" || tree.name == "and") return Sort::truth;
        return tree.name == "sum" || tree.name == "count" ? Sort::number : Sort::unknown;
    case Kind::binary:
        break;
    default:
        return Sort::unknown;
    }
    if (is_one_of(tree.name, counting)) return Sort::number;
    if (is_one_of(tree.name, asking)) return Sort::truth;
    const Sort left = sort_of(tree.operands[0]);
    const Sort right = sort_of(tree.operands[1]);
    const auto either = [&](Sort sort) { return left == sort || right == sort; };
    if (either(Sort::truth)) return Sort::truth;
    if (either(Sort::unknown)) return Sort::unknown;
    if (either(Sort::number)) return Sort::number;
    return either(Sort::pattern) ? Sort::truth : Sort::edge;
}

Checker::Sort Checker::sort_of_index(const Tree& tree) const {
    const Tree& base = tree.operands[0];
    if (base.kind != Tree::Kind::name) return is_graph(base) ? Sort::edge : Sort::unknown;
    const VariableId id = find_variable(base.name);
    if (id < 0) return Sort::unknown;
    const Type& type = variable(id).type;
    switch (type.shape) {
    case Type::Shape::graph:
        return type.pattern ? Sort::pattern : Sort::edge;
    case Type::Shape::set:
    case Type::Shape::marks:
        return Sort::truth;
    case Type::Shape::vector:
    case Type::Shape::sparse:
    case Type::Shape::table:
    case Type::Shape::scalar:
        if (type.record >= 0) return Sort::unknown;
        return type.element == ElementType::boolean ? Sort::truth : Sort::number;
    default:
        return Sort::unknown;
    }
}

Checker::Sort Checker::sort_of_call(const Tree& tree) const {
    if (const syntax::Function* const own = find_function(tree.name)) {
        if (!own->can_run() || own->results.size() != 1) return Sort::unknown;
        const auto element = parse_type_word(own->results[0].type.name.text);
        if (!element) return Sort::unknown;
        return *element == ElementType::boolean ? Sort::truth : Sort::number;
    }
    if (tree.name == "min" || tree.name == "max") {
        const bool all = std::ranges::all_of(
            tree.operands, [&](const Tree& operand) { return sort_of(operand) == Sort::number; });
        return all ? Sort::number : Sort::unknown;
    }
    if (is_one_of(tree.name, numbers)) return Sort::number;
    const auto element = parse_type_word(tree.name);
    if (!element) return tree.name == "vertex" ? Sort::number : Sort::unknown;
    return *element == ElementType::boolean ? Sort::truth : Sort::number;
}

/// Whether there are edges or sets between `&` and `|`.
bool Checker::asks_for_members(const Tree& tree) const {
    if (joins(tree)) {
        return asks_for_members(tree.operands[0]) || asks_for_members(tree.operands[1]);
    }
    if (tree.kind == Tree::Kind::binary) return tree.name == "&&" || tree.name == "||";
    if (tree.kind != Tree::Kind::index) return false;
    const Tree& base = tree.operands[0];
    if (is_graph(base)) return true;
    const VariableId id = base.kind == Tree::Kind::name ? find_variable(base.name) : -1;
    return id >= 0 && variable(id).type.shape == Type::Shape::set;
}

/// Whether `&` and `|` between such trees mean `&&` and `||`: where edges and sets are in them, but
/// not where an edge stands beside a number. Edges alone are there or not, unless their values are
/// wanted.
bool Checker::is_condition(const Tree& tree, bool as_value) const {
    if (!asks_for_members(tree)) return false;
    if (!joins(tree)) return true;
    const Sort sort = sort_of(tree);
    return sort != Sort::number && !(as_value && sort == Sort::edge);
}

bool Checker::reads_sparse(const Tree& tree) const {
    if (tree.kind == Tree::Kind::index && tree.operands[0].kind == Tree::Kind::name) {
        const VariableId id = find_variable(tree.operands[0].name);
        if (id >= 0 && variable(id).type.shape == Type::Shape::sparse) return true;
    }
    return std::ranges::any_of(tree.operands,
                               [&](const Tree& operand) { return reads_sparse(operand); });
}

/// A value for something of a type: for a truth, edges between `&` and `|` are there or not.
Expression Checker::value_for(const Tree& tree, const Type& type) {
    const bool truths = type.shape == Type::Shape::set || type.element == ElementType::boolean;
    if (truths && joins(tree) && is_condition(tree)) return condition(tree);
    return scalar(tree, "a value");
}

} // namespace tropic::language::algorithm
