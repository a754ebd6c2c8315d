// Assignments to single elements, members and fields.
#include <fmt/format.h>

#include "language/algorithm/checker.h"
#include "language/algorithm/visit.h"

namespace tropic::language::algorithm {

namespace {

/// Whether a value is made of something that a variable holds.
bool uses(const Expression& value, VariableId id) {
    bool found = false;
    for_each_expression(value, [&](const Expression& e) {
        found = found || e.variable == id || (e.reduction && e.reduction->members == id);
    });
    return found;
}

bool starts_from_zero(const Statement& gathering) {
    return !gathering.monoid || is_zero(*gathering.monoid->identity);
}

} // namespace

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
    const Restricts outer = std::exchange(restricts_, Restricts::nothing);
    Expression place = element(target, id);
    restricts_ = outer;
    Expression value = value_for(*words.value, type);
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
    Expression value = value_for(*words.value, variable(id).type);
    if (!at.type.is_known() || !value.type.is_known()) return;
    Statement put = insertion(id, at, checked, words.place);
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
    // It may ask about this very member, which is none yet.
    if (uses(value, id)) {
        const VariableId before = new_scalar("value", value.type, words.place);
        emit_scalar(before, std::move(value), words.place);
        value = read(before, words.place);
    }
    Expression place = element_at(algorithm_, id, std::move(at), target.place);
    place.checked = checked;
    if (words.accumulate.empty()) {
        emit(std::move(put));
        return store(words, std::move(place), std::move(value));
    }
    Statement alone;
    alone.kind = Statement::Kind::element;
    alone.place = words.place;
    alone.target = place;
    Expression first = deep_copy(value);
    auto more = stored(words, std::move(place), std::move(value));
    if (!more) return;
    // What stands where there is no member suits the folds that fill the vector, and need not suit
    // this operation. Members of a loop come at the same time and count on it, but each has a
    // workspace for itself; and what divides has nothing to count on, so that they come one after
    // the other.
    const bool divides = words.accumulate == "/";
    const bool local = variable(id).is_local;
    const bool by_itself = !in_member() || divides || (local && !starts_from_zero(*more));
    one_by_one_ = one_by_one_ || (divides && in_member() && !local);
    if (by_itself) {
        first = converted_silently(std::move(first), alone.target->type);
        if (words.accumulate == "-") first = negation_of(std::move(first));
        alone.value = std::move(first);
        Statement branch;
        branch.kind = Statement::Kind::branch;
        branch.place = words.place;
        branch.value = std::move(*put.value);
        branch.body.push_back(std::move(alone));
        branch.otherwise.push_back(std::move(*more));
        return emit(std::move(branch));
    }
    if (!local) {
        const bool from_zero = starts_from_zero(*more);
        gather(id, from_zero ? std::string() : words.accumulate,
               from_zero ? nullptr : more->monoid->identity);
    }
    emit(std::move(put));
    emit(std::move(*more));
}

/// Members of a loop that gather into a sparse vector at the same time start from what stands where
/// it has no member: what suits the operation, if all of them have the same one; else 0. An empty
/// name is that of all that start from 0.
void Checker::gather(VariableId id, const std::string& operation,
                     const std::shared_ptr<Expression>& identity) {
    const Place place = variable(id).place;
    const auto [known, added] =
        facts_.gathered.emplace(std::pair(place.line, place.column), operation);
    const bool another = known->second != operation && !known->second.empty();
    if (another) known->second.clear();
    facts_.changed = facts_.changed || added || another;
    if (!known->second.empty()) hold_outside(id, identity);
}

/// What a sparse vector holds where it has no member.
void Checker::hold_outside(VariableId id, const std::shared_ptr<Expression>& value) {
    variable(id).reset = value;
    const Place place = variable(id).place;
    if (is_zero(*value)) return;
    facts_.changed |= facts_.not_zero.emplace(place.line, place.column).second;
}

/// That an index becomes a member.
Statement Checker::insertion(VariableId id, const Expression& at, bool checked, Place place) {
    Expression insert;
    insert.kind = Expression::Kind::insert;
    insert.place = place;
    insert.type = truth_type();
    insert.variable = id;
    insert.operands.push_back(checked ? in_range(at, variable(id).type.space) : at);
    Statement put;
    put.kind = Statement::Kind::evaluate;
    put.place = place;
    put.value = std::move(insert);
    return put;
}

void Checker::store(const syntax::Statement& words, Expression target, Expression value) {
    if (auto made = stored(words, std::move(target), std::move(value))) emit(std::move(*made));
}

