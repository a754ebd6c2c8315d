// Assignments to names and to single elements.
#include <fmt/format.h>

#include "language/algorithm/checker.h"
#include "language/element_types.h"

namespace tropic::language::algorithm {

void Checker::assign(const syntax::Statement& words) {
    if (!words.target) return assign_several(words);
    const Tree& target = *words.target;
    if (target.kind == Tree::Kind::name) return assign_name(words);
    if (target.kind == Tree::Kind::field) return assign_field(words);
    const Tree& base = target.operands[0];
    if (is_graph(base)) {
        report(ErrorCode::unsupported, target.place, "graphs are read only",
               {.hint = "keep values in an edge vector: w: vector<int, edges(A)>; w[i, j] = ...;"});
        return;
    }
    if (base.kind == Tree::Kind::index) {
        report(ErrorCode::unsupported, target.place, "a lane cannot be assigned to by itself",
               {.hint = "make the whole small vector: x = lanes(a, b, c, d);"});
        return;
    }
    if (base.kind != Tree::Kind::name) {
        report(ErrorCode::syntax, target.place, "this cannot be assigned to");
        return;
    }
    const VariableId known = find_variable(base.name);
    if (known >= 0 && !variable(known).type.is_known()) return;
    if (known >= 0 && variable(known).type.is_scalar()) {
        report(ErrorCode::inconsistent, target.place,
               fmt::format("'{}' is {} and has no elements", base.name,
                           described(variable(known).type)));
        return;
    }
    if (known >= 0 && !is_assignable(known, base.place)) return;
    std::vector<syntax::Name> labels;
    free_labels(target, labels);
    if (labels.empty()) {
        if (known < 0) {
            report(ErrorCode::not_found, base.place, fmt::format("unknown vector '{}'", base.name),
                   {.hint =
                        fmt::format("give all its elements a value first: {}[i] = 0;", base.name)});
            return poison({base.name, base.place});
        }
        return assign_element(words, known);
    }
    if (in_member()) {
        report(ErrorCode::unsupported, labels.front().place,
               fmt::format("a statement over all '{}' inside 'each'", labels.front().text),
               {.hint = "inside, loop: for j in A[i] { ... }"});
        return;
    }
    algebra(words, known);
}

void Checker::assign_several(const syntax::Statement& words) {
    const Tree& value = *words.value;
    const syntax::Function* own =
        value.kind == Tree::Kind::call ? find_function(value.name) : nullptr;
    if (own == nullptr || !own->can_run()) {
        report(ErrorCode::inconsistent, value.place,
               "several names are assigned the results of a function",
               {.accepted = "a, b = f(x);"});
        return;
    }
    const std::vector<VariableId> results = expand(value, *own);
    if (results.size() != words.names.size()) {
        if (!results.empty()) {
            report(ErrorCode::inconsistent, value.place,
                   fmt::format("'{}' gives {} results, {} are wanted", value.name, results.size(),
                               words.names.size()));
        }
        return;
    }
    for (std::size_t i = 0; i < results.size(); ++i) {
        assign_from(words.names[i], find_variable(words.names[i].text), results[i], words.place);
    }
}

void Checker::assign_name(const syntax::Statement& words) {
    const Tree& target = *words.target;
    const syntax::Name name{target.name, target.place};
    VariableId known = find_variable(name.text);
    if (words.mask) {
        report(ErrorCode::syntax, words.mask->condition.place,
               "a mask needs a label to stand for the elements",
               {.accepted = fmt::format("{}[i]<condition> = ...;", name.text)});
        return;
    }
    if (words.changed) {
        report(ErrorCode::syntax, words.changed->place,
               "'->' needs a label to stand for the elements",
               {.accepted = fmt::format("{}[i] = ... -> {};", name.text, words.changed->text)});
        return;
    }
    if (const Symbol* symbol = find(name.text); symbol != nullptr && symbol->value) {
        report(ErrorCode::inconsistent, name.place,
               fmt::format("'{}' is a parameter and cannot be assigned to", name.text));
        return;
    }
    if (words.type) {
        if (known >= 0) {
            report(ErrorCode::inconsistent, name.place,
                   fmt::format("'{}' is there already, from line {}", name.text,
                               variable(known).place.line));
            return;
        }
        const Type type = type_of(*words.type);
        if (!type.is_known()) return poison(name);
        known = introduce(name, type);
    }
    if (known >= 0 && !variable(known).type.is_known()) {
        expression(*words.value);
        return;
    }
    if (known >= 0 && !is_assignable(known, name.place)) return;
    if (assign_whole(words, known)) return;
    assign_scalar(words, known);
}

void Checker::assign_scalar(const syntax::Statement& words, VariableId known) {
    const Tree& target = *words.target;
    Expression value = scalar(*words.value, "a value");
    if (!value.type.is_known()) {
        if (known < 0) poison({target.name, target.place});
        return;
    }
    if (known >= 0 && !variable(known).type.is_scalar()) {
        const Type type = variable(known).type;
        if (type.shape == Type::Shape::vector || type.shape == Type::Shape::table) {
            if (!words.accumulate.empty()) {
                report(ErrorCode::inconsistent, words.place,
                       fmt::format("'{}' is {}; say what happens to each element", target.name,
                                   described(type)),
                       {.accepted = fmt::format("{}[i] {}= ...;", target.name, words.accumulate)});
                return;
            }
            widen(known, value);
            value = inferred_.contains(known)
                        ? converted_silently(std::move(value), element_of(type))
                        : converted(std::move(value), type, words.value->place);
            if (value.type.is_known()) fill(known, std::move(value), words.place);
            return;
        }
        report(ErrorCode::inconsistent, words.value->place,
               fmt::format("'{}' is {}, this is {}", target.name, described(type),
                           described(value.type)));
        return;
    }
    if (known < 0) {
        if (!words.accumulate.empty()) {
            report_unknown(target.name, target.place, "variable");
            return poison({target.name, target.place});
        }
        Type type = value.type;
        const bool plain = type.record < 0 && type.lanes == 1 && !type.vertex &&
                           type.element != ElementType::boolean;
        const bool weak = plain && !is_float(type.element) && is_weak(value);
        // A local is as wide as what it holds, a scalar of the program as wide as can be.
        if (plain && (!in_member() || weak)) type.element = scalar_type(type.element);
        type.space = type.vertex ? type.space : 0;
        known = introduce({target.name, target.place}, type);
        if (type.record < 0 && type.lanes == 1) inferred_.insert(known);
        if (weak) weak_.insert(known);
    }
    const Variable& scalar_variable = variable(known);
    if (in_member() && !scalar_variable.is_local) {
        if (words.accumulate.empty()) {
            report(ErrorCode::inconsistent, words.place,
                   fmt::format("all members of the loop would assign to '{}' at once", target.name),
                   {.hint = "gather: +=, min=, max=, |=... or give it a name of its own inside"});
            return;
        }
    }
    Statement result;
    result.kind = Statement::Kind::scalar;
    result.place = words.place;
    result.variable = known;
    const Type type = scalar_variable.type;
    widen(known, value);
    value = inferred_.contains(known) && is_number(value.type) && is_number(type)
                ? converted_silently(std::move(value), type)
                : converted(std::move(value), type, words.value->place);
    if (!value.type.is_known() || !set_accumulate(result, words.accumulate, type, words.place)) {
        return;
    }
    result.value = std::move(value);
    emit(std::move(result));
}

bool Checker::is_weak(const Expression& value) const {
    return needed(value) == ElementType::pattern;
}

/// Fills in what `+=`, `min=`, `own=` do.
bool Checker::set_accumulate(Statement& statement, std::string_view accumulate, const Type& type,
                             Place place) {
    if (accumulate.empty()) return true;
    if (accumulate == "-" || accumulate == "/") {
        statement.operation = accumulate == "-" ? Operation::subtract : Operation::divide;
        if (type.record >= 0) {
            report(ErrorCode::inconsistent, place,
                   fmt::format("'{}=' does not go with {}", accumulate, described(type)));
            return false;
        }
        if (accumulate == "-") { // gathered as a sum of what is taken away
            auto sum = monoid_of("+", element_of(type), place);
            if (sum) statement.monoid = std::make_shared<Monoid>(std::move(*sum));
        }
        return true;
    }
    auto monoid = monoid_of(accumulate, element_of(type), place);
    if (!monoid) return false;
    statement.operation = monoid->operation;
    statement.monoid = std::make_shared<Monoid>(std::move(*monoid));
    return true;
}

// --- elements ---

void Checker::assign_element(const syntax::Statement& words, VariableId id) {
    const Tree& target = *words.target;
    if (words.mask || words.changed) {
        report(ErrorCode::unsupported, words.place,
               "masks and '->' are for statements over all elements",
               {.hint = "if (condition) x[v] = ...;"});
        return;
    }
    const Type type = variable(id).type;
    if (type.is_members()) return assign_member(words, id);
    if (type.shape == Type::Shape::marks) {
        report(ErrorCode::unsupported, words.place, "marks are read only");
        return;
    }
    const bool outer = std::exchange(restricts_, false);
    Expression place = element(target, id);
    restricts_ = outer;
    Expression value = scalar(*words.value, "a value");
    if (!place.type.is_known() || !value.type.is_known()) return;
    widen(id, value);
    store(words, std::move(place), std::move(value));
}

/// s[v] = true; s[v] = false; y[v] = 2.5 for a sparse y.
void Checker::assign_member(const syntax::Statement& words, VariableId id) {
    const Tree& target = *words.target;
    bool checked = false;
    if (target.operands.size() != 2) {
        report(ErrorCode::inconsistent, target.place,
               fmt::format("'{}' is {} and takes one index", variable(id).name,
                           described(variable(id).type)));
        return;
    }
    const SpaceId space = variable(id).type.space;
    Expression at = index_value(target.operands[1], space, checked);
    Expression value = scalar(*words.value, "a value");
    if (!at.type.is_known() || !value.type.is_known()) return;
    Expression inside = checked ? in_range(at, space) : at;
    Statement put;
    put.kind = Statement::Kind::evaluate;
    put.place = words.place;
    Expression insert;
    insert.kind = Expression::Kind::insert;
    insert.place = words.place;
    insert.type = truth_type();
    insert.variable = id;
    insert.operands.push_back(std::move(inside));
    put.value = std::move(insert);
    if (variable(id).type.shape == Type::Shape::set) {
        value = truth(std::move(value));
        if (!value.type.is_known()) return;
        const bool only_in = words.accumulate == "|" || is_true(value);
        if ((!words.accumulate.empty() && words.accumulate != "|") || !only_in) {
            report(
                ErrorCode::unsupported, words.place,
                fmt::format("a single member can be put into '{}', not taken out",
                            variable(id).name),
                {.accepted = fmt::format("insert({0}, v); {0} = {0} - {{v}};", variable(id).name)});
            return;
        }
        if (is_true(value)) return emit(std::move(put));
        Statement branch;
        branch.kind = Statement::Kind::branch;
        branch.place = words.place;
        branch.value = std::move(value);
        branch.body.push_back(std::move(put));
        return emit(std::move(branch));
    }
    widen(id, value);
    Expression place = element_at(algorithm_, id, std::move(at), target.place);
    place.checked = checked;
    emit(std::move(put));
    store(words, std::move(place), std::move(value));
}

void Checker::store(const syntax::Statement& words, Expression target, Expression value) {
    Statement result;
    result.kind = Statement::Kind::element;
    result.place = words.place;
    const Type type = target.type;
    value = inferred_.contains(target.variable) && is_number(value.type) && is_number(type)
                ? converted_silently(std::move(value), type)
                : converted(std::move(value), type, words.value->place);
    if (!value.type.is_known() || !set_accumulate(result, words.accumulate, type, words.place)) {
        return;
    }
    result.target = std::move(target);
    result.value = std::move(value);
    emit(std::move(result));
}

/// x.key = v; x[i].key = v: the record with one field changed.
void Checker::assign_field(const syntax::Statement& words) {
    const Tree& target = *words.target;
    const Tree& base = target.operands[0];
    if (words.mask || words.changed) {
        report(ErrorCode::unsupported, words.place, "masks and '->' are for whole elements");
        return;
    }
    std::vector<syntax::Name> labels;
    free_labels(base, labels);
    if (!labels.empty()) {
        report(ErrorCode::unsupported, target.place,
               "a field of all elements cannot be assigned to by itself",
               {.hint = "make whole records, or use 'each'"});
        return;
    }
    const Expression old = expression(target); // the field itself, with its complaints
    if (!old.type.is_known()) return;
    Expression record = old.operands[0];
    if (record.kind != Expression::Kind::variable && record.kind != Expression::Kind::element) {
        report(ErrorCode::syntax, target.place, "this cannot be assigned to");
        return;
    }
    if (!is_assignable(record.variable, base.place)) return;
    Expression value = scalar(*words.value, "a value");
    if (!value.type.is_known()) return;
    if (!words.accumulate.empty()) {
        value = apply(words.accumulate, old, std::move(value), words.place);
    }
    value = converted(std::move(value), old.type, words.value->place);
    if (!value.type.is_known()) return;
    Expression made;
    made.kind = Expression::Kind::make;
    made.place = words.place;
    made.type = record.type;
    const std::size_t count =
        algorithm_.records[static_cast<std::size_t>(record.type.record)].fields.size();
    for (std::size_t i = 0; i < count; ++i) {
        if (static_cast<std::int64_t>(i) == old.integer) {
            made.operands.push_back(std::move(value));
            continue;
        }
        Expression part = old;
        part.integer = static_cast<std::int64_t>(i);
        part.type = algorithm_.records[static_cast<std::size_t>(record.type.record)].fields[i].type;
        made.operands.push_back(std::move(part));
    }
    if (record.kind == Expression::Kind::variable) {
        return emit_scalar(record.variable, std::move(made), words.place);
    }
    Statement result;
    result.kind = Statement::Kind::element;
    result.place = words.place;
    result.target = std::move(record);
    result.value = std::move(made);
    emit(std::move(result));
}

/// All elements become the value.
void Checker::fill(VariableId id, Expression value, Place place) {
    const Type type = variable(id).type;
    Statement loop;
    loop.place = place;
    if (type.is_members() || type.shape == Type::Shape::stack) {
        loop.kind = type.is_members() ? Statement::Kind::clear : Statement::Kind::create;
        loop.variable = id;
        return emit(std::move(loop));
    }
    loop.kind = Statement::Kind::each;
    loop.each = std::make_shared<Each>();
    loop.each->space = type.space;
    loop.each->label = new_local("i", vertex_type(type.space), place);
    in_range_.insert(loop.each->label);
    Statement store;
    store.kind = Statement::Kind::element;
    store.place = place;
    store.target = element_at(algorithm_, id, read(loop.each->label), place);
    store.value = std::move(value);
    if (type.shape != Type::Shape::table) {
        loop.body.push_back(std::move(store));
        return emit(std::move(loop));
    }
    Statement inner;
    inner.kind = Statement::Kind::count;
    inner.place = place;
    inner.variable = new_local("k", scalar_of(ElementType::int64), place);
    inner.first = constant_of(0, scalar_of(ElementType::int64), place);
    inner.step = constant_of(1, scalar_of(ElementType::int64), place);
    Expression size;
    size.kind = Expression::Kind::size;
    size.space = type.columns;
    size.type = scalar_of(ElementType::int64);
    inner.value = std::move(size);
    store.target->operands.push_back(
        converted_silently(read(inner.variable), vertex_type(type.columns)));
    inner.body.push_back(std::move(store));
    loop.body.push_back(std::move(inner));
    emit(std::move(loop));
}

} // namespace tropic::language::algorithm
