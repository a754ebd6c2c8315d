// What stands before brackets: elements of vectors and tables, members of sets, values of edges.
#include <ranges>

#include <fmt/format.h>

#include "language/algorithm/checker.h"
#include "language/algorithm/visit.h"
#include "language/element_types.h"

namespace tropic::language::algorithm {

namespace {

/// The index itself, where it is compared with its space or converted to a vertex first.
const Expression& plain_index(const Expression& e) {
    const Expression* index = &e;
    while (index->kind == Expression::Kind::convert) index = index->operands.data();
    return *index;
}

bool same_index(const Expression& left, const Expression& right) {
    const Expression& a = plain_index(left);
    const Expression& b = plain_index(right);
    if (a.kind == Expression::Kind::constant && b.kind == Expression::Kind::constant) {
        return a.integer == b.integer;
    }
    return a.kind == Expression::Kind::variable && b.kind == Expression::Kind::variable &&
           a.variable == b.variable;
}

Type wide_type() {
    return scalar_of(ElementType::int64);
}

} // namespace

Expression Checker::index(const Tree& tree) {
    const Tree& base = tree.operands[0];
    if (is_graph(base)) {
        const GraphUse use = graph_of(base);
        if (use.graph < 0) return unknown_at(tree.place);
        if (tree.operands.size() != 3) {
            report(ErrorCode::inconsistent, tree.place, "an edge has two ends",
                   {.accepted = "A[i, j]; neighbours are followed by: for j in A[i] { ... }"});
            return unknown_at(tree.place);
        }
        return edge_value(tree, use);
    }
    if (base.kind == Tree::Kind::name) {
        const Symbol* symbol = find(base.name);
        if (symbol == nullptr) {
            report_unknown(base.name, base.place, "vector");
            poison({base.name, base.place});
            return unknown_at(tree.place);
        }
        if (!symbol->value && !variable(symbol->variable).type.is_scalar()) {
            return element(tree, symbol->variable);
        }
    }
    Expression lanes = expression(base);
    if (!lanes.type.is_known()) return lanes;
    if (!lanes.type.is_scalar() || lanes.type.lanes == 1 || tree.operands.size() != 2) {
        report(ErrorCode::inconsistent, tree.place,
               fmt::format("brackets behind what is {}", described(lanes.type)));
        return unknown_at(tree.place);
    }
    const Expression which = expression(tree.operands[1]);
    if (which.kind != Expression::Kind::constant || is_float(which.type.element) ||
        which.integer < 0 || which.integer >= lanes.type.lanes) {
        report(ErrorCode::range, tree.operands[1].place,
               fmt::format("a lane is a number from 0 to {}", lanes.type.lanes - 1));
        return unknown_at(tree.place);
    }
    Expression result;
    result.kind = Expression::Kind::lane;
    result.place = tree.place;
    result.type = lanes.type;
    result.type.lanes = 1;
    result.integer = which.integer;
    result.operands.push_back(std::move(lanes));
    return result;
}

/// Whether the text alone says that an index is wrong: nobody has to run it then, and it is said
/// even where nobody looks at the element.
bool Checker::is_outside(const Expression& index, SpaceId space) const {
    const VariableId size = algorithm_.spaces[static_cast<std::size_t>(space)].size;
    if (index.kind != Expression::Kind::constant || size < 0) return false;
    const auto& length = variable(size).length;
    return length && length->kind == Expression::Kind::constant &&
           (index.integer < 0 || index.integer >= length->integer);
}

/// An index into the space; `checked` says that it may lie outside.
Expression Checker::index_value(const Tree& tree, SpaceId space, bool& checked) {
    checked = true;
    if (tree.kind == Tree::Kind::name && is_free(tree.name)) {
        report(ErrorCode::not_found, tree.place,
               fmt::format("'{}' is neither a variable nor a label of what stands around it",
                           tree.name),
               {.hint = fmt::format("sum[{0}](...) folds over it, and so do min[{0}], any[{0}]...",
                                    tree.name)});
        return unknown_at(tree.place);
    }
    const Restricts outer = std::exchange(restricts_, Restricts::nothing);
    const Nowhere nowhere = std::exchange(nowhere_, Nowhere::none);
    Expression value = scalar(tree, "an index");
    nowhere_ = nowhere;
    restricts_ = outer;
    // What an index is for may ask for it more than once.
    if (folds_deep_ == 0) value = once(std::move(value));
    if (!value.type.is_known()) return value;
    if (!is_number(value.type) || is_float(value.type.element) || value.type.lanes > 1 ||
        value.type.element == ElementType::boolean) {
        report(
            ErrorCode::inconsistent, tree.place,
            fmt::format("an index is a vertex or an integer, this is {}", described(value.type)));
        return unknown_at(tree.place);
    }
    if (value.kind == Expression::Kind::variable && in_range_.contains(value.variable)) {
        const bool counted = algorithm_.spaces[static_cast<std::size_t>(value.type.space)].kind ==
                             Space::Kind::counted;
        if (value.type.space != space && !counted) {
            report(ErrorCode::inconsistent, tree.place,
                   fmt::format("'{}' runs over {}, an index into {} is wanted", tree.name,
                               described(value.type.space), described(space)));
            return unknown_at(tree.place);
        }
        checked = value.type.space != space; // a number as any other
    }
    if (is_outside(value, space)) {
        const VariableId size = algorithm_.spaces[static_cast<std::size_t>(space)].size;
        report(ErrorCode::range, tree.place,
               fmt::format("index {} is outside 0 up to {}", value.integer,
                           variable(size).length->integer));
        return unknown_at(tree.place);
    }
    // What may not fit an index is compared with the size before anything is cut off.
    if (value.kind == Expression::Kind::convert && value.type.vertex && !value.checked) {
        Expression written = std::move(value.operands[0]); // vertex(x)
        value = std::move(written);
        if (is_float(value.type.element)) value = converted_silently(std::move(value), wide_type());
    }
    if (value.type.vertex) return value;
    const bool fits =
        value.kind == Expression::Kind::constant
            ? holds_integer(ElementType::int32, value.integer)
            : size_of(value.type.element) < 4 || value.type.element == ElementType::int32;
    return converted_silently(std::move(value), fits ? vertex_type(space) : wide_type());
}

/// A sparse vector is 0 where it has no value, whatever folds want to find there.
Expression Checker::or_zero(Expression element) {
    const Variable& read_from = variable(element.variable);
    const std::pair place(read_from.place.line, read_from.place.column);
    if (read_from.is_local || !facts_.not_zero.contains(place)) return element;
    element.operands[0] = once(std::move(element.operands[0]));
    if (!element.operands[0].type.is_known()) return unknown_at(element.place);
    const Expression& at = element.operands[0];
    if (at.kind == Expression::Kind::variable) {
        const auto over = members_of_label_.find(at.variable);
        if (over != members_of_label_.end() && over->second == element.variable) return element;
    }
    Expression result;
    result.kind = Expression::Kind::conditional;
    result.place = element.place;
    result.type = element.type;
    Expression test = member_at(element.variable, deep_copy(at), element.place);
    test.checked = element.checked;
    Expression zero = zero_of(element.type);
    result.operands.push_back(std::move(test));
    result.operands.push_back(std::move(element));
    result.operands.push_back(std::move(zero));
    return result;
}

Expression Checker::element(const Tree& tree, VariableId id) {
    const bool target = std::exchange(as_target_, false);
    const Type type = variable(id).type;
    if (!type.is_known()) return unknown_at(tree.place);
    const auto indices = tree.operands.size() - 1;
    const bool table = type.shape == Type::Shape::table;
    const bool over_edges =
        type.space > 0 &&
        algorithm_.spaces[static_cast<std::size_t>(type.space)].kind == Space::Kind::edges;
    if (type.shape == Type::Shape::stack) {
        report(ErrorCode::inconsistent, tree.place,
               fmt::format("'{}' is a stack; only its top can be taken", variable(id).name),
               {.accepted = "s = pop(stack);"});
        return unknown_at(tree.place);
    }
    if (indices != (table ? 2U : 1U) && !(over_edges && indices == 2)) {
        report(ErrorCode::inconsistent, tree.place,
               fmt::format("'{}' is {} and takes {}, not {}", variable(id).name, described(type),
                           table ? "two indices" : "one index", indices));
        return unknown_at(tree.place);
    }
    Expression result;
    result.place = tree.place;
    result.variable = id;
    bool checked = false;
    if (over_edges && indices == 2) {
        std::optional<Expression> number = edge_number(type.space, tree);
        if (!number) return unknown_at(tree.place);
        result.operands.push_back(std::move(*number));
    } else {
        Expression at = index_value(tree.operands[1], type.space, checked);
        if (!at.type.is_known()) return unknown_at(tree.place);
        result.operands.push_back(std::move(at));
    }
    result.checked = checked;
    if (table) {
        bool second = false;
        Expression at = index_value(tree.operands[2], type.columns, second);
        if (!at.type.is_known()) return unknown_at(tree.place);
        result.operands.push_back(std::move(at));
        result.checked = checked || second;
    }
    const bool restricts = guards_ != nullptr && restricts_ != Restricts::nothing &&
                           result.operands[0].kind == Expression::Kind::variable;
    const bool folded = restricts && guards_->labels.contains(result.operands[0].variable);
    const bool around = restricts && guards_->around.contains(result.operands[0].variable);
    if (type.shape == Type::Shape::set || type.shape == Type::Shape::marks) {
        result.kind = Expression::Kind::member;
        result.type = truth_type();
        if (!folded || restricts_ != Restricts::members || type.shape == Type::Shape::marks) {
            return result;
        }
        guards_->conditions.push_back(std::move(result));
        return truth_of(true, tree.place);
    }
    // A term that needs a value from around the fold is there only where that value is.
    if (type.shape == Type::Shape::sparse && (folded || around)) {
        guards_->conditions.push_back(member_at(id, result.operands[0], tree.place));
    }
    result.kind = Expression::Kind::element;
    result.type = element_of(type);
    const bool unsure = type.shape == Type::Shape::sparse && !folded && !around && !target;
    return unsure ? or_zero(std::move(result)) : result;
}

// --- edges ---

Checker::EdgeContext* Checker::edge_context(VariableId graph, const Expression& row,
                                            const Expression& column) {
    for (EdgeContext& context : std::views::reverse(edges_)) {
        if (context.graph != graph) continue;
        const Expression& from = context.inward ? column : row;
        const Expression& to = context.inward ? row : column;
        if (is_label_of(to, context.label) && same_index(from, context.center)) return &context;
    }
    return nullptr;
}

Expression Checker::weight_of(EdgeContext& context, Place place) {
    const Variable& graph = variable(context.graph);
    if (graph.type.pattern) return constant_of(1, scalar_of(ElementType::int64), place);
    if (*context.weight < 0) {
        *context.weight =
            new_local(fmt::format("{}_value", graph.name), scalar_of(graph.type.element), place);
    }
    return read(*context.weight, place);
}

Expression Checker::edge_value(const Tree& tree, GraphUse use) {
    if (use.graph < 0) return unknown_at(tree.place);
    bool row_checked = false;
    bool column_checked = false;
    Expression row = index_value(tree.operands[1], rows_of(use), row_checked);
    Expression column = index_value(tree.operands[2], columns_of(use), column_checked);
    if (!row.type.is_known() || !column.type.is_known()) return unknown_at(tree.place);
    if (use.flipped) std::swap(row, column);
    if (EdgeContext* context = edge_context(use.graph, row, column)) {
        return weight_of(*context, tree.place);
    }
    if (use.flipped) std::swap(row_checked, column_checked);
    if (row_checked) row = in_range(std::move(row), rows_of({.graph = use.graph}));
    if (column_checked) column = in_range(std::move(column), columns_of({.graph = use.graph}));
    return edge_lookup(tree, use, std::move(row), std::move(column));
}

/// The value as it is, or the end of the run if it is no member of the space.
Expression Checker::in_range(Expression value, SpaceId space) {
    Expression result;
    result.kind = Expression::Kind::convert;
    result.place = value.place;
    result.type = vertex_type(space);
    result.space = space;
    result.checked = true;
    result.operands.push_back(std::move(value));
    return result;
}

/// The value of the edge, 0 if there is none: found among the neighbours of its row.
Expression Checker::edge_lookup(const Tree& tree, GraphUse use, Expression row, Expression column) {
    const Variable graph = variable(use.graph); // new variables move the others
    const Type type =
        graph.type.pattern ? scalar_of(ElementType::int64) : scalar_of(graph.type.element);
    auto search = std::make_shared<Reduction>();
    search->graph = use.graph;
    search->center = std::move(row);
    search->label = new_local("column", vertex_type(columns_of({.graph = use.graph})), tree.place);
    in_range_.insert(search->label);
    search->space = columns_of({.graph = use.graph});
    search->condition =
        binary_of(Operation::equal, read(search->label, tree.place), std::move(column));
    search->monoid.operation = Operation::any;
    search->monoid.identity = std::make_shared<Expression>(constant_of(0, type, tree.place));
    if (graph.type.pattern) {
        search->value = constant_of(1, type, tree.place);
    } else {
        search->weight = new_local(fmt::format("{}_value", graph.name), type, tree.place);
        search->value = read(search->weight, tree.place);
    }
    Expression result;
    result.kind = Expression::Kind::reduction;
    result.place = tree.place;
    result.type = type;
    result.reduction = std::move(search);
    return result;
}

/// The number of the edge that an edge vector is indexed by.
std::optional<Expression> Checker::edge_number(SpaceId space, const Tree& tree) {
    const VariableId graph = algorithm_.spaces[static_cast<std::size_t>(space)].graph;
    bool unused = false;
    const Expression row = index_value(tree.operands[1], rows_of({.graph = graph}), unused);
    const Expression column = index_value(tree.operands[2], columns_of({.graph = graph}), unused);
    if (!row.type.is_known() || !column.type.is_known()) return std::nullopt;
    EdgeContext* context = edge_context(graph, row, column);
    if (context == nullptr) {
        report(
            ErrorCode::inconsistent, tree.place,
            fmt::format("no edge of {} is being followed between these two", variable(graph).name),
            {.hint = "an edge vector is read where its edge is: sum[j](w[i, j] * A[i, j]), for "
                     "j, a, e in A[i] { ... w[e] ... }"});
        return std::nullopt;
    }
    if (*context->edge < 0) {
        *context->edge = new_local("edge", vertex_type(space), tree.place);
        in_range_.insert(*context->edge);
    }
    return read(*context->edge, tree.place);
}

// --- graphs ---

bool Checker::is_graph(const Tree& tree) const {
    if (tree.kind == Tree::Kind::name) {
        const Symbol* symbol = find(tree.name);
        return symbol != nullptr && !symbol->value &&
               variable(symbol->variable).type.shape == Type::Shape::graph;
    }
    static const std::set<std::string_view> derived = {
        "transpose",    "symmetrised", "simple",   "lower",    "upper",  "strict_lower",
        "strict_upper", "by_degree",   "oriented", "subgraph", "filter", "pattern"};
    return tree.kind == Tree::Kind::call && derived.contains(tree.name) &&
           find_function(tree.name) == nullptr;
}

Checker::GraphUse Checker::graph_of(const Tree& tree) {
    if (tree.kind == Tree::Kind::name && is_graph(tree)) {
        const Symbol* symbol = find(tree.name);
        return {.graph = symbol->variable, .flipped = symbol->flipped};
    }
    if (tree.kind == Tree::Kind::call && is_graph(tree)) return derived_graph(tree);
    if (tree.kind == Tree::Kind::name && find(tree.name) == nullptr) {
        report_unknown(tree.name, tree.place, "graph");
    } else {
        const Expression value = expression(tree);
        if (value.type.is_known()) {
            report(ErrorCode::inconsistent, tree.place,
                   fmt::format("a graph is wanted here, this is {}", described(value.type)));
        }
    }
    return {};
}

Checker::GraphUse Checker::derived_graph(const Tree& tree) {
    const bool two = tree.name == "subgraph" || tree.name == "filter";
    const std::size_t count = two ? 2 : 1;
    if (!argument_count(tree, count, count, fmt::format("{}(A{})", tree.name, two ? ", x" : ""))) {
        return {};
    }
    GraphUse base = graph_of(tree.operands[0]);
    if (base.graph < 0) return {};
    if (tree.name == "transpose") return {.graph = base.graph, .flipped = !base.flipped};
    const std::string& name = tree.name;
    Type type = variable(base.graph).type;
    if (name == "simple" || name == "pattern" || name == "oriented") {
        type.pattern = true;
        type.element = ElementType::pattern;
    }
    if (base.flipped) base = stored(base, tree.place);
    Statement derive;
    derive.kind = Statement::Kind::derive;
    derive.place = tree.place;
    derive.name = name;
    derive.other = base.graph;
    if (two) {
        derive.argument =
            name == "subgraph" ? members_of(tree.operands[1]) : vector_argument(tree.operands[1]);
        if (derive.argument < 0) return {};
    }
    // What depends on nothing but graphs that are there from the start is made once.
    const bool early = !two && (variable(base.graph).is_parameter || early_.contains(base.graph));
    const std::string key = fmt::format("{} {}", name, base.graph);
    if (early) {
        if (const auto known = derived_.find(key); known != derived_.end()) {
            return {.graph = known->second};
        }
    }
    if (variable(base.graph).rectangular) { // the same rows and columns, whatever is in them
        type.space = rows_of(base);
        type.columns = columns_of(base);
    }
    derive.variable =
        new_variable(fmt::format("{}_{}", variable(base.graph).name, name), type, tree.place);
    variable(derive.variable).shown =
        fmt::format("{}({}{})", name, variable(base.graph).called(), two ? ", ..." : "");
    const GraphUse result{.graph = derive.variable};
    if (early) {
        derived_.emplace(key, derive.variable);
        early_.insert(derive.variable);
        prologue_.push_back(std::move(derive));
    } else if (in_member()) {
        report(ErrorCode::unsupported, tree.place,
               "a graph that every member of the loop would make for itself",
               {.hint = "make it before the loop"});
    } else {
        emit(std::move(derive));
    }
    return result;
}

/// A graph read backwards as a graph of its own.
Checker::GraphUse Checker::stored(GraphUse use, Place place) {
    const std::string key = fmt::format("transpose {}", use.graph);
    if (const auto known = derived_.find(key); known != derived_.end()) {
        return {.graph = known->second};
    }
    Statement derive;
    derive.kind = Statement::Kind::derive;
    derive.place = place;
    derive.name = "transpose";
    derive.other = use.graph;
    Type type = variable(use.graph).type;
    if (type.columns >= 0 || variable(use.graph).rectangular) {
        type.space = columns_of({.graph = use.graph});
        type.columns = rows_of({.graph = use.graph});
    }
    derive.variable =
        new_variable(fmt::format("{}_transpose", variable(use.graph).name), type, place);
    const GraphUse result{.graph = derive.variable};
    if (variable(use.graph).is_parameter || early_.contains(use.graph)) {
        derived_.emplace(key, derive.variable);
        early_.insert(derive.variable);
        prologue_.push_back(std::move(derive));
    } else {
        emit(std::move(derive));
    }
    return result;
}

SpaceId Checker::rows_of(GraphUse use) {
    if (use.flipped) return columns_of({.graph = use.graph});
    if (variable(use.graph).type.columns >= 0) return variable(use.graph).type.space;
    return variable(use.graph).rectangular
               ? space_of(Space{.kind = Space::Kind::rows, .graph = use.graph})
               : 0;
}

SpaceId Checker::columns_of(GraphUse use) {
    if (use.flipped) return rows_of({.graph = use.graph});
    if (variable(use.graph).type.columns >= 0) return variable(use.graph).type.columns;
    return variable(use.graph).rectangular
               ? space_of(Space{.kind = Space::Kind::columns, .graph = use.graph})
               : 0;
}

} // namespace tropic::language::algorithm
