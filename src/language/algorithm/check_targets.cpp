// Statements over all elements whose left side is no plain vector: scattered, edges, tables.
#include <fmt/format.h>

#include "language/algorithm/target.h"
#include "language/algorithm/visit.h"

namespace tropic::language::algorithm {

/// y[p[i]] op= value: every i puts something somewhere.
void Checker::scatter(const syntax::Statement& words, VariableId known) {
    const Tree& place = *words.target;
    std::vector<syntax::Name> labels;
    free_labels(place.operands[1], labels, true);
    if (labels.size() != 1) {
        report(ErrorCode::inconsistent, place.place, "one label scatters at a time");
        return;
    }
    if (words.changed) {
        report(ErrorCode::unsupported, words.changed->place, "'->' of a scattering statement");
        return;
    }
    auto space = label_space(place.operands[1], labels[0].text);
    if (!space) space = label_space(*words.value, labels[0].text);
    Target target;
    target.words = &words;
    target.variable = known;
    target.space = space.value_or(0);
    Guards guards;
    Statement loop;
    loop.kind = Statement::Kind::each;
    loop.place = words.place;
    loop.each = std::make_shared<Each>();
    loop.each->space = target.space;
    std::vector<Statement> put;
    {
        const MemberCode code(*this);
        const Into into(*this, put);
        target.label = bind_label(labels[0], target.space);
        loop.each->label = target.label;
        if (!read_mask(words, target)) return;
        guards.labels.insert(target.label);
        Guards* outer = std::exchange(guards_, &guards);
        const Restricts restricted = std::exchange(restricts_, Restricts::members);
        // What goes to members is read again: here only to find where it is.
        const bool members = variable(known).type.is_members();
        std::vector<Statement> unused;
        Expression value =
            aside(members ? unused : put, [&] { return scalar(*words.value, "a value"); });
        guards_ = outer;
        restricts_ = restricted;
        if (!value.type.is_known()) return;
        if (members) {
            one_by_one_ = false;
            assign_member(words, known);
            loop.each->alone = one_by_one_;
        } else {
            Expression at = element(place, known);
            if (!at.type.is_known()) return;
            widen(known, value);
            store(words, std::move(at), std::move(value));
        }
    }
    std::vector<Expression> conditions = std::move(target.mask);
    for (Expression& guard : guards.conditions) conditions.push_back(std::move(guard));
    loop.body = std::move(target.asked);
    put_under(loop, std::move(conditions), std::move(put));
    detach(known, loop);
    emit(std::move(loop));
}

/// w[i, j] op= value for every edge of the graph that w belongs to.
void Checker::edge_algebra(const syntax::Statement& words, VariableId known) {
    const Tree& place = *words.target;
    const Type type = variable(known).type;
    const Space space = algorithm_.spaces[static_cast<std::size_t>(type.space)];
    const bool names = place.operands.size() == 3 && place.operands[1].kind == Tree::Kind::name &&
                       place.operands[2].kind == Tree::Kind::name;
    if (space.kind != Space::Kind::edges || type.shape != Type::Shape::vector || !names) {
        report(
            ErrorCode::inconsistent, place.place,
            fmt::format("'{}' is {} and takes one index", place.operands[0].name, described(type)));
        return;
    }
    if (words.changed) {
        report(ErrorCode::unsupported, words.changed->place, "'->' of a statement over edges");
        return;
    }
    Statement loop;
    loop.kind = Statement::Kind::each;
    loop.place = words.place;
    loop.each = std::make_shared<Each>();
    loop.each->space = rows_of({.graph = space.graph});
    Statement along;
    along.kind = Statement::Kind::neighbours;
    along.place = words.place;
    along.graph = space.graph;
    {
        const MemberCode code(*this);
        loop.each->label =
            bind_label({place.operands[1].name, place.operands[1].place}, loop.each->space);
        along.first = read(loop.each->label);
        along.variable = bind_label({place.operands[2].name, place.operands[2].place},
                                    columns_of({.graph = space.graph}));
        edges_.push_back({.graph = space.graph,
                          .center = *along.first,
                          .label = along.variable,
                          .weight = &along.weight,
                          .edge = &along.edge});
        member_store(words, known, {loop.each->label, along.variable}, along.body);
        edges_.pop_back();
    }
    detach(known, along);
    loop.body.push_back(std::move(along));
    emit(std::move(loop));
}

/// The store of one element under the statement's mask, its labels bound.
void Checker::member_store(const syntax::Statement& words, VariableId id,
                           const std::set<VariableId>& labels, std::vector<Statement>& body) {
    Guards guards;
    guards.labels = labels;
    const auto guarded = [&](const auto& read_words) {
        Guards* const outer = std::exchange(guards_, &guards);
        const Restricts restricted = std::exchange(restricts_, Restricts::sparse);
        Expression result = read_words();
        guards_ = outer;
        restricts_ = restricted;
        return result;
    };
    std::vector<Statement> store_here;
    std::vector<Expression> mask;
    {
        const Into into(*this, store_here);
        if (words.mask) {
            for (const syntax::Name& way : words.mask->ways) {
                if (way.text == "keep") continue;
                report(ErrorCode::unsupported, way.place,
                       fmt::format("'{}' in a mask with two labels", way.text));
                return;
            }
            Expression test = guarded(
                [&] { return aside(body, [&] { return condition(words.mask->condition); }); });
            if (!test.type.is_known()) return;
            mask.push_back(std::move(test));
        }
        Expression at = element(*words.target, id);
        Expression value = guarded([&] { return value_for(*words.value, variable(id).type); });
        if (!at.type.is_known() || !value.type.is_known()) return;
        widen(id, value);
        store(words, std::move(at), std::move(value));
    }
    for (Expression& guard : guards.conditions) mask.push_back(std::move(guard));
    if (mask.empty()) {
        for (Statement& s : store_here) body.push_back(std::move(s));
        return;
    }
    Statement branch;
    branch.kind = Statement::Kind::branch;
    branch.place = words.place;
    branch.value = conjunction(std::move(mask));
    branch.body = std::move(store_here);
    body.push_back(std::move(branch));
}

/// D[i, k] op= value; one of the two may be bound.
void Checker::table_algebra(const syntax::Statement& words, VariableId known) {
    const Tree& place = *words.target;
    const Type type = variable(known).type;
    if (place.operands.size() != 3) {
        report(ErrorCode::inconsistent, place.place,
               fmt::format("'{}' is {} and takes two indices", place.operands[0].name,
                           described(type)));
        return;
    }
    if (words.changed) {
        report(ErrorCode::unsupported, words.changed->place, "'->' of a statement over a table");
        return;
    }
    const auto is_free = [&](const Tree& t) {
        return t.kind == Tree::Kind::name && find(t.name) == nullptr;
    };
    const bool row = is_free(place.operands[1]);
    const bool column = is_free(place.operands[2]);
    if (!row && !column) {
        report(ErrorCode::inconsistent, place.place, "a label of a table stands alone",
               {.accepted = "D[i, k], D[v, k], D[i, 0]"});
        return;
    }
    // An index that takes more than an expression is worked out once, before the loop.
    const auto at_hand = at_hand_;
    if (!row || !column) {
        const Tree& fixed = place.operands[row ? 2 : 1];
        std::vector<Statement> before;
        Expression at = aside(before, [&] { return scalar(fixed, "an index"); });
        if (!at.type.is_known()) return;
        if (!before.empty() || does_something(at)) {
            for (Statement& s : before) emit(std::move(s));
            at_hand_.insert_or_assign(&fixed, once(std::move(at)));
        }
    }
    Statement loop;
    loop.kind = Statement::Kind::each;
    loop.place = words.place;
    loop.each = std::make_shared<Each>();
    loop.each->space = row ? type.space : type.columns;
    const Tree& outer = place.operands[row ? 1 : 2];
    const MemberCode code(*this);
    loop.each->label = bind_label({outer.name, outer.place}, loop.each->space);
    if (row && column) {
        Statement inner;
        inner.kind = Statement::Kind::count;
        inner.place = words.place;
        const Tree& k = place.operands[2];
        inner.variable = bind_label({k.name, k.place}, type.columns);
        const Type index = vertex_type(type.columns);
        inner.first = constant_of(0, index, words.place);
        inner.step = constant_of(1, index, words.place);
        Expression size;
        size.kind = Expression::Kind::size;
        size.space = type.columns;
        size.type = scalar_of(ElementType::int64);
        inner.value = converted_silently(std::move(size), index);
        member_store(words, known, {loop.each->label, inner.variable}, inner.body);
        detach(known, inner);
        loop.body.push_back(std::move(inner));
    } else {
        member_store(words, known, {loop.each->label}, loop.body);
        detach(known, loop);
    }
    at_hand_ = at_hand;
    emit(std::move(loop));
}

} // namespace tropic::language::algorithm
