// Rows of graphs that statements make: code that comes to the entries of a part of the right side
// one after the other, in the order of their columns.
#include <fmt/format.h>

#include "language/algorithm/matrix.h"
#include "language/algorithm/visit.h"
#include "language/element_types.h"

namespace tropic::language::algorithm {

// --- small parts ---

void Checker::emit_under(Expression test, std::vector<Statement> body, Place place) {
    if (is_true(test)) {
        for (Statement& s : body) emit(std::move(s));
        return;
    }
    Statement branch;
    branch.kind = Statement::Kind::branch;
    branch.place = place;
    branch.value = std::move(test);
    branch.body = std::move(body);
    emit(std::move(branch));
}

/// A value that may be used several times.
Expression Checker::kept(Expression value, Place place) {
    if (value.kind == Expression::Kind::variable || value.kind == Expression::Kind::constant) {
        return value;
    }
    const VariableId local = new_local("value", value.type, place);
    emit_scalar(local, std::move(value), place);
    return read(local, place);
}

/// Of a row of the member's own: a sparse vector, or a set where its values are truths.
Type Checker::row_type(const Matrix& matrix, const Type& type) {
    Type row = type;
    row.shape = is_truth(type) ? Type::Shape::set : Type::Shape::sparse;
    row.space = matrix.columns;
    return row;
}

VariableId Checker::new_row(const Matrix& matrix, const Type& type, Place place) {
    return new_local("row", row_type(matrix, type), place);
}

Statement Checker::store_in_row(const Matrix& matrix, VariableId row, Expression value,
                                Place place) {
    Statement store;
    store.kind = Statement::Kind::element;
    store.place = place;
    store.target = element_at(algorithm_, row, read(matrix.at, place), place);
    store.value = std::move(value);
    return store;
}

/// The entry at hand goes to a row, unless there is one at its column.
void Checker::put_first(const Matrix& matrix, VariableId row, Expression value, Place place) {
    Expression fresh = insert_of(row, read(matrix.at, place), place);
    if (variable(row).type.shape == Type::Shape::set) {
        Statement insert;
        insert.kind = Statement::Kind::evaluate;
        insert.place = place;
        insert.value = std::move(fresh);
        std::vector<Statement> body;
        body.push_back(std::move(insert));
        Expression test = is_truth(value.type) ? std::move(value) : truth_of(true, place);
        return emit_under(std::move(test), std::move(body), place);
    }
    std::vector<Statement> body;
    body.push_back(store_in_row(matrix, row, std::move(value), place));
    emit_under(std::move(fresh), std::move(body), place);
}

/// Comes to the entries of a row in order.
void Checker::along_row(Matrix& matrix, VariableId row, const Type& type, const Entry& entry,
                        Place place) {
    Statement visit;
    visit.kind = Statement::Kind::visit;
    visit.place = place;
    visit.other = row;
    visit.ascending = true;
    const Scoped scoped(*this);
    visit.variable = bind_label(matrix.column, matrix.columns);
    const VariableId outer = std::exchange(matrix.at, visit.variable);
    {
        const Into into(*this, visit.body);
        Expression value = truth_of(true, place);
        if (variable(row).type.shape != Type::Shape::set) {
            value = element_at(algorithm_, row, read(matrix.at, place), place);
            value.type = type;
        }
        entry(std::move(value));
    }
    matrix.at = outer;
    emit(std::move(visit));
}

/// The entry at hand is joined with what the row has at its column, if it has anything. Returns the
/// type of the outcome.
Type Checker::join_value(Matrix& matrix, VariableId row, const std::string& op, const Type& left,
                         Expression right, const std::function<Expression(Expression)>& fit,
                         Place place) {
    right = kept(std::move(right), place);
    Expression there = element_at(algorithm_, row, read(matrix.at, place), place);
    there.type = left;
    Expression both = apply(op, std::move(there), right, place);
    Expression alone = right;
    if (op == "-") alone = apply(op, constant_of(0, right.type, place), right, place);
    if (both.type.is_known()) both = fit(std::move(both));
    if (alone.type.is_known()) alone = fit(std::move(alone));
    if (!both.type.is_known() || !alone.type.is_known()) {
        matrix.failed = true;
        return {};
    }
    const Type type = both.type;
    Statement branch;
    branch.kind = Statement::Kind::branch;
    branch.place = place;
    branch.value = insert_of(row, read(matrix.at, place), place);
    branch.body.push_back(
        store_in_row(matrix, row, converted_silently(std::move(alone), type), place));
    branch.otherwise.push_back(store_in_row(matrix, row, std::move(both), place));
    emit(std::move(branch));
    return type;
}

// --- parts of the right side ---

bool Checker::row_of(Matrix& matrix, const Tree& tree, const Entry& entry) {
    switch (part_of(matrix, tree)) {
    case Part::leaf:
        return leaf_row(matrix, tree, entry);
    case Part::mapped:
        return mapped_row(matrix, tree, entry);
    case Part::fold:
        return fold_row(matrix, tree, entry);
    case Part::join:
        return join_row(matrix, tree, entry);
    case Part::point:
    case Part::none:
        break;
    }
    return point_row(matrix, tree, entry);
}

/// The code for the edges that join `label` to what is bound, inside `then`.
bool Checker::follow_row(Matrix& matrix, const Tree& edge, const syntax::Name& label,
                         const std::function<bool()>& then) {
    const GraphUse use = edges_of(edge.operands[0]);
    if (use.graph < 0) return false;
    const bool to_column = is_name(edge.operands[2], label);
    const SpaceId from = to_column ? rows_of(use) : columns_of(use);
    const SpaceId space = to_column ? columns_of(use) : rows_of(use);
    const bool column = label.text == matrix.column.text;
    if (column && space != matrix.columns) {
        report(ErrorCode::inconsistent, edge.place,
               fmt::format("'{}' runs over {}, an index into {} is wanted", label.text,
                           described(matrix.columns), described(space)),
               {.hint = "graph<T, rows, columns> says what a graph has rows and columns of"});
        return false;
    }
    bool checked = false;
    Expression center = index_value(edge.operands[to_column ? 1 : 2], from, checked);
    if (!center.type.is_known()) return false;
    if (checked) center = in_range(std::move(center), from);
    Statement along;
    along.kind = Statement::Kind::neighbours;
    along.place = edge.place;
    along.graph = use.graph;
    along.inward = to_column == use.flipped;
    along.first = center;
    const Scoped scoped(*this);
    along.variable = bind_label(label, space);
    const VariableId outer = matrix.at;
    if (column) matrix.at = along.variable;
    edges_.push_back({.graph = use.graph,
                      .inward = along.inward,
                      .center = std::move(center),
                      .label = along.variable,
                      .weight = &along.weight,
                      .edge = &along.edge});
    Expression value = weight_of(edges_.back(), edge.place);
    if (!is_graph(edge.operands[0])) { // a vector over the edges
        const VariableId vector = find_variable(edge.operands[0].name);
        along.edge = new_local("edge", vertex_type(variable(vector).type.space), edge.place);
        in_range_.insert(along.edge);
        value = element_at(algorithm_, vector, read(along.edge), edge.place);
    }
    at_hand_.insert_or_assign(&edge, std::move(value));
    bool fine = false;
    {
        const Into into(*this, along.body);
        fine = then();
    }
    at_hand_.erase(&edge);
    edges_.pop_back();
    matrix.at = outer;
    emit(std::move(along));
    return fine;
}

/// The edges of a row; of several between the same two, which stand side by side, the first counts.
bool Checker::leaf_row(Matrix& matrix, const Tree& tree, const Entry& entry) {
    const Place place = tree.place;
    const VariableId before = new_local("before", vertex_type(matrix.columns), place);
    emit_scalar(before, constant_of(-1, vertex_type(matrix.columns), place), place);
    return follow_row(matrix, tree, matrix.column, [&] {
        std::vector<Statement> body;
        {
            const Into into(*this, body);
            emit_scalar(before, read(matrix.at), place);
            entry(at_hand_.at(&tree));
        }
        emit_under(binary_of(Operation::not_equal, read(matrix.at), read(before)), std::move(body),
                   place);
        return true;
    });
}

/// Where all edges are there that nothing has come to yet, one after the other.
bool Checker::where_present(Matrix& matrix, const std::vector<const Tree*>& leaves,
                            std::size_t next, const std::function<bool()>& then) {
    if (next == leaves.size()) return then();
    const Tree& leaf = *leaves[next];
    const auto further = [&] { return where_present(matrix, leaves, next + 1, then); };
    const bool graph = is_graph(leaf.operands[0]);
    Expression test;
    if (graph) {
        Expression value = expression(leaf);
        if (!value.type.is_known()) return false;
        if (value.kind != Expression::Kind::reduction) return further();
        const VariableId found = new_local("found", truth_type(), leaf.place);
        value.reduction->found = found;
        const VariableId local = new_local("value", value.type, leaf.place);
        emit_scalar(local, std::move(value), leaf.place);
        at_hand_.insert_or_assign(&leaf, read(local, leaf.place));
        test = read(found, leaf.place);
    } else {
        return further();
    }
    std::vector<Statement> body;
    bool fine = false;
    {
        const Into into(*this, body);
        fine = further();
    }
    at_hand_.erase(&leaf);
    emit_under(std::move(test), std::move(body), leaf.place);
    return fine;
}

/// A formula: it has an entry where all its parts have one. One of them leads, the others are
/// looked up.
bool Checker::point_row(Matrix& matrix, const Tree& tree, const Entry& entry) {
    std::vector<const Tree*> rows;
    std::vector<const Tree*> leaves;
    {
        std::vector<const Tree*> parts;
        operands_of(matrix, tree, parts);
        for (const Tree* part : parts) {
            (part_of(matrix, *part) == Part::leaf ? leaves : rows).push_back(part);
        }
    }
    // Rows that have to be worked out are, but for the one that leads.
    const Tree* lead = rows.empty() ? leaves.front() : rows.front();
    std::erase(rows.empty() ? leaves : rows, lead);
    std::map<const Tree*, std::pair<VariableId, Type>> made;
    const auto formula = [&]() -> bool {
        Guards guards;
        guards.labels = {matrix.label, matrix.at};
        Guards* const outer = std::exchange(guards_, &guards);
        const Restricts restricted = std::exchange(restricts_, Restricts::members);
        Expression value = scalar(tree, "a value");
        guards_ = outer;
        restricts_ = restricted;
        if (!value.type.is_known()) return false;
        std::vector<Statement> body;
        {
            const Into into(*this, body);
            entry(std::move(value));
        }
        emit_under(conjunction(std::move(guards.conditions)), std::move(body), tree.place);
        return true;
    };
    const auto leading = [&](Expression value) {
        at_hand_.insert_or_assign(lead, kept(std::move(value), lead->place));
        std::vector<Expression> tests;
        for (const auto& [part, row] : made) {
            tests.push_back(member_at(row.first, read(matrix.at), part->place));
            Expression there = truth_of(true, part->place);
            if (variable(row.first).type.shape != Type::Shape::set) {
                there = element_at(algorithm_, row.first, read(matrix.at), part->place);
                there.type = row.second;
            }
            at_hand_.insert_or_assign(part, std::move(there));
        }
        std::vector<Statement> body;
        {
            const Into into(*this, body);
            if (!where_present(matrix, leaves, 0, formula)) matrix.failed = true;
        }
        emit_under(conjunction(std::move(tests)), std::move(body), tree.place);
        for (const auto& [part, row] : made) at_hand_.erase(part);
        at_hand_.erase(lead);
    };
    const std::function<bool(std::size_t)> prepare = [&](std::size_t next) -> bool {
        if (next == rows.size()) return row_of(matrix, *lead, leading) && !matrix.failed;
        Statement work;
        work.kind = Statement::Kind::workspace;
        work.place = rows[next]->place;
        const VariableId row = new_row(matrix, scalar_of(ElementType::float64), work.place);
        work.variable = row;
        bool fine = false;
        {
            const Into into(*this, work.body);
            Type type;
            fine = row_of(matrix, *rows[next], [&](Expression value) {
                type = value.type;
                variable(row).type = row_type(matrix, type);
                put_first(matrix, row, std::move(value), work.place);
            });
            made.emplace(rows[next], std::pair{row, type});
            fine = fine && prepare(next + 1);
        }
        emit(std::move(work));
        return fine;
    };
    return prepare(0);
}

/// Whether it says where either side holds.
bool Checker::is_either(const Tree& tree) const {
    return tree.kind == Tree::Kind::binary &&
           (tree.name == "||" || (tree.name == "|" && is_condition(tree, true)));
}

bool Checker::join_row(Matrix& matrix, const Tree& tree, const Entry& entry) {
    const Place place = tree.place;
    const bool either = is_either(tree);
    const VariableId row =
        new_row(matrix, either ? truth_type() : scalar_of(ElementType::float64), place);
    Statement work;
    work.kind = Statement::Kind::workspace;
    work.place = place;
    work.variable = row;
    Type left;
    Type type = truth_type();
    bool fine = true;
    {
        const Into into(*this, work.body);
        fine = row_of(matrix, tree.operands[0], [&](Expression value) {
            left = value.type;
            put_first(matrix, row, std::move(value), place);
        });
        fine =
            fine && row_of(matrix, tree.operands[1], [&](Expression value) {
                if (either) return put_first(matrix, row, std::move(value), place);
                const Type right = value.type;
                type = join_value(
                    matrix, row, tree.name, left, std::move(value),
                    [](Expression found) { return found; }, place);
                if (!type.is_known()) return;
                if (!is_number(left) || !is_number(right) || !is_number(type)) {
                    report(ErrorCode::unsupported, place,
                           fmt::format("values of edges are numbers, this is {}", described(type)));
                    matrix.failed = true;
                    return;
                }
                const Type wide =
                    scalar_of(common_type(common_type(left.element, right.element), type.element));
                variable(row).type.element = wide.element;
            });
        fine = fine && !matrix.failed;
        if (fine) along_row(matrix, row, type, entry, place);
    }
    emit(std::move(work));
    return fine && !matrix.failed;
}

} // namespace tropic::language::algorithm
