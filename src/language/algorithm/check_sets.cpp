// Sets as values: braces, names, what |, & and - make of them.
#include <fmt/format.h>

#include "language/algorithm/checker.h"

namespace tropic::language::algorithm {

void Checker::assign_set(const syntax::Statement& words, VariableId known, const Tree& value) {
    const syntax::Name name{words.target->name, words.target->place};
    if (in_member()) {
        const bool one = value.kind == Tree::Kind::set && words.accumulate == "|" && known >= 0;
        if (!one) {
            report(ErrorCode::unsupported, words.place, "a set is assigned inside 'each'",
                   {.accepted = "insert(s, v);"});
            return;
        }
    }
    if (known < 0) {
        if (!words.accumulate.empty()) {
            report_unknown(name.text, name.place, "set");
            return poison(name);
        }
        Type type;
        type.shape = Type::Shape::set;
        type.element = ElementType::boolean;
        type.space = set_space(value);
        known = introduce(name, type);
    }
    const Type target = variable(known).type;
    if (target.shape == Type::Shape::sparse && value.kind == Tree::Kind::set &&
        value.operands.empty() && words.accumulate.empty()) {
        Statement clear;
        clear.kind = Statement::Kind::clear;
        clear.place = words.place;
        clear.variable = known;
        return emit(std::move(clear));
    }
    if (target.shape != Type::Shape::set) {
        report(ErrorCode::inconsistent, words.place,
               fmt::format("'{}' is {}, this is a set", name.text, described(target)));
        return;
    }
    if (words.accumulate.empty()) {
        set_value(value, known);
        return;
    }
    if (words.accumulate != "|" && words.accumulate != "&" && words.accumulate != "-") {
        report(ErrorCode::inconsistent, words.place,
               fmt::format("'{}=' does not go with sets", words.accumulate),
               {.accepted = "|=, &=, -="});
        return;
    }
    if (value.kind == Tree::Kind::set && words.accumulate == "|") { // few members, one by one
        for (const Tree& member : value.operands) {
            bool checked = false;
            Expression at = index_value(member, target.space, checked);
            if (!at.type.is_known()) return;
            if (checked) at = in_range(std::move(at), target.space);
            Statement put;
            put.kind = Statement::Kind::evaluate;
            put.place = member.place;
            put.value = insert_of(known, std::move(at), member.place);
            emit(std::move(put));
        }
        return;
    }
    if (value.kind == Tree::Kind::builder && words.accumulate == "|") {
        return build_set(known, value, true);
    }
    const VariableId other = set_value(value, -1);
    if (other >= 0) combine_sets(known, words.accumulate, other, words.place);
}

/// The space of the members, from the first that says.
SpaceId Checker::set_space(const Tree& tree) {
    if (tree.kind == Tree::Kind::builder) {
        return label_space(tree.operands[0], tree.labels[0].text).value_or(0);
    }
    if (tree.kind == Tree::Kind::name || tree.kind == Tree::Kind::call) {
        const Tree& name =
            tree.kind == Tree::Kind::name || tree.operands.empty() ? tree : tree.operands[0];
        const VariableId id = name.kind == Tree::Kind::name ? find_variable(name.name) : -1;
        return id >= 0 && !variable(id).type.is_scalar() ? variable(id).type.space : 0;
    }
    if (tree.kind == Tree::Kind::binary) return set_space(tree.operands[0]);
    return 0;
}

void Checker::combine_sets(VariableId set, std::string_view op, VariableId other, Place place) {
    if (variable(set).type.space != variable(other).type.space) {
        report(ErrorCode::inconsistent, place,
               fmt::format("a set of {} and one of {}", described(variable(set).type.space),
                           described(variable(other).type.space)));
        return;
    }
    Statement result;
    result.kind = Statement::Kind::combine;
    result.place = place;
    result.variable = set;
    result.other = other;
    result.operation = op == "|"   ? Operation::bit_or
                       : op == "&" ? Operation::bit_and
                                   : Operation::subtract;
    emit(std::move(result));
}

/// The set as a variable: `into` if it is one, else a new one (or the one that the tree names).
VariableId Checker::set_value(const Tree& tree, VariableId into) {
    if (tree.kind == Tree::Kind::name) {
        const VariableId from = find_variable(tree.name);
        if (into < 0) return from;
        assign_from({variable(into).name, tree.place}, into, from, tree.place);
        return into;
    }
    if (in_member()) {
        report(ErrorCode::unsupported, tree.place, "a set is made inside 'each'",
               {.hint = "make it before the loop"});
        return -1;
    }
    const auto target = [&] {
        if (into >= 0) return into;
        Type type;
        type.shape = Type::Shape::set;
        type.element = ElementType::boolean;
        type.space = set_space(tree);
        return new_buffer("set", type, tree.place);
    };
    if (tree.kind == Tree::Kind::builder) {
        const VariableId set = target();
        build_set(set, tree, false);
        return set;
    }
    if (tree.kind == Tree::Kind::set) {
        const VariableId set = target();
        Statement result;
        result.kind = tree.operands.empty() ? Statement::Kind::clear : Statement::Kind::members;
        result.place = tree.place;
        result.variable = set;
        for (const Tree& member : tree.operands) {
            bool checked = false;
            const SpaceId space = variable(set).type.space;
            Expression at = index_value(member, space, checked);
            if (!at.type.is_known()) return set;
            result.members.push_back(in_range(std::move(at), space));
        }
        emit(std::move(result));
        return set;
    }
    if (tree.kind == Tree::Kind::call) {
        if (!argument_count(tree, 1, 1, fmt::format("{}(x)", tree.name))) return -1;
        const VariableId from = whole(tree.operands[0], tree.name == "pop" ? "a stack" : "a set");
        if (from < 0 || !variable(from).type.is_known()) return -1;
        const Type::Shape wanted = tree.name == "pop" ? Type::Shape::stack : Type::Shape::sparse;
        if (variable(from).type.shape != wanted) {
            report(ErrorCode::inconsistent, tree.operands[0].place,
                   fmt::format("'{}' takes a {}, '{}' is {}", tree.name,
                               tree.name == "pop" ? "stack" : "sparse vector",
                               tree.operands[0].name, described(variable(from).type)));
            return -1;
        }
        const VariableId set = target();
        if (tree.name == "structure") {
            copy_elements(set, from, tree.place);
            return set;
        }
        Statement result;
        result.kind = Statement::Kind::pop;
        result.place = tree.place;
        result.variable = from;
        result.other = set;
        emit(std::move(result));
        return set;
    }
    // s | t, s & t, s - t: the left one, changed by the right one.
    const VariableId right = set_value(tree.operands[1], -1);
    if (right < 0) return -1;
    const Tree& first = tree.operands[0];
    const bool in_place =
        first.kind == Tree::Kind::name && into >= 0 && find_variable(first.name) == into;
    VariableId set = into;
    if (!in_place) {
        // The target may be the right operand, so it is written last.
        Type type = variable(right).type;
        type.shape = Type::Shape::set;
        set = into >= 0 && into != right ? into : new_buffer("set", type, tree.place);
        if (set_value(first, set) < 0) return -1;
    }
    combine_sets(set, tree.name, right, tree.place);
    if (into >= 0 && set != into) {
        assign_from({variable(into).name, tree.place}, into, set, tree.place);
        return into;
    }
    return set;
}

/// {i : condition}
void Checker::build_set(VariableId set, const Tree& builder, bool grow) {
    Statement loop;
    loop.kind = Statement::Kind::each;
    loop.place = builder.place;
    loop.each = std::make_shared<Each>();
    loop.each->space = variable(set).type.space;
    std::vector<Expression> parts;
    Guards guards;
    {
        const MemberCode code(*this);
        const Into into(*this, loop.body);
        loop.each->label = bind_label(builder.labels[0], loop.each->space);
        guards.labels.insert(loop.each->label);
        Guards* outer = std::exchange(guards_, &guards);
        const Restricts restricted = std::exchange(restricts_, Restricts::members);
        Expression test = condition(builder.operands[0]);
        guards_ = outer;
        restricts_ = restricted;
        if (!test.type.is_known()) return;
        split_conjunction(std::move(test), parts);
    }
    for (Expression& guard : guards.conditions) parts.push_back(std::move(guard));
    Statement put;
    put.kind = Statement::Kind::evaluate;
    put.place = builder.place;
    put.value = insert_of(set, read(loop.each->label), builder.place);
    emit_over(std::move(loop), std::move(parts), std::move(put), set, grow);
}

} // namespace tropic::language::algorithm
