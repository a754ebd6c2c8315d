// Statements that make graphs: C[i, j]<mask> op= value. Every row is made by itself, at the same
// time as others, in the order of its columns.
#include <fmt/format.h>

#include "language/algorithm/matrix.h"
#include "language/algorithm/visit.h"
#include "language/element_types.h"

namespace tropic::language::algorithm {

/// Rows and columns are the vertices where nothing is said.
Type Checker::made_graph(Type type) const {
    if (type.is_known() && type.columns < 0) type.columns = 0;
    return type;
}

void Checker::matrix_algebra(const syntax::Statement& words, VariableId known) {
    if (is_scattered(*words.target)) return matrix_scatter(words, known);
    Matrix matrix;
    matrix.words = &words;
    matrix.graph = known;
    const Tree& base = words.target->operands[0];
    matrix.name = {base.name, base.place};
    const auto at_hand = at_hand_;
    const auto marked = marked_;
    Statement loop;
    loop.kind = Statement::Kind::each;
    loop.place = words.place;
    loop.each = std::make_shared<Each>();
    bool fine = read_matrix(matrix);
    if (fine) {
        loop.each->space = matrix.rows;
        const MemberCode code(*this);
        matrix.label = bind_label(matrix.row, matrix.rows);
        loop.each->label = matrix.label;
        std::vector<Expression> conditions;
        Guards guards;
        guards.labels.insert(matrix.label);
        Guards* const outer = std::exchange(guards_, &guards);
        const Restricts restricted = std::exchange(restricts_, Restricts::sparse);
        std::vector<Statement> asked;
        for (const Tree* test : matrix.row_tests) {
            conditions.push_back(aside(asked, [&] { return condition(*test); }));
            fine = fine && conditions.back().type.is_known();
        }
        guards_ = outer;
        restricts_ = restricted;
        for (Expression& guard : guards.conditions) conditions.push_back(std::move(guard));
        if (matrix.fixed_row >= 0) {
            conditions.push_back(
                binary_of(Operation::equal, read(matrix.label), read(matrix.fixed_row)));
        }
        // Rows that the mask leaves out are empty, or as they were.
        const bool whole = matrix.is_whole();
        Expression test = conjunction(std::move(conditions));
        if (fine && !is_true(test)) {
            if (!whole) matrix.row_condition = deep_copy(test);
            else if (asked.empty()) loop.each->condition = deep_copy(test);
        }
        const bool inside = whole && !asked.empty();
        loop.body = std::move(asked);
        std::vector<Statement> rows;
        fine = fine && matrix_rows(matrix, rows) && !matrix.failed;
        const Into into(*this, loop.body);
        emit_under(inside ? std::move(test) : truth_of(true, words.place), std::move(rows),
                   words.place);
    }
    at_hand_ = at_hand;
    marked_ = marked;
    if (!fine || !introduce_matrix(matrix)) {
        if (known < 0) poison(matrix.name);
        return;
    }
    for_each_statement(loop.body, [&](Statement& s) {
        if (s.kind == Statement::Kind::append) s.variable = matrix.graph;
    });
    loop.each->built = matrix.graph;
    for (Statement& s : matrix.before) emit(std::move(s));
    emit(std::move(loop));
    renew_edges(matrix.graph, words.place);
}

/// Vectors over the edges of a graph that is another one now start anew.
void Checker::renew_edges(VariableId graph, Place place) {
    const Space edges{.kind = Space::Kind::edges, .graph = graph};
    for (std::size_t id = 0; id < algorithm_.variables.size(); ++id) {
        const Variable& vector = algorithm_.variables[id];
        const auto over = [&](SpaceId space) {
            return space >= 0 && algorithm_.spaces[static_cast<std::size_t>(space)] == edges;
        };
        const bool held = vector.type.is_known() && !vector.type.is_scalar() &&
                          vector.type.shape != Type::Shape::marks && !vector.is_local;
        if (!held || (!over(vector.type.space) && !over(vector.type.columns))) continue;
        Statement create;
        create.kind = Statement::Kind::create;
        create.place = place;
        create.variable = static_cast<VariableId>(id);
        emit(std::move(create));
    }
}

/// Labels, spaces and masks.
bool Checker::read_matrix(Matrix& matrix) {
    const syntax::Statement& words = *matrix.words;
    const Tree& target = *words.target;
    if (target.operands.size() != 3) {
        report(ErrorCode::inconsistent, target.place,
               fmt::format("'{}' is a graph and takes two indices", matrix.name.text),
               {.accepted = fmt::format("{}[i, j] = ...;", matrix.name.text)});
        return false;
    }
    if (matrix.graph >= 0 &&
        (!changing_.contains(matrix.graph) || find(matrix.name.text)->flipped)) {
        report(ErrorCode::unsupported, target.place,
               fmt::format("'{}' is a derived graph and cannot be assigned to", matrix.name.text),
               {.hint = "assign to a graph of another name"});
        return false;
    }
    if (words.changed) {
        report(ErrorCode::unsupported, words.changed->place,
               "'->' tells what changed in vectors and sets");
        return false;
    }
    if (matrix.graph >= 0) {
        matrix.rows = rows_of({.graph = matrix.graph});
        matrix.columns = columns_of({.graph = matrix.graph});
    }
    for (const std::size_t i : {1U, 2U}) {
        const Tree& index = target.operands[i];
        syntax::Name& label = i == 1 ? matrix.row : matrix.column;
        if (index.kind == Tree::Kind::name && is_free(index.name)) {
            label = {index.name, index.place};
            continue;
        }
        // One row or one column; the label has a name that no text can have.
        label = {i == 1 ? "(row)" : "(column)", index.place};
        if (matrix.graph < 0) continue;
        const SpaceId space = i == 1 ? matrix.rows : matrix.columns;
        bool checked = false;
        Expression at = index_value(index, space, checked);
        if (!at.type.is_known()) return false;
        if (checked) at = in_range(std::move(at), space);
        const VariableId fixed = new_variable("index", vertex_type(space), index.place);
        emit_scalar(fixed, std::move(at), index.place);
        (i == 1 ? matrix.fixed_row : matrix.fixed_column) = fixed;
    }
    if (matrix.row.text == matrix.column.text) {
        report(ErrorCode::inconsistent, matrix.column.place,
               fmt::format("'{}' stands for the row and for the column", matrix.row.text),
               {.hint = fmt::format("a diagonal is where they are equal: {0}[i, j]<i == j> = x[i];",
                                    matrix.name.text)});
        return false;
    }
    const bool part = matrix.row.text[0] == '(' || matrix.column.text[0] == '(';
    if (matrix.graph < 0 && (part || !words.accumulate.empty())) {
        report(ErrorCode::not_found, matrix.name.place,
               fmt::format("unknown graph '{}'", matrix.name.text),
               {.hint = fmt::format("declare it, or make it first: {}[i, j] = ...;",
                                    matrix.name.text)});
        return false;
    }
    if (matrix.graph < 0) {
        const auto space = [&](const std::string& label) {
            auto found = label_space(matrix.value(), label);
            if (!found && words.mask) found = label_space(words.mask->condition, label);
            return found.value_or(0);
        };
        matrix.rows = space(matrix.row.text);
        matrix.columns = space(matrix.column.text);
    }
    return read_matrix_mask(matrix);
}

/// A graph with the type that its values ask for, if it is new.
bool Checker::introduce_matrix(Matrix& matrix) {
    if (matrix.graph >= 0) return true;
    const Tree& value = matrix.value();
    Type type;
    type.shape = Type::Shape::graph;
    type.space = matrix.rows;
    type.columns = matrix.columns;
    bool pattern = !matrix.type || is_truth(*matrix.type);
    const Part part = part_of(matrix, value);
    if (part == Part::leaf || part == Part::mapped) {
        pattern = pattern || (is_graph(value.operands[0]) &&
                              variable(graph_of(value.operands[0]).graph).type.pattern);
    }
    type.pattern = pattern;
    type.element = pattern ? ElementType::pattern : matrix.type->element;
    matrix.graph = introduce(matrix.name, type);
    changing_.insert(matrix.graph);
    if (!pattern) inferred_.insert(matrix.graph);
    return true;
}

/// The code of a row: what it needs once, then its entries.
bool Checker::matrix_rows(Matrix& matrix, std::vector<Statement>& body) {
    const Into into(*this, body);
    once_a_row(matrix, matrix.value());
    for (const Tree* test : matrix.tests) once_a_row(matrix, *test);
    // The rows of masks are marked where a product asks them again and again.
    std::vector<Statement> marks;
    bool folds = part_of(matrix, matrix.value()) == Part::fold;
    for (const auto& [tree, part] : matrix.parts) folds = folds || part == Part::fold;
    if (folds) {
        for (const Tree* test : matrix.tests) mark_masks(matrix, *test, marks);
    }
    std::vector<Statement> entries;
    {
        const Into inside(*this, entries);
        if (!(matrix.is_whole() ? matrix_row(matrix) : merged_row(matrix))) return false;
    }
    while (!marks.empty()) {
        marks.back().body = std::move(entries);
        entries.clear();
        entries.push_back(std::move(marks.back()));
        marks.pop_back();
    }
    for (Statement& s : entries) emit(std::move(s));
    return true;
}

/// Folds that all entries of a row share are worked out once.
void Checker::once_a_row(Matrix& matrix, const Tree& tree) {
    const bool product = tree.kind == Tree::Kind::product;
    const syntax::Function* own = product ? find_function(tree.name) : nullptr;
    const bool semiring = own != nullptr && own->kind == syntax::Function::Kind::semiring;
    const bool folds =
        tree.kind == Tree::Kind::reduction || (product && (!tree.second.empty() || semiring));
    if (!folds) {
        for (const Tree& operand : tree.operands) once_a_row(matrix, operand);
        return;
    }
    if (mentions_column(matrix, tree)) return;
    Expression value = expression(tree);
    if (!value.type.is_known()) {
        matrix.failed = true;
        return;
    }
    const VariableId local = new_local("fold", value.type, tree.place);
    emit_scalar(local, std::move(value), tree.place);
    at_hand_.insert_or_assign(&tree, read(local, tree.place));
}

bool Checker::matrix_row(Matrix& matrix) {
    return masked(matrix, [&](Expression value) { append(matrix, std::move(value)); });
}

/// Whether an entry that is there stays. Of the row or column that a statement is about go those
/// that its mask leaves out, unless it keeps them. An accumulator keeps what it does not touch,
/// unless it is told to replace it.
Expression Checker::stays(Matrix& matrix) {
    const Place place = matrix.place();
    const bool accumulates = !matrix.words->accumulate.empty();
    if (accumulates && !matrix.replace) return truth_of(true, place);
    const auto in_part = [&] {
        std::vector<Expression> both;
        const auto fix = [&](VariableId label, VariableId at) {
            if (at >= 0) both.push_back(binary_of(Operation::equal, read(label), read(at)));
        };
        fix(matrix.label, matrix.fixed_row);
        fix(matrix.at, matrix.fixed_column);
        return conjunction(std::move(both));
    };
    if (!accumulates && !matrix.keep) return not_of(in_part());
    std::vector<Expression> both;
    if (matrix.row_condition) both.push_back(deep_copy(*matrix.row_condition));
    both.push_back(test_of(matrix));
    if (!both.back().type.is_known()) return unknown_at(place);
    Expression meant = conjunction(std::move(both));
    if (!accumulates) return not_of(std::move(meant));
    if (!matrix.is_part()) return meant;
    std::vector<Expression> dropped;
    dropped.push_back(in_part());
    dropped.push_back(not_of(std::move(meant)));
    return not_of(conjunction(std::move(dropped)));
}

/// What is there already and what is new, joined.
bool Checker::merged_row(Matrix& matrix) {
    const Place place = matrix.place();
    const std::string& accumulate = matrix.words->accumulate;
    const Type target = variable(matrix.graph).type;
    if (target.pattern && !accumulate.empty() && accumulate != "|") {
        report(ErrorCode::inconsistent, place,
               fmt::format("'{}=' does not go with a graph without values", accumulate),
               {.accepted = "|=", .hint = "graph<T> has values"});
        return false;
    }
    const Type element = target.pattern ? truth_type() : scalar_of(target.element);
    const VariableId row = new_row(matrix, element, place);
    Statement work;
    work.kind = Statement::Kind::workspace;
    work.place = place;
    work.variable = row;
    // What is there, seen from the labels of the statement.
    Tree there;
    there.kind = Tree::Kind::index;
    there.place = matrix.words->target->place;
    there.operands = {matrix.words->target->operands[0], {}, {}};
    for (const std::size_t i : {1U, 2U}) {
        there.operands[i].kind = Tree::Kind::name;
        there.operands[i].name = i == 1 ? matrix.row.text : matrix.column.text;
        there.operands[i].place = there.place;
    }
    {
        const Into inside(*this, work.body);
        const bool fine = leaf_row(matrix, there, [&](Expression old) {
            Expression test = stays(matrix);
            if (!test.type.is_known()) return;
            std::vector<Statement> put;
            {
                const Into kept(*this, put);
                put_first(matrix, row, std::move(old), place);
            }
            emit_under(std::move(test), std::move(put), place);
        });
        if (!fine) return false;
        const auto fit = [&](Expression value) { return stored_value(matrix, std::move(value)); };
        std::vector<Statement> found;
        {
            const Into new_ones(*this, found);
            const bool made = masked(matrix, [&](Expression value) {
                if (accumulate.empty() || target.pattern) {
                    put_first(matrix, row,
                              target.pattern ? std::move(value) : fit(std::move(value)), place);
                } else {
                    join_value(matrix, row, accumulate, element, std::move(value), fit, place);
                }
            });
            if (!made) return false;
        }
        emit_under(matrix.row_condition ? deep_copy(*matrix.row_condition) : truth_of(true, place),
                   std::move(found), place);
        along_row(
            matrix, row, element, [&](Expression value) { append(matrix, std::move(value)); },
            place);
    }
    emit(std::move(work));
    return !matrix.failed;
}

/// A value as the target holds it.
Expression Checker::stored_value(Matrix& matrix, Expression value) {
    if (!value.type.is_known()) {
        matrix.failed = true;
        return value;
    }
    if (!is_number(value.type) || value.type.lanes > 1) {
        report(ErrorCode::unsupported, matrix.value().place,
               fmt::format("values of edges are numbers, this is {}", described(value.type)));
        matrix.failed = true;
        return unknown_at(value.place);
    }
    if (matrix.graph < 0) {
        // An index is as wide as it may be.
        Type type = value.type.vertex ? scalar_of(ElementType::int64) : stored_type(value);
        value = converted_silently(std::move(value), type);
        matrix.type = type;
        return value;
    }
    const Type target = variable(matrix.graph).type;
    if (target.pattern) return value;
    widen(matrix.graph, value);
    const Type element = scalar_of(target.element);
    value = inferred_.contains(matrix.graph)
                ? converted_silently(std::move(value), element)
                : converted(std::move(value), element, matrix.value().place);
    if (!value.type.is_known()) matrix.failed = true;
    return value;
}

/// The entry goes to the row of the target. A truth is an entry where it holds, unless the target
/// has values.
void Checker::append(Matrix& matrix, Expression value) {
    const Place place = matrix.place();
    value = stored_value(matrix, std::move(value));
    if (matrix.failed) return;
    const bool pattern =
        matrix.graph < 0 ? is_truth(value.type) : variable(matrix.graph).type.pattern;
    Expression test = pattern && is_truth(value.type) ? value : truth_of(true, place);
    Statement entry;
    entry.kind = Statement::Kind::append;
    entry.place = place;
    entry.first = read(matrix.at, place);
    if (!pattern) entry.value = std::move(value);
    std::vector<Statement> body;
    body.push_back(std::move(entry));
    emit_under(std::move(test), std::move(body), place);
}

} // namespace tropic::language::algorithm
