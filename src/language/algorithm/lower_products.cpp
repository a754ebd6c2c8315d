// Rows that products make: the edges that lead from the row to its columns are followed, and what
// comes to a column is gathered in a row of the member's own.
#include <algorithm>

#include <fmt/format.h>

#include "language/algorithm/matrix.h"
#include "language/algorithm/visit.h"

namespace tropic::language::algorithm {

namespace {

/// Whether folding ones gives one, however many there are.
bool is_test(Operation operation) {
    return operation == Operation::any || operation == Operation::minimum ||
           operation == Operation::maximum || operation == Operation::logical_or ||
           operation == Operation::logical_and;
}

} // namespace

bool Checker::fold_row(Matrix& matrix, const Tree& tree, const Entry& entry) {
    const std::optional<Fold> words = fold_of(tree);
    if (!words) return false;
    if (words->monoid == "argmin" || words->monoid == "argmax") {
        report(ErrorCode::unsupported, tree.place,
               fmt::format("'{}' makes vectors, not graphs", words->monoid),
               {.accepted = fmt::format("x[i] = {}[k](A[i, k]);", words->monoid)});
        return false;
    }
    std::vector<syntax::Name> labels = words->labels;
    std::erase_if(labels,
                  [&](const syntax::Name& label) { return label.text == matrix.column.text; });
    if (labels.empty() && !words->factors.empty()) {
        report_nothing_folded(tree, *words);
        return false;
    }
    labels.push_back(matrix.column);
    const VariableId row = new_row(matrix, scalar_of(ElementType::float64), tree.place);
    Statement work;
    work.kind = Statement::Kind::workspace;
    work.place = tree.place;
    work.variable = row;
    bool fine = false;
    {
        const Into into(*this, work.body);
        std::vector<VariableId> outer;
        std::swap(outer, matrix.fold_labels);
        Type type;
        ++folds_deep_;
        fine = fold_loops(matrix, *words, std::move(labels), row, type);
        --folds_deep_;
        std::swap(outer, matrix.fold_labels);
        if (fine) along_row(matrix, row, type, entry, tree.place);
    }
    emit(std::move(work));
    return fine && !matrix.failed;
}

/// Follows the edges to one label after the other; to the column last, if others can be reached.
bool Checker::fold_loops(Matrix& matrix, const Fold& words, std::vector<syntax::Name> labels,
                         VariableId row, Type& type) {
    if (labels.empty()) return fold_entry(matrix, words, row, type);
    for (std::size_t i = 0; i < labels.size(); ++i) {
        for (const Tree* tree : trees_of(words)) {
            const Tree* edge = find_edge(*tree, labels[i].text);
            if (edge == nullptr) continue;
            const syntax::Name label = labels[i];
            labels.erase(labels.begin() + static_cast<std::ptrdiff_t>(i));
            return follow_row(matrix, *edge, label, [&] {
                matrix.fold_labels.push_back(find_variable(label.text));
                return fold_loops(matrix, words, labels, row, type);
            });
        }
    }
    report(ErrorCode::inconsistent, words.place,
           fmt::format("no edge leads to '{}'", labels.front().text),
           {.hint = fmt::format("in a product that makes a graph, edges lead from '{}' to '{}'",
                                matrix.row.text, matrix.column.text)});
    return false;
}

/// All labels are bound: what this way from the row to the column adds.
bool Checker::fold_entry(Matrix& matrix, const Fold& words, VariableId row, Type& type) {
    const Place place = words.place;
    for (const Tree* factor : words.factors) {
        std::vector<const Tree*> sides;
        if (factor->kind == Tree::Kind::binary && (factor->name == "+" || factor->name == "-")) {
            for (const Tree& side : factor->operands) {
                std::vector<const Tree*> found;
                leaves_of(side, found);
                if (!found.empty() || edges_at_hand(side)) sides.push_back(&side);
            }
        }
        if (sides.size() < 2) continue;
        report(ErrorCode::unsupported, factor->place, "a sum of graphs inside a product",
               {.hint = "make it a graph of its own first: D[i, k] = A[i, k] + B[i, k];"});
        return false;
    }
    std::vector<const Tree*> leaves;
    for (const Tree* tree : trees_of(words)) leaves_of(*tree, leaves);
    const auto gather = [&]() -> bool {
        Guards guards;
        guards.labels.insert(matrix.fold_labels.begin(), matrix.fold_labels.end());
        guards.labels.insert(matrix.label);
        Guards* const outer = std::exchange(guards_, &guards);
        const Restricts restricted = std::exchange(restricts_, Restricts::members);
        Expression value = folded_value(words, guards);
        guards_ = outer;
        restricts_ = restricted;
        if (!value.type.is_known()) return false;
        auto monoid = monoid_of(monoid_word(words.monoid), value.type, place);
        if (!monoid) return false;
        std::vector<Statement> body;
        {
            const Into into(*this, body);
            if (is_test(monoid->operation) && (is_constant(value, 1) || is_true(value))) {
                type = truth_type();
                variable(row).type = row_type(matrix, type);
                Statement insert;
                insert.kind = Statement::Kind::evaluate;
                insert.place = place;
                insert.value = insert_of(row, read(matrix.at, place), place);
                emit(std::move(insert));
            } else {
                type = value.type;
                variable(row).type = row_type(matrix, type);
                variable(row).type.shape = Type::Shape::sparse; // truths may be false
                value = kept(std::move(value), place);
                Statement branch;
                branch.kind = Statement::Kind::branch;
                branch.place = place;
                branch.value = insert_of(row, read(matrix.at, place), place);
                branch.body.push_back(store_in_row(matrix, row, value, place));
                if (monoid->operation != Operation::any) {
                    Statement further = store_in_row(matrix, row, value, place);
                    further.operation = monoid->operation;
                    further.monoid = std::make_shared<Monoid>(std::move(*monoid));
                    branch.otherwise.push_back(std::move(further));
                }
                emit(std::move(branch));
            }
        }
        emit_under(conjunction(std::move(guards.conditions)), std::move(body), place);
        return true;
    };
    Expression test = test_of(matrix);
    if (!test.type.is_known()) return false;
    std::vector<Statement> body;
    bool fine = false;
    {
        const Into into(*this, body);
        fine = where_present(matrix, leaves, 0, gather);
    }
    emit_under(std::move(test), std::move(body), place);
    return fine;
}

/// Whether edges are followed in it.
bool Checker::edges_at_hand(const Tree& tree) const {
    if (at_hand_.contains(&tree)) {
        return tree.kind == Tree::Kind::index && tree.operands.size() == 3;
    }
    return std::ranges::any_of(tree.operands,
                               [&](const Tree& operand) { return edges_at_hand(operand); });
}

/// A graph with one edge for every value of the label, to what the index is there: made by a loop
/// that goes to `into`. The index must not depend on `unknown`.
VariableId Checker::index_graph(const Tree& index, const syntax::Name& label, SpaceId from,
                                SpaceId to, VariableId unknown, std::vector<Statement>& into) {
    Type type;
    type.shape = Type::Shape::graph;
    type.pattern = true;
    type.element = ElementType::pattern;
    type.space = from;
    type.columns = to;
    const VariableId graph =
        new_variable(fmt::format("places_of_{}", label.text), type, index.place);
    Statement loop;
    loop.kind = Statement::Kind::each;
    loop.place = index.place;
    loop.each = std::make_shared<Each>();
    loop.each->space = from;
    loop.each->built = graph;
    const MemberCode code(*this);
    loop.each->label = bind_label(label, from);
    {
        const Into body(*this, loop.body);
        bool checked = false;
        Expression at = index_value(index, to, checked);
        if (!at.type.is_known()) return -1;
        if (unknown >= 0 && mentions(at, unknown)) {
            report(ErrorCode::unsupported, index.place,
                   fmt::format("where '{}' comes from depends on the row", label.text));
            return -1;
        }
        if (checked) at = in_range(std::move(at), to);
        Statement put;
        put.kind = Statement::Kind::append;
        put.place = index.place;
        put.variable = graph;
        put.first = std::move(at);
        emit(std::move(put));
    }
    into.push_back(std::move(loop));
    return graph;
}

/// A[i, q[j]]: which columns come from which is a graph of its own, made before the loop.
bool Checker::mapped_row(Matrix& matrix, const Tree& tree, const Entry& entry) {
    const Place place = tree.place;
    if (!is_graph(tree.operands[0])) {
        report(ErrorCode::unsupported, place, "an edge vector is read where its edge is",
               {.accepted = "w[i, j]"});
        return false;
    }
    const GraphUse use = graph_of(tree.operands[0]);
    if (use.graph < 0) return false;
    const bool to_column = mentions_column(matrix, tree.operands[2]);
    const Tree& index = tree.operands[to_column ? 2 : 1];
    const SpaceId from = to_column ? rows_of(use) : columns_of(use);
    const SpaceId to = to_column ? columns_of(use) : rows_of(use);
    // From a column of the target to the place it is taken from.
    const VariableId taken =
        index_graph(index, matrix.column, matrix.columns, to, matrix.label, matrix.before);
    if (taken < 0) return false;
    bool checked = false;
    Expression center = index_value(tree.operands[to_column ? 1 : 2], from, checked);
    if (!center.type.is_known()) return false;
    if (checked) center = in_range(std::move(center), from);
    const Type given = variable(use.graph).type;
    const Type value = given.pattern ? truth_type() : scalar_of(given.element);
    Statement work;
    work.kind = Statement::Kind::workspace;
    work.place = place;
    work.variable = new_row(matrix, value, place);
    {
        const Into into(*this, work.body);
        Statement along;
        along.kind = Statement::Kind::neighbours;
        along.place = place;
        along.graph = use.graph;
        along.inward = to_column == use.flipped;
        along.first = std::move(center);
        along.variable = new_local("from", vertex_type(to), place);
        if (!given.pattern) along.weight = new_local("value", value, place);
        Statement back;
        back.kind = Statement::Kind::neighbours;
        back.place = place;
        back.graph = taken;
        back.inward = true;
        back.first = read(along.variable);
        back.variable = new_local(matrix.column.text, vertex_type(matrix.columns), place);
        in_range_.insert(back.variable);
        matrix.at = back.variable;
        {
            const Into inside(*this, back.body);
            put_first(matrix, work.variable,
                      given.pattern ? truth_of(true, place) : read(along.weight), place);
        }
        along.body.push_back(std::move(back));
        emit(std::move(along));
        along_row(matrix, work.variable, value, entry, place);
    }
    emit(std::move(work));
    return !matrix.failed;
}

} // namespace tropic::language::algorithm
