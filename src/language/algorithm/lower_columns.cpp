// Which columns of a row that a statement makes have entries: those of the right side that the mask
// lets pass; where the right side does not say, the mask or the target does.
#include <fmt/format.h>

#include "language/algorithm/matrix.h"

namespace tropic::language::algorithm {

/// The entries of the right side that the mask lets pass.
bool Checker::masked(Matrix& matrix, const Entry& entry) {
    const Tree& value = matrix.value();
    const Part part = part_of(matrix, value);
    const auto tested = [&](Expression found) {
        // Products ask the mask before they work out anything.
        if (matrix.tests.empty() || part == Part::fold) return entry(std::move(found));
        Expression test = test_of(matrix);
        if (!test.type.is_known()) return;
        std::vector<Statement> body;
        {
            const Into into(*this, body);
            entry(std::move(found));
        }
        emit_under(std::move(test), std::move(body), matrix.place());
    };
    if (part != Part::none) return row_of(matrix, value, tested) && !matrix.failed;
    // The mask says where the value goes, or a sparse vector or set along the row.
    const auto worked_out = [&](const Expression&) {
        Guards guards;
        guards.labels = {matrix.label, matrix.at};
        Guards* const outer = std::exchange(guards_, &guards);
        const Restricts restricted = std::exchange(restricts_, Restricts::members);
        Expression found = scalar(value, "a value");
        guards_ = outer;
        restricts_ = restricted;
        if (!found.type.is_known()) {
            matrix.failed = true;
            return;
        }
        std::vector<Statement> body;
        {
            const Into into(*this, body);
            tested(std::move(found));
        }
        emit_under(conjunction(std::move(guards.conditions)), std::move(body), matrix.place());
    };
    if (matrix.fixed_column >= 0) return fixed_entry(matrix, worked_out);
    for (const Tree* test : matrix.tests) {
        std::vector<const Tree*> leaves;
        leaves_of(*test, leaves);
        for (const Tree* leaf : leaves) {
            if (part_of(matrix, *leaf) == Part::leaf) {
                return leaf_row(matrix, *leaf, worked_out) && !matrix.failed;
            }
        }
    }
    std::vector<const Tree*> trees = matrix.tests;
    trees.push_back(&value);
    for (const Tree* tree : trees) {
        if (const Tree* members = find_members(*tree, matrix.column)) {
            return members_row(matrix, *members, worked_out) && !matrix.failed;
        }
    }
    for (const Tree* test : matrix.tests) {
        if (const Tree* column = said_column(matrix, *test)) {
            return said_entry(matrix, *column, worked_out) && !matrix.failed;
        }
    }
    if (matrix.fixed_row >= 0) return dense_row(matrix, worked_out) && !matrix.failed;
    report(ErrorCode::inconsistent, value.place,
           fmt::format("nothing says where '{}' has entries", matrix.name.text),
           {.accepted = "edges of other graphs, products of graphs",
            .hint = fmt::format("a mask says it: {}[{}, {}]<A[{}, {}]> = ...;", matrix.name.text,
                                matrix.row.text, matrix.column.text, matrix.row.text,
                                matrix.column.text)});
    return false;
}

bool Checker::members_row(Matrix& matrix, const Tree& tree, const Entry& entry) {
    const VariableId members = find_variable(tree.operands[0].name);
    if (variable(members).type.space != matrix.columns) {
        report(ErrorCode::inconsistent, tree.place,
               fmt::format("'{}' runs over {}, an index into {} is wanted", matrix.column.text,
                           described(matrix.columns), described(variable(members).type.space)));
        return false;
    }
    along_row(matrix, members, element_of(variable(members).type), entry, tree.place);
    return true;
}

/// What a mask such as <j == p[i]> says the column is.
const Checker::Tree* Checker::said_column(const Matrix& matrix, const Tree& test) const {
    if (test.kind != Tree::Kind::binary || test.name != "==") return nullptr;
    for (const std::size_t side : {0U, 1U}) {
        const Tree& other = test.operands[1 - side];
        if (is_name(test.operands[side], matrix.column) && !mentions_column(matrix, other)) {
            return &other;
        }
    }
    return nullptr;
}

/// The entry at that column, if there is one.
bool Checker::said_entry(Matrix& matrix, const Tree& column, const Entry& entry) {
    const Place place = column.place;
    const Type wide = scalar_of(ElementType::int64);
    Expression value = scalar(column, "a column");
    if (!value.type.is_known()) return false;
    if (!is_number(value.type) || is_float(value.type.element) || value.type.lanes > 1) {
        report(
            ErrorCode::inconsistent, place,
            fmt::format("an index is a vertex or an integer, this is {}", described(value.type)));
        return false;
    }
    value = kept(converted_silently(std::move(value), wide), place);
    Expression size;
    size.kind = Expression::Kind::size;
    size.space = matrix.columns;
    size.type = wide;
    std::vector<Expression> tests;
    tests.push_back(binary_of(Operation::less_equal, constant_of(0, wide, place), value));
    tests.push_back(binary_of(Operation::less, value, std::move(size)));
    std::vector<Statement> body;
    {
        const Into into(*this, body);
        const Scoped scoped(*this);
        const VariableId label = bind_label(matrix.column, matrix.columns);
        const VariableId outer = std::exchange(matrix.at, label);
        emit_scalar(label, converted_silently(std::move(value), vertex_type(matrix.columns)),
                    place);
        entry(truth_of(true, place));
        matrix.at = outer;
    }
    emit_under(conjunction(std::move(tests)), std::move(body), place);
    return true;
}

/// The one column that the statement is about.
bool Checker::fixed_entry(Matrix& matrix, const Entry& entry) {
    const Scoped scoped(*this);
    const VariableId outer = std::exchange(matrix.at, bind_label(matrix.column, matrix.columns));
    emit_scalar(matrix.at, read(matrix.fixed_column), matrix.place());
    std::vector<const Tree*> leaves;
    leaves_of(matrix.value(), leaves);
    const bool fine = where_present(matrix, leaves, 0, [&] {
        entry(truth_of(true, matrix.place()));
        return !matrix.failed;
    });
    matrix.at = outer;
    return fine;
}

/// All columns of the one row that the statement is about.
bool Checker::dense_row(Matrix& matrix, const Entry& entry) {
    const Place place = matrix.place();
    const Type index = vertex_type(matrix.columns);
    Statement count;
    count.kind = Statement::Kind::count;
    count.place = place;
    count.first = constant_of(0, index, place);
    count.step = constant_of(1, index, place);
    Expression size;
    size.kind = Expression::Kind::size;
    size.space = matrix.columns;
    size.type = scalar_of(ElementType::int64);
    count.value = converted_silently(std::move(size), index);
    const Scoped scoped(*this);
    count.variable = bind_label(matrix.column, matrix.columns);
    const VariableId outer = std::exchange(matrix.at, count.variable);
    {
        const Into into(*this, count.body);
        entry(truth_of(true, place));
    }
    matrix.at = outer;
    emit(std::move(count));
    return true;
}

} // namespace tropic::language::algorithm
