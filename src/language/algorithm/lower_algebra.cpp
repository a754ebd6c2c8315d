// Statements over all elements, written out as loops: element by element, or as a choice between
// pushing from a front and pulling to all others.
#include <fmt/format.h>

#include "language/algorithm/target.h"
#include "language/algorithm/visit.h"

namespace tropic::language::algorithm {

namespace {

/// The fold that a value is, as whatever type; null if it is none.
const Reduction* fold_in(const Expression& e) {
    if (e.kind == Expression::Kind::convert && !e.checked) return fold_in(e.operands[0]);
    return e.kind == Expression::Kind::reduction && !e.reduction->argument ? e.reduction.get()
                                                                           : nullptr;
}

void tell_whether_found(Expression& fold, VariableId flag) {
    if (fold.kind == Expression::Kind::convert) tell_whether_found(fold.operands[0], flag);
    else fold.reduction->found = flag;
}

Statement branch_of(Expression test, std::vector<Statement> body, Place place) {
    Statement branch;
    branch.kind = Statement::Kind::branch;
    branch.place = place;
    branch.value = std::move(test);
    branch.body = std::move(body);
    return branch;
}

Statement evaluate_of(Expression value, Place place) {
    Statement statement;
    statement.kind = Statement::Kind::evaluate;
    statement.place = place;
    statement.value = std::move(value);
    return statement;
}

/// The statements of a test, or what it guards where it always holds.
void add_under(std::vector<Expression> tests, std::vector<Statement> body, Place place,
               std::vector<Statement>& into) {
    Expression test = conjunction(std::move(tests));
    if (is_true(test)) {
        for (Statement& s : body) into.push_back(std::move(s));
    } else {
        into.push_back(branch_of(std::move(test), std::move(body), place));
    }
}

std::vector<Expression> copies(const std::vector<Expression>& list) {
    std::vector<Expression> result;
    result.reserve(list.size());
    for (const Expression& e : list) result.push_back(deep_copy(e));
    return result;
}

} // namespace

// --- element by element ---

Statement Checker::store_of(const Target& target, Expression value, std::string_view accumulate) {
    Statement store;
    store.kind = Statement::Kind::element;
    store.place = target.place();
    store.target = element_at(algorithm_, target.variable, read(target.label), target.place());
    set_accumulate(store, accumulate, store.target->type, target.place());
    store.value = std::move(value);
    return store;
}

/// What is done with the value of one member.
void Checker::store_member(Target& target, Expression value, std::vector<Statement>& body) {
    const Place place = target.place();
    const Type type = variable(target.variable).type;
    const std::string& accumulate = target.words->accumulate;
    const auto put = [&](VariableId set) {
        return evaluate_of(insert_of(set, read(target.label), place), place);
    };
    if (type.shape == Type::Shape::set) {
        std::vector<Statement> found;
        if (target.changed >= 0) {
            found.push_back(
                branch_of(insert_of(target.variable, read(target.label), place), {}, place));
            found.back().body.push_back(put(target.changed));
        } else {
            found.push_back(put(target.variable));
        }
        std::vector<Expression> tests;
        if (accumulate == "-") value = not_of(std::move(value));
        if (accumulate == "-" || accumulate == "&") {
            tests.push_back(member_at(target.variable, read(target.label), place));
        }
        tests.push_back(std::move(value));
        return add_under(std::move(tests), std::move(found), place, body);
    }
    // A fold of nothing is no member of a sparse vector, and `any` of nothing no value at all.
    std::vector<Statement> store;
    Expression stored = value;
    std::optional<Expression> found;
    const bool sparse = type.shape == Type::Shape::sparse;
    const Reduction* const fold = fold_in(value);
    const bool finds = fold != nullptr && finds_somebody(*fold);
    if (fold != nullptr && (sparse || fold->monoid.operation == Operation::any)) {
        const VariableId flag = new_local("found", truth_type(), place);
        const VariableId local = new_local("value", value.type, place);
        tell_whether_found(value, flag);
        Statement compute;
        compute.kind = Statement::Kind::scalar;
        compute.place = place;
        compute.variable = local;
        compute.value = std::move(value);
        body.push_back(std::move(compute));
        found = read(flag);
        stored = read(local);
    }
    if (sparse) {
        if (accumulate.empty()) {
            store.push_back(store_of(target, std::move(stored), ""));
            store.push_back(put(target.variable));
        } else {
            Statement merge =
                branch_of(member_at(target.variable, read(target.label), place), {}, place);
            merge.body.push_back(store_of(target, deep_copy(stored), accumulate));
            // What is taken away from nothing is there as less than nothing.
            if (accumulate == "-") stored = negation_of(std::move(stored));
            merge.otherwise.push_back(store_of(target, std::move(stored), ""));
            merge.otherwise.push_back(put(target.variable));
            store.push_back(std::move(merge));
        }
    } else if (target.changed >= 0 && finds) {
        store.push_back(store_of(target, std::move(stored), accumulate));
        store.push_back(put(target.changed));
    } else if (target.changed >= 0) {
        const VariableId now = new_local("now", element_of(type), place);
        Statement compute;
        compute.kind = Statement::Kind::scalar;
        compute.place = place;
        compute.variable = now;
        compute.value = std::move(stored);
        if (!accumulate.empty()) {
            Statement start = compute;
            start.value = element_at(algorithm_, target.variable, read(target.label), place);
            store.push_back(std::move(start));
            set_accumulate(compute, accumulate, element_of(type), place);
        }
        store.push_back(std::move(compute));
        Expression differs =
            differ(element_at(algorithm_, target.variable, read(target.label)), read(now), place);
        Statement change = branch_of(std::move(differs), {}, place);
        change.body.push_back(store_of(target, read(now), ""));
        change.body.push_back(put(target.changed));
        store.push_back(std::move(change));
    } else {
        store.push_back(store_of(target, std::move(stored), accumulate));
    }
    std::vector<Expression> tests;
    if (found) tests.push_back(std::move(*found));
    add_under(std::move(tests), std::move(store), place, body);
}

/// Whether two values of one type are not the same.
Expression Checker::differ(Expression left, Expression right, Place place) {
    if (left.type.record < 0) {
        Expression result = binary_of(Operation::not_equal, std::move(left), std::move(right));
        if (result.type.lanes == 1) return result;
        Expression any;
        any.kind = Expression::Kind::across;
        any.place = place;
        any.type = truth_type();
        any.operation = Operation::bit_or;
        any.operands.push_back(std::move(result));
        return any;
    }
    const std::size_t fields =
        algorithm_.records[static_cast<std::size_t>(left.type.record)].fields.size();
    std::optional<Expression> result;
    for (std::size_t i = 0; i < fields; ++i) {
        Expression one = differ(field_of(left, i), field_of(right, i), place);
        if (result) one = binary_of(Operation::logical_or, std::move(*result), std::move(one));
        result = std::move(one);
    }
    return result ? std::move(*result) : truth_of(false, place);
}

/// What becomes of an element that the mask leaves out.
void Checker::store_zero(const Target& target, std::vector<Statement>& body) {
    const Place place = target.place();
    const Type type = variable(target.variable).type;
    Statement store = store_of(target, zero_of(type), "");
    if (target.changed < 0) {
        body.push_back(std::move(store));
        return;
    }
    Expression old = element_at(algorithm_, target.variable, read(target.label), place);
    Statement change =
        branch_of(differ(std::move(old), zero_of(element_of(type)), place), {}, place);
    change.body.push_back(std::move(store));
    change.body.push_back(evaluate_of(insert_of(target.changed, read(target.label), place), place));
    body.push_back(std::move(change));
}

void Checker::element_wise(Target& target) {
    const Place place = target.place();
    const Type type = variable(target.variable).type;
    const std::string& accumulate = target.words->accumulate;
    Statement loop;
    loop.kind = Statement::Kind::each;
    loop.place = place;
    loop.each = std::make_shared<Each>();
    loop.each->space = target.space;
    loop.each->label = target.label;
    loop.body = std::move(target.before);
    const bool zeroes = target.replace && !type.is_members() && !target.mask.empty();
    std::vector<Statement> inner;
    store_member(target, std::move(target.value), inner);
    std::vector<Expression> conditions = std::move(target.guards);
    if (zeroes) {
        // What the mask leaves out becomes zero wherever the value is missing, too.
        if (!conditions.empty()) {
            Statement branch = branch_of(conjunction(std::exchange(conditions, {})),
                                         std::exchange(inner, {}), place);
            inner.push_back(std::move(branch));
        }
        Statement branch = branch_of(conjunction(std::move(target.mask)), std::move(inner), place);
        store_zero(target, branch.otherwise);
        loop.body.push_back(std::move(branch));
    } else {
        for (Statement& s : inner) loop.body.push_back(std::move(s));
        // A mask comes first, so that what it leaves out is not computed.
        std::vector<Expression> all = copies(target.mask);
        for (Expression& guard : conditions) all.push_back(std::move(guard));
        conditions = std::move(all);
    }
    restrict_loop(loop, std::move(conditions));
    detach(target.variable, loop, !accumulate.empty());
    emit_members(target, std::move(loop), accumulate);
}

/// Emits the loop with the sets that it builds.
void Checker::emit_members(Target& target, Statement loop, const std::string& accumulate) {
    const Type type = variable(target.variable).type;
    std::vector<VariableId> built;
    std::vector<Statement> loops;
    bool grow = false;
    if (type.is_members()) {
        const bool within = accumulate == "-" || accumulate == "&";
        grow = !accumulate.empty() && !(type.shape == Type::Shape::set && within);
        if (grow && type.shape == Type::Shape::set && accumulate != "|") {
            report(ErrorCode::inconsistent, target.place(),
                   fmt::format("'{}=' does not go with sets", accumulate),
                   {.accepted = "|=, &=, -="});
            return;
        }
        if (target.keep && !target.mask.empty() && accumulate.empty()) {
            loops.push_back(kept_members(target));
        }
        built.push_back(target.variable);
    }
    loops.push_back(std::move(loop));
    const bool keeps = loops.size() == 2;
    if (keeps) {
        emit_kept(target, std::move(loops));
        return;
    }
    if (target.changed >= 0) {
        if (grow) {
            // The target grows, what is new of it is built.
            emit_building(std::move(loops), {target.changed}, false, target.place());
            return;
        }
        built.push_back(target.changed);
    }
    emit_building(std::move(loops), built, grow, target.place());
}

/// The members that a mask does not concern stay.
Statement Checker::kept_members(const Target& target) {
    const Place place = target.place();
    Statement loop;
    loop.kind = Statement::Kind::each;
    loop.place = place;
    loop.each = std::make_shared<Each>();
    loop.each->space = target.space;
    loop.each->label = target.label;
    loop.each->members = target.variable;
    loop.each->condition = not_of(conjunction(copies(target.mask)));
    if (variable(target.variable).type.shape == Type::Shape::sparse) {
        loop.body.push_back(store_of(
            target, element_at(algorithm_, target.variable, read(target.label), place), ""));
    }
    loop.body.push_back(evaluate_of(insert_of(target.variable, read(target.label), place), place));
    return loop;
}

/// What masks, as a set: an accumulator that replaces asks it again when all has been gathered, and
/// it may be about what is gathered into; and where it takes more than an expression, it is asked
/// once for each.
VariableId Checker::mask_as_set(Target& target) {
    const Place place = target.place();
    Type type;
    type.shape = Type::Shape::set;
    type.element = ElementType::boolean;
    type.space = target.space;
    const VariableId set = new_buffer("mask", type, place);
    Statement loop;
    loop.kind = Statement::Kind::each;
    loop.place = place;
    loop.each = std::make_shared<Each>();
    loop.each->space = target.space;
    loop.each->label = target.label;
    loop.body = std::move(target.asked);
    emit_over(std::move(loop), std::move(target.mask),
              evaluate_of(insert_of(set, read(target.label), place), place), set, false);
    target.mask.clear();
    target.mask.push_back(member_at(set, read(target.label), place));
    return set;
}

/// Of a set or sparse vector only those stay that are members of another set.
void Checker::keep_only(const Target& target, VariableId set) {
    const Place place = target.place();
    Statement loop = kept_members(target);
    loop.each->condition = member_at(set, read(target.label), place);
    std::vector<Statement> loops;
    loops.push_back(std::move(loop));
    emit_kept(target, std::move(loops));
}

void Checker::emit_kept(const Target& target, std::vector<Statement> loops) {
    const Place place = target.place();
    const VariableId next = new_buffer(fmt::format("next_{}", variable(target.variable).name),
                                       variable(target.variable).type, place);
    variable(next).reset = variable(target.variable).reset;
    for (Statement& loop : loops) redirect(loop, target.variable, next);
    loops[0].each->rebuilt.push_back(next);
    for (Statement& loop : loops) emit(std::move(loop));
    Statement swap;
    swap.kind = Statement::Kind::swap;
    swap.place = place;
    swap.variable = target.variable;
    swap.other = next;
    emit(std::move(swap));
}

} // namespace tropic::language::algorithm