std::optional<Statement> Checker::stored(const syntax::Statement& words, Expression target,
                                         Expression value) {
    Statement result;
    result.kind = Statement::Kind::element;
    result.place = words.place;
    const Type type = target.type;
    const bool silently =
        inferred_.contains(target.variable) && is_number(value.type) && is_number(type);
    value = accumulated(std::move(value), type, words.accumulate, silently, words.value->place);
    if (!value.type.is_known() || !set_accumulate(result, words.accumulate, type, words.place)) {
        return {};
    }
    result.target = std::move(target);
    result.value = std::move(value);
    return result;
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
    as_target_ = true;
    const Expression old = expression(target); // the field itself, with its complaints
    as_target_ = false;
    if (!old.type.is_known()) return;
    Expression record = old.operands[0];
    if (record.kind != Expression::Kind::variable && record.kind != Expression::Kind::element) {
        report(ErrorCode::syntax, target.place, "this cannot be assigned to");
        return;
    }
    if (!is_assignable(record.variable, base.place)) return;
    Expression value = scalar(*words.value, "a value");
    if (!value.type.is_known()) return;
    const auto number = static_cast<std::size_t>(old.integer);
    value = converted(std::move(value), old.type, words.value->place);
    if (!value.type.is_known()) return;
    if (record.kind == Expression::Kind::variable) {
        if (in_member() && !variable(record.variable).is_local) {
            report(ErrorCode::inconsistent, words.place,
                   fmt::format("all members of the loop would change '{}' at once",
                               variable(record.variable).name),
                   {.hint = "gather a number (+=, min=, max=, |=...) and put it there after the "
                            "loop"});
            return;
        }
        if (!words.accumulate.empty()) {
            value = apply(words.accumulate, old, std::move(value), words.place);
            value = converted(std::move(value), old.type, words.value->place);
            if (!value.type.is_known()) return;
        }
        emit_scalar(record.variable, with_field(record, number, std::move(value)), words.place);
        return;
    }
    // One operation on the element, which others may be changing too: it takes the field of a
    // record with nothing else in it.
    if (variable(record.variable).type.is_members()) insert_blank(record, words.place);
    Monoid change;
    change.operation = Operation::user;
    change.left = new_local("old", record.type, words.place);
    change.right = new_local("new", record.type, words.place);
    change.identity = std::make_shared<Expression>(zero_of(record.type));
    Expression field = field_of(read(change.right), number);
    if (!words.accumulate.empty()) {
        Expression before = field_of(read(change.left), number);
        field = apply(words.accumulate, std::move(before), std::move(field), words.place);
        field = converted(std::move(field), old.type, words.value->place);
        if (!field.type.is_known()) return;
    }
    change.combine =
        std::make_shared<Expression>(with_field(read(change.left), number, std::move(field)));
    Statement result;
    result.kind = Statement::Kind::element;
    result.place = words.place;
    result.operation = Operation::user;
    result.monoid = std::make_shared<Monoid>(std::move(change));
    result.value = with_field(zero_of(record.type), number, std::move(value));
    result.target = std::move(record);
    emit(std::move(result));
}

/// An element of a sparse vector becomes a member, of nothing but zeros if it was none.
void Checker::insert_blank(const Expression& element, Place place) {
    const Variable& sparse = variable(element.variable);
    Statement put = insertion(element.variable, element.operands[0], element.checked, place);
    if (in_member() && !sparse.is_local) gather(element.variable, {}, nullptr);
    if (in_member() || !facts_.not_zero.contains({sparse.place.line, sparse.place.column})) {
        return emit(std::move(put));
    }
    Statement blank;
    blank.kind = Statement::Kind::element;
    blank.place = place;
    blank.target = element;
    blank.value = zero_of(element.type);
    Statement branch;
    branch.kind = Statement::Kind::branch;
    branch.place = place;
    branch.value = std::move(*put.value);
    branch.body.push_back(std::move(blank));
    emit(std::move(branch));
}

Expression Checker::field_of(Expression record, std::size_t number) const {
    Expression field;
    field.kind = Expression::Kind::field;
    field.place = record.place;
    field.type =
        algorithm_.records[static_cast<std::size_t>(record.type.record)].fields[number].type;
    field.integer = static_cast<std::int64_t>(number);
    field.operands.push_back(std::move(record));
    return field;
}

Expression Checker::with_field(const Expression& record, std::size_t number,
                               Expression value) const {
    Expression made;
    made.kind = Expression::Kind::make;
    made.place = value.place;
    made.type = record.type;
    const auto& fields = algorithm_.records[static_cast<std::size_t>(record.type.record)].fields;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        made.operands.push_back(field_of(record, i));
    }
    made.operands[number] = std::move(value);
    return made;
}

/// All elements become the value.
void Checker::fill(VariableId id, Expression value, Place place) {
    const Type type = variable(id).type;
    Statement loop;
    loop.place = place;
    if (type.is_members() || type.shape == Type::Shape::stack || type.shape == Type::Shape::graph) {
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
