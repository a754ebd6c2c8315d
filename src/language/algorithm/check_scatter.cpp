// Parts of graphs that are assigned to: C[p[i], q[j]] op= value. What goes where becomes graphs of
// its own, and the statement a product of them.
#include <array>

#include <fmt/format.h>

#include "language/algorithm/matrix.h"

namespace tropic::language::algorithm {

namespace {

using Tree = syntax::Expression;

Tree name_of(const syntax::Name& name) {
    Tree tree;
    tree.kind = Tree::Kind::name;
    tree.place = name.place;
    tree.name = name.text;
    return tree;
}

Tree edge_of(const std::string& graph, const syntax::Name& from, const syntax::Name& to) {
    Tree tree;
    tree.kind = Tree::Kind::index;
    tree.place = from.place;
    tree.operands = {name_of({graph, from.place}), name_of(from), name_of(to)};
    return tree;
}

} // namespace

/// Whether an index of the target is more than a label and less than a number.
bool Checker::is_scattered(const Tree& target) const {
    if (target.operands.size() != 3) return false;
    for (const std::size_t i : {1U, 2U}) {
        std::vector<syntax::Name> labels;
        free_labels(target.operands[i], labels, true);
        if (!labels.empty() && target.operands[i].kind != Tree::Kind::name) return true;
    }
    return false;
}

void Checker::matrix_scatter(const syntax::Statement& words, VariableId known) {
    const Tree& target = *words.target;
    const Tree& base = target.operands[0];
    if (known < 0 || !changing_.contains(known)) {
        report(ErrorCode::not_found, base.place, fmt::format("unknown graph '{}'", base.name),
               {.hint = fmt::format("declare it, or make it first: {}[i, j] = ...;", base.name)});
        return;
    }
    if (words.mask && !words.mask->ways.empty()) {
        report(
            ErrorCode::unsupported, words.mask->ways[0].place,
            fmt::format("'{}' in a mask of what is put here and there", words.mask->ways[0].text));
        return;
    }
    // The labels of the right side, and those of the target; names that no text can have.
    std::array<syntax::Name, 2> from;
    std::array<syntax::Name, 2> to;
    std::vector<Statement> before;
    std::vector<Tree> ways;
    for (const std::size_t i : {0U, 1U}) {
        const Tree& index = target.operands[i + 1];
        std::vector<syntax::Name> labels;
        free_labels(index, labels, true);
        if (labels.size() != 1) {
            report(ErrorCode::unsupported, index.place,
                   "what is put here and there has one label for rows and one for columns",
                   {.accepted =
                        fmt::format("{0}[p[i], q[j]], {0}[p[i], j], {0}[i, q[j]]", base.name)});
            return;
        }
        from[i] = to[i] = labels[0];
        if (index.kind == Tree::Kind::name) continue;
        const SpaceId space = i == 0 ? rows_of({.graph = known}) : columns_of({.graph = known});
        auto origin = label_space(index, labels[0].text);
        if (!origin) origin = label_space(*words.value, labels[0].text);
        const VariableId places =
            index_graph(index, labels[0], origin.value_or(0), space, -1, before);
        if (places < 0) return;
        to[i] = {i == 0 ? "(row)" : "(column)", index.place};
        const std::string hidden = i == 0 ? "(rows)" : "(columns)";
        frame_->scopes[0].insert_or_assign(hidden, Symbol{.variable = places});
        ways.push_back(edge_of(hidden, from[i], to[i]));
    }
    for (Statement& s : before) emit(std::move(s));
    const auto assign_edges = [&](const std::string& graph, VariableId id,
                                  const std::array<syntax::Name, 2>& labels,
                                  const std::string& accumulate, Tree value, bool masked) {
        syntax::Statement made;
        made.kind = syntax::Statement::Kind::assign;
        made.place = words.place;
        made.target = edge_of(graph, labels[0], labels[1]);
        made.target->operands[0].place = base.place;
        made.accumulate = accumulate;
        if (masked) made.mask = words.mask;
        made.value = std::move(value);
        owned_.push_back(std::move(made));
        matrix_algebra(owned_.back(), id);
    };
    assign_edges("(made)", -1, from, "", *words.value, true);
    if (const VariableId made = find_variable("(made)");
        made >= 0 && variable(made).type.is_known()) {
        Tree fold;
        fold.kind = Tree::Kind::reduction;
        fold.place = words.place;
        // Of several that are put at one place one stays, unless they are gathered.
        fold.name = words.accumulate.empty() || variable(made).type.pattern ? "any"
                    : words.accumulate == "-"                               ? "sum"
                                                                            : words.accumulate;
        for (const std::size_t i : {0U, 1U}) {
            if (from[i].text != to[i].text) fold.labels.push_back(from[i]);
        }
        fold.operands.push_back(edge_of("(made)", from[0], from[1]));
        Tree condition = ways[0];
        if (ways.size() == 2) {
            Tree both;
            both.kind = Tree::Kind::binary;
            both.name = "&&";
            both.place = words.place;
            both.operands = {std::move(ways[0]), std::move(ways[1])};
            condition = std::move(both);
        }
        fold.operands.push_back(std::move(condition));
        const bool pattern = variable(known).type.pattern;
        assign_edges(base.name, known, to,
                     pattern                    ? "|"
                     : words.accumulate.empty() ? "second"
                                                : words.accumulate,
                     std::move(fold), false);
    }
    for (const char* hidden : {"(made)", "(rows)", "(columns)"}) frame_->scopes[0].erase(hidden);
}

} // namespace tropic::language::algorithm
