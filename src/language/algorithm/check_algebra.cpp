// Statements over all elements: x[i]<mask> op= value -> changed.
#include <algorithm>

#include <fmt/format.h>

#include "language/algorithm/target.h"
#include "language/algorithm/visit.h"

namespace tropic::language::algorithm {

namespace {

bool is_fold(const Expression& e) {
    return e.kind == Expression::Kind::reduction && !e.reduction->argument;
}

} // namespace

/// Whether a fold along edges is restricted to members of a set or sparse vector.
VariableId Checker::front_of(const Expression& value) const {
    if (!is_fold(value) || value.reduction->graph < 0 || !value.reduction->condition) return -1;
    std::vector<Expression> parts;
    split_conjunction(*value.reduction->condition, parts);
    for (const Expression& part : parts) {
        if (part.kind == Expression::Kind::member &&
            is_label_of(part.operands[0], value.reduction->label) &&
            variable(part.variable).type.is_members()) {
            return part.variable;
        }
    }
    return -1;
}

void Checker::algebra(const syntax::Statement& words, VariableId known) {
    const Tree& place = *words.target;
    const Tree& base = place.operands[0];
    const bool two = place.operands.size() == 3;
    if (known < 0 && two) return matrix_algebra(words, known);
    if (known < 0 && place.operands[1].kind != Tree::Kind::name) {
        report(ErrorCode::not_found, base.place, fmt::format("unknown vector '{}'", base.name),
               {.hint = fmt::format("give all its elements a value first: {}[i] = 0;", base.name)});
        return poison({base.name, base.place});
    }
    if (known >= 0 && variable(known).type.shape == Type::Shape::table) {
        return table_algebra(words, known);
    }
    if (known >= 0 && variable(known).type.shape == Type::Shape::stack) {
        report(ErrorCode::inconsistent, base.place,
               fmt::format("'{}' is a stack and has no elements", base.name));
        return;
    }
    if (two) return edge_algebra(words, known);
    if (place.operands.size() != 2) {
        report(ErrorCode::inconsistent, place.place,
               fmt::format("'{}' takes one index", base.name));
        return;
    }
    if (place.operands[1].kind != Tree::Kind::name) return scatter(words, known);
    vector_algebra(words, known);
}

void Checker::vector_algebra(const syntax::Statement& words, VariableId known) {
    const Tree& place = *words.target;
    const syntax::Name name{place.operands[0].name, place.operands[0].place};
    const syntax::Name label{place.operands[1].name, place.operands[1].place};
    Target target;
    target.words = &words;
    if (known >= 0) {
        target.space = variable(known).type.space;
    } else {
        auto space = label_space(*words.value, label.text);
        if (!space && words.mask) space = label_space(words.mask->condition, label.text);
        target.space = space.value_or(0);
    }
    Guards guards;
    bool fine = true;
    {
        const MemberCode code(*this);
        const Into into(*this, target.before);
        target.label = bind_label(label, target.space);
        fine = read_mask(words, target);
        guards.labels.insert(target.label);
        Guards* outer = std::exchange(guards_, &guards);
        // The elements of a vector have a value everywhere, and so has a set: false where it has no
        // member.
        const bool everywhere = known >= 0 ? variable(known).type.shape == Type::Shape::vector
                                           : words.makes == syntax::Statement::Makes::vector;
        const Restricts restricted =
            std::exchange(restricts_, everywhere ? Restricts::sparse : Restricts::members);
        target.value = known >= 0 ? value_for(*words.value, variable(known).type)
                                  : scalar(*words.value, "a value");
        guards_ = outer;
        restricts_ = restricted;
    }
    if (!target.value.type.is_known() || !fine) {
        if (known < 0) poison(name);
        return;
    }
    target.guards = std::move(guards.conditions);
    target.variable = known >= 0 ? known : introduce_vector(name, target);
    if (known < 0 && !words.accumulate.empty()) {
        report(ErrorCode::not_found, name.place, fmt::format("unknown vector '{}'", name.text),
               {.hint = fmt::format("give all its elements a value first: {}[{}] = 0;", name.text,
                                    label.text)});
        return;
    }
    if (words.changed && !find_changed(*words.changed, target)) return;
    const Type type = variable(target.variable).type;
    const bool members = type.is_members();
    if (members && !target.keep) target.replace = true;
    if (type.shape == Type::Shape::set) {
        target.value = member_test(std::move(target.value));
    } else {
        widen(target.variable, target.value);
        target.value = fitted(std::move(target.value), target);
    }
    if (!target.value.type.is_known()) return;
    // Whatever gathers into members leaves others alone, unless they are to go.
    const bool drops = members && target.drop && !words.accumulate.empty() && !target.mask.empty();
    // A mask is asked once for each, however often the statement needs its answer.
    const bool asks = !target.asked.empty() || std::ranges::any_of(target.mask, does_something);
    const VariableId mask = drops || asks ? mask_as_set(target) : -1;
    if (!choose(target)) {
        if (target.forced == Choose::Forced::push) return report_no_push(target);
        element_wise(target);
    }
    if (drops) keep_only(target, mask);
}

/// A new variable of the kind that such a value asks for.
VariableId Checker::introduce_vector(const syntax::Name& name, const Target& target) {
    using enum syntax::Statement::Makes;
    const auto makes = target.words->makes;
    const bool some =
        makes == by_value ? front_of(target.value) >= 0 || !target.guards.empty() : makes == sparse;
    Type type = stored_type(target.value);
    type.shape = some ? Type::Shape::sparse : Type::Shape::vector;
    const bool test = is_fold(target.value) && is_constant(target.value.reduction->value, 1) &&
                      target.value.reduction->monoid.operation == Operation::any;
    if (makes == by_value && some && (test || is_truth(target.value.type))) {
        type.shape = Type::Shape::set;
        type.element = ElementType::boolean;
    }
    type.space = target.space;
    const VariableId id = introduce(name, type);
    if (type.record < 0 && type.shape != Type::Shape::set) inferred_.insert(id);
    return id;
}

/// The set behind `->`.
bool Checker::find_changed(const syntax::Name& name, Target& target) {
    const Type& type = variable(target.variable).type;
    if (type.shape == Type::Shape::sparse) {
        report(ErrorCode::unsupported, name.place, "'->' tells what changed in vectors and sets");
        return false;
    }
    if (type.shape == Type::Shape::set && target.words->accumulate != "|") {
        report(ErrorCode::unsupported, name.place, "'->' tells what a set gains by '|='",
               {.hint = "keep a copy before it, old = s; and compare: gained = s - old;"});
        return false;
    }
    target.changed = find_variable(name.text);
    if (target.changed < 0) {
        Type set;
        set.shape = Type::Shape::set;
        set.element = ElementType::boolean;
        set.space = target.space;
        target.changed = introduce(name, set);
    }
    const Type& changed = variable(target.changed).type;
    if (changed.shape != Type::Shape::set || changed.space != target.space) {
        report(ErrorCode::inconsistent, name.place,
               fmt::format("'->' fills a set of {}, '{}' is {}", described(target.space), name.text,
                           described(changed)));
        return false;
    }
    return is_assignable(target.changed, name.place);
}

// --- masks ---

bool Checker::read_mask(const syntax::Statement& words, Target& target) {
    if (!words.mask) return true;
    for (const syntax::Name& way : words.mask->ways) {
        if (way.text == "replace") target.replace = target.drop = true;
        else if (way.text == "keep") target.keep = true;
        else if (way.text == "push") target.forced = Choose::Forced::push;
        else if (way.text == "pull") target.forced = Choose::Forced::pull;
        else {
            report(ErrorCode::syntax, way.place,
                   fmt::format("unknown word '{}' of a mask", way.text),
                   {.accepted = "keep, replace, push, pull"});
            return false;
        }
    }
    // What is compared is there, as in the condition of a fold.
    Guards guards;
    guards.labels.insert(target.label);
    Guards* const outer = std::exchange(guards_, &guards);
    const Restricts restricted = std::exchange(restricts_, Restricts::sparse);
    Expression mask =
        aside(target.asked, [&] { return mask_condition(words.mask->condition, target.label); });
    guards_ = outer;
    restricts_ = restricted;
    if (!mask.type.is_known()) return false;
    target.mask = std::move(guards.conditions);
    split_conjunction(std::move(mask), target.mask);
    return true;
}

/// A condition on the label; the bare name of a vector or set stands for its element.
Expression Checker::mask_condition(const Tree& tree, VariableId label) {
    if (tree.kind == Tree::Kind::unary && tree.name == "!") {
        const Restricts outer = std::exchange(restricts_, Restricts::nothing);
        Expression inner = mask_condition(tree.operands[0], label);
        restricts_ = outer;
        return inner.type.is_known() ? not_of(std::move(inner)) : inner;
    }
    const bool structure = tree.kind == Tree::Kind::call && tree.name == "structure" &&
                           find_function(tree.name) == nullptr;
    if (structure && !argument_count(tree, 1, 1, "structure(x)")) return unknown_at(tree.place);
    const Tree& named = structure ? tree.operands[0] : tree;
    const VariableId id = named.kind == Tree::Kind::name ? find_variable(named.name) : -1;
    if (id < 0 || !variable(id).type.is_known() || variable(id).type.is_scalar()) {
        return condition(tree);
    }
    const Type type = variable(id).type;
    const bool indexed = type.is_members() || type.shape == Type::Shape::vector;
    if (!indexed || type.space != variable(label).type.space) {
        report(ErrorCode::inconsistent, tree.place,
               fmt::format("'{}' is {} and cannot mask {}", named.name, described(type),
                           described(variable(label).type.space)));
        return unknown_at(tree.place);
    }
    Expression member = member_at(id, read(label), tree.place);
    if (type.shape == Type::Shape::set || (structure && type.is_members())) return member;
    if (structure) return truth_of(true, tree.place);
    Expression value = truth(element_at(algorithm_, id, read(label), tree.place));
    if (type.shape == Type::Shape::vector || !value.type.is_known()) return value;
    return binary_of(Operation::logical_and, std::move(member), std::move(value));
}

// --- values ---

/// Whether a vertex is a member, as a set wants to know it.
Expression Checker::member_test(Expression value) {
    if (is_fold(value) && value.reduction->monoid.operation == Operation::any) {
        Expression inner = truth(std::move(value.reduction->value));
        if (!inner.type.is_known()) return inner;
        if (!is_true(inner)) { // any value that is not zero
            value.reduction->monoid = *monoid_of("or", truth_type(), value.place);
        }
        value.reduction->value = std::move(inner);
        value.reduction->monoid.identity = std::make_shared<Expression>(truth_of(false));
        value.type = truth_type();
        return value;
    }
    return truth(std::move(value));
}

/// The value in the target's type; a fold gathers in it if that changes nothing.
Expression Checker::fitted(Expression value, const Target& target) {
    const Type type = element_of(variable(target.variable).type);
    if (same_scalar(value.type, type)) return value;
    const bool numbers = is_number(value.type) && is_number(type) &&
                         type.lanes == value.type.lanes && type.element != ElementType::boolean;
    if (is_fold(value) && numbers) {
        Reduction& fold = *value.reduction;
        const bool to_real = is_float(type.element) && !is_float(value.type.element);
        const bool to_integer = !is_float(type.element) && is_float(value.type.element);
        const bool sums =
            fold.monoid.operation == Operation::add || fold.monoid.operation == Operation::multiply;
        const bool plain = fold.monoid.operation != Operation::user &&
                           fold.value.kind != Expression::Kind::reduction;
        // All of no truths are true, which is 1 as a number, and none is the greatest of them. What
        // is accumulated, or has no element there, is as it was.
        const bool truths = is_truth(value.type) && target.words->accumulate.empty() &&
                            variable(target.variable).type.shape == Type::Shape::vector &&
                            (fold.monoid.operation == Operation::bit_and ||
                             fold.monoid.operation == Operation::minimum ||
                             fold.monoid.operation == Operation::maximum);
        if (truths && plain && !is_float(type.element) && !type.vertex) {
            for (auto* const part : {&fold.monoid.identity, &fold.monoid.terminal}) {
                if (!*part) continue;
                *part = std::make_shared<Expression>(converted_silently(**part, type));
            }
            fold.value = converted_silently(std::move(fold.value), type);
            value.type = type;
            return value;
        }
        // What is compared with the element, or divides it, is gathered as it is.
        const std::string& accumulate = target.words->accumulate;
        const bool whole = accumulate == "/" || ((accumulate == "min" || accumulate == "max") &&
                                                 operation_of(accumulate) != fold.monoid.operation);
        if (plain && !truths && !to_integer && !whole && !(to_real && sums)) {
            const std::string word(name_of(fold.monoid.operation));
            if (auto monoid = monoid_of(word, type, value.place)) {
                fold.value = converted_silently(limited(std::move(fold.value), type, word), type);
                fold.monoid = std::move(*monoid);
                value.type = type;
                return value;
            }
        }
    }
    return accumulated(std::move(value), type, target.words->accumulate,
                       inferred_.contains(target.variable) && numbers, target.words->value->place);
}

} // namespace tropic::language::algorithm
