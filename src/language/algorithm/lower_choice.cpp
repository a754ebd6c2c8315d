// Folds along edges from a front: written out twice, as pushing from the front's members and as
// pulling to everybody else, for the machine to choose from round to round.
#include <fmt/format.h>

#include "language/algorithm/target.h"
#include "language/algorithm/visit.h"

namespace tropic::language::algorithm {

namespace {

/// Whether many can gather into one element at once with the outcome of one after the other.
bool is_atomic(const Monoid& monoid, const Type& type) {
    if (type.record >= 0 || type.lanes > 1) return false;
    switch (monoid.operation) {
    case Operation::minimum:
    case Operation::maximum:
    case Operation::any:
        return true;
    case Operation::bit_or:
    case Operation::bit_and:
    case Operation::bit_xor:
    case Operation::add:
        return !is_float(type.element);
    default:
        return false;
    }
}

/// Sums of reals depend on the order a little; who asks for pushing gets it on all threads.
bool is_forced_sum(Choose::Forced forced, const Monoid& monoid, const Type& type) {
    return forced == Choose::Forced::push && monoid.operation == Operation::add &&
           type.record < 0 && type.lanes == 1 && is_float(type.element);
}

/// Whether one thread can gather into elements of others: in whatever order, the outcome is right.
bool is_gathered_alone(const Monoid& monoid, const Type& type) {
    if (type.record >= 0) return false;
    switch (monoid.operation) {
    case Operation::add:
    case Operation::minimum:
    case Operation::maximum:
        return true;
    default:
        return false;
    }
}

std::vector<Expression> copies(const std::vector<Expression>& list) {
    std::vector<Expression> result;
    result.reserve(list.size());
    for (const Expression& e : list) result.push_back(deep_copy(e));
    return result;
}

bool reads_vector(const std::vector<Expression>& list, VariableId id) {
    bool found = false;
    for (const Expression& e : list) {
        for_each_expression(e, [&](const Expression& part) {
            found = found || (part.variable == id && (part.kind == Expression::Kind::element ||
                                                      part.kind == Expression::Kind::member));
        });
    }
    return found;
}

/// Whether elements are read other than at the label.
bool reads_elsewhere(const Expression& of, VariableId vector, VariableId label) {
    bool found = false;
    for_each_expression(of, [&](const Expression& part) {
        if (part.variable != vector || part.kind != Expression::Kind::element) return;
        const Expression& at = part.operands[0];
        found = found || at.kind != Expression::Kind::variable || at.variable != label;
    });
    return found;
}

/// Whether what a fold gives, or its condition, is made of the element at a label.
bool reads_at(const Reduction& fold, VariableId vector, VariableId label) {
    bool found = false;
    const auto visit = [&](const Expression& part) {
        found = found || (part.variable == vector && part.kind == Expression::Kind::element &&
                          part.operands[0].kind == Expression::Kind::variable &&
                          part.operands[0].variable == label);
    };
    for_each_expression(fold.value, visit);
    if (fold.condition) for_each_expression(*fold.condition, visit);
    return found;
}

} // namespace

/// Whether pushing gives what pulling gives, and how: nothing if it does not.
bool Checker::can_push(const Target& target, VariableId front) const {
    const Reduction& fold = *target.value.reduction;
    const Type type = element_of(variable(target.variable).type);
    const std::string& accumulate = target.words->accumulate;
    const Type::Shape shape = variable(target.variable).type.shape;
    if (front < 0 || !fold.center || !is_label_of(*fold.center, target.label)) return false;
    if (!target.before.empty() || !target.guards.empty()) return false;
    if (fold.value.kind == Expression::Kind::reduction) return false;
    const bool any = fold.monoid.operation == Operation::any;
    if (shape == Type::Shape::set) {
        return (any || fold.monoid.operation == Operation::bit_or) &&
               (accumulate.empty() || accumulate == "|");
    }
    if (!is_atomic(fold.monoid, type) && !is_gathered_alone(fold.monoid, type)) return false;
    // The statement must not see what it changes itself. What it reads at the front is copied; and
    // where any value will do, it does not matter that masks find the own element changed. Values
    // made of it, and conditions on it, are others then.
    const auto elsewhere = [&](const Expression& of, VariableId label) {
        return reads_elsewhere(of, target.variable, label);
    };
    for (const Expression& mask : target.mask) {
        if (elsewhere(mask, target.label)) return false;
    }
    for (const Expression* part : {&fold.value, fold.condition ? &*fold.condition : nullptr}) {
        if (part == nullptr || !elsewhere(*part, fold.label)) continue;
        if (!any || elsewhere(*part, target.label)) return false;
    }
    if (any && shape == Type::Shape::vector && reads_at(fold, target.variable, target.label)) {
        return false;
    }
    // A mask on what the statement itself changes holds for the first that comes only.
    if (!any && reads_vector(target.mask, target.variable)) return false;
    if (shape == Type::Shape::sparse) {
        const auto& reset = variable(target.variable).reset;
        bool starts_right = !reset || same_literal(*reset, *fold.monoid.identity);
        const Place place = variable(target.variable).place;
        const auto gathered = facts_.gathered.find(std::pair(place.line, place.column));
        if (gathered != facts_.gathered.end()) {
            starts_right = gathered->second.empty()
                               ? is_zero(*fold.monoid.identity)
                               : operation_of(gathered->second) == fold.monoid.operation;
        }
        return any ? accumulate.empty() : starts_right && accumulate.empty();
    }
    if (any) return accumulate.empty() || accumulate == "any";
    // Plain assignment to a dense vector starts from the identity everywhere.
    return operation_of(accumulate) == fold.monoid.operation ||
           (accumulate.empty() && target.changed < 0 && !target.replace);
}

/// Whether the fold is `any[i](i : ...)`: wherever it finds somebody counts as changed, so that
/// nobody has to look who was there before.
bool Checker::finds_somebody(const Reduction& fold) {
    const Expression* value = &fold.value;
    while (value->kind == Expression::Kind::convert && !value->checked) {
        value = value->operands.data();
    }
    return fold.monoid.operation == Operation::any && is_label_of(*value, fold.label);
}

/// Says why a statement that is to push cannot.
void Checker::report_no_push(const Target& target) {
    const std::string& name = variable(target.variable).name;
    const bool converts = target.value.kind == Expression::Kind::convert;
    const Expression& value = converts ? target.value.operands[0] : target.value;
    const bool fold = value.kind == Expression::Kind::reduction;
    std::string reason;
    std::string hint;
    if (fold && converts && front_of(value) >= 0) {
        const Type to = element_of(variable(target.variable).type);
        reason = fmt::format("it gathers {}, and elements of '{}' are {}", described(value.type),
                             name, described(to));
        hint = fmt::format("gather into a vector<{}>, and assign that to '{}'",
                           described(value.type), name);
    } else if (!fold || front_of(value) < 0) {
        reason = "no front of a set or sparse vector is in it";
    } else if (reads_vector(target.mask, target.variable)) {
        reason = fmt::format("its mask reads '{}', which it changes", name);
        hint = "make the mask a set before it: m = {j : ...};";
    } else if (target.replace) {
        reason = fmt::format("'replace' changes elements of '{}' that no edge leads to", name);
    } else {
        reason = fmt::format("only pulling gathers this into '{}'", name);
    }
    report(ErrorCode::unsupported, target.place(),
           fmt::format("this statement cannot push: {}", reason), {.hint = std::move(hint)});
}

bool Checker::pushes_alone(const Target& target) const {
    const Type& whole = variable(target.variable).type;
    const Monoid& monoid = target.value.reduction->monoid;
    const Type type = element_of(whole);
    return whole.shape != Type::Shape::set && !is_atomic(monoid, type) &&
           !is_forced_sum(target.forced, monoid, type);
}

bool Checker::choose(Target& target) {
    const VariableId front =
        target.value.kind == Expression::Kind::reduction ? front_of(target.value) : -1;
    if (front < 0 || !can_push(target, front)) return false;
    const bool dense = variable(target.variable).type.shape == Type::Shape::vector;
    if (dense && target.replace) return false;
    const Place place = target.place();
    const Reduction fold = *target.value.reduction;
    if (dense && target.changed >= 0 && fold.monoid.operation == Operation::add) {
        gather_and_add(target);
        return true;
    }
    Variable& variable_of_target = variable(target.variable);
    if (variable_of_target.type.shape == Type::Shape::sparse && !variable_of_target.reset &&
        fold.monoid.operation != Operation::any) {
        hold_outside(target.variable, fold.monoid.identity);
    }
    if (dense) copy_front(target, front);
    Statement choice;
    choice.kind = Statement::Kind::choose;
    choice.place = place;
    choice.choose = std::make_shared<Choose>();
    choice.choose->front = front;
    choice.choose->graph = fold.graph;
    choice.choose->inward = !fold.inward;
    choice.choose->alone = pushes_alone(target);
    choice.choose->early = fold.monoid.operation == Operation::any || fold.monoid.terminal;
    choice.choose->forced = target.forced;
    choice.choose->number = algorithm_.choices++;
    choice.body = push_loops(target, front);
    choice.otherwise.push_back(pull_loop(target));
    emit_members(target, std::move(choice), target.words->accumulate);
    return true;
}

/// A sum may end where it began, whatever its parts changed on the way: it is made on its own, and
/// added when it is whole.
void Checker::gather_and_add(Target& target) {
    const Place place = target.place();
    syntax::Statement plain = *target.words;
    plain.accumulate.clear();
    plain.changed.reset();
    Type type = variable(target.variable).type;
    type.shape = Type::Shape::sparse;
    Target sums = target;
    sums.words = &plain;
    sums.variable = new_buffer("sums", type, place);
    sums.changed = -1;
    sums.keep = false;
    sums.replace = true;
    choose(sums);
    Target added;
    added.words = target.words;
    added.variable = target.variable;
    added.changed = target.changed;
    added.space = target.space;
    added.label = new_local("j", vertex_type(target.space), place);
    in_range_.insert(added.label);
    added.guards.push_back(member_at(sums.variable, read(added.label), place));
    added.value = element_at(algorithm_, sums.variable, read(added.label), place);
    element_wise(added);
}

/// Elements of the target that are read at the front's members are copied for these alone.
void Checker::copy_front(Target& target, VariableId front) {
    Reduction& fold = *target.value.reduction;
    VariableId copy = -1;
    const auto visit = [&](Expression& e) {
        if (e.kind != Expression::Kind::element || e.variable != target.variable ||
            !is_label_of(e.operands[0], fold.label)) {
            return;
        }
        if (copy < 0) {
            copy = new_buffer(fmt::format("old_{}", variable(target.variable).name),
                              variable(target.variable).type, target.place());
        }
        e.variable = copy;
    };
    for_each_expression(fold.value, visit);
    if (fold.condition) for_each_expression(*fold.condition, visit);
    if (copy < 0) return;
    Statement loop;
    loop.kind = Statement::Kind::each;
    loop.place = target.place();
    loop.each = std::make_shared<Each>();
    loop.each->space = variable(front).type.space;
    loop.each->label = new_local("i", vertex_type(loop.each->space), target.place());
    in_range_.insert(loop.each->label);
    loop.each->members = front;
    Statement store;
    store.kind = Statement::Kind::element;
    store.place = target.place();
    store.target = element_at(algorithm_, copy, read(loop.each->label));
    store.value = element_at(algorithm_, target.variable, read(loop.each->label));
    loop.body.push_back(std::move(store));
    emit(std::move(loop));
}

std::vector<Statement> Checker::push_loops(const Target& target, VariableId front) {
    const Place place = target.place();
    const Reduction& fold = *target.value.reduction;
    std::vector<Statement> loops;
    const bool dense = variable(target.variable).type.shape == Type::Shape::vector;
    if (dense && target.words->accumulate.empty() && fold.monoid.operation != Operation::any) {
        Statement start;
        start.kind = Statement::Kind::each;
        start.place = place;
        start.each = std::make_shared<Each>();
        start.each->space = target.space;
        start.each->label = target.label;
        start.body.push_back(store_of(target, *fold.monoid.identity, ""));
        restrict_loop(start, copies(target.mask));
        loops.push_back(std::move(start));
    }
    // Conditions on the source alone are asked once for all its edges.
    std::vector<Expression> parts;
    split_conjunction(deep_copy(*fold.condition), parts);
    std::vector<Expression> of_source;
    std::vector<Expression> of_edge = copies(target.mask);
    bool front_found = false;
    for (Expression& part : parts) {
        if (!front_found && part.kind == Expression::Kind::member && part.variable == front &&
            is_label_of(part.operands[0], fold.label)) {
            front_found = true;
            continue;
        }
        const bool edge = mentions(part, target.label) ||
                          (fold.weight >= 0 && mentions(part, fold.weight)) ||
                          (fold.edge >= 0 && mentions(part, fold.edge));
        (edge ? of_edge : of_source).push_back(std::move(part));
    }
    Statement along;
    along.kind = Statement::Kind::neighbours;
    along.place = place;
    along.variable = target.label;
    along.weight = fold.weight;
    along.edge = fold.edge;
    along.graph = fold.graph;
    along.inward = !fold.inward;
    along.first = read(fold.label);
    std::vector<Statement> found = push_value(target, deep_copy(fold.value));
    Expression test = conjunction(std::move(of_edge));
    if (is_true(test)) {
        along.body = std::move(found);
    } else {
        Statement branch;
        branch.kind = Statement::Kind::branch;
        branch.place = place;
        branch.value = std::move(test);
        branch.body = std::move(found);
        along.body.push_back(std::move(branch));
    }
    Statement loop;
    loop.kind = Statement::Kind::each;
    loop.place = place;
    loop.each = std::make_shared<Each>();
    loop.each->label = fold.label;
    loop.each->members = front;
    loop.each->alone = pushes_alone(target);
    loop.each->space = fold.space;
    if (Expression source = conjunction(std::move(of_source)); !is_true(source)) {
        loop.each->condition = std::move(source);
    }
    loop.body.push_back(std::move(along));
    loops.push_back(std::move(loop));
    return loops;
}

/// What pushing does where an edge ends.
std::vector<Statement> Checker::push_value(const Target& target, Expression value) {
    const Place place = target.place();
    const Reduction& fold = *target.value.reduction;
    const Type type = variable(target.variable).type;
    const bool any = fold.monoid.operation == Operation::any;
    std::vector<Statement> body;
    const auto evaluate = [&](Expression e) {
        Statement s;
        s.kind = Statement::Kind::evaluate;
        s.place = place;
        s.value = std::move(e);
        return s;
    };
    const auto branch = [&](Expression test, Statement then) {
        Statement s;
        s.kind = Statement::Kind::branch;
        s.place = place;
        s.value = std::move(test);
        s.body.push_back(std::move(then));
        return s;
    };
    const auto insert = [&](VariableId set) { return insert_of(set, read(target.label), place); };
    if (type.shape == Type::Shape::set) {
        Statement put = target.changed >= 0
                            ? branch(insert(target.variable), evaluate(insert(target.changed)))
                            : evaluate(insert(target.variable));
        body.push_back(is_true(value) ? std::move(put) : branch(std::move(value), std::move(put)));
        return body;
    }
    if (any) {
        // The first that comes decides.
        const bool sparse = type.shape == Type::Shape::sparse;
        const VariableId set = sparse ? target.variable : target.changed;
        std::optional<Expression> differs;
        if (set >= 0 && !sparse && !finds_somebody(fold)) {
            differs = differ(element_at(algorithm_, target.variable, read(target.label), place),
                             deep_copy(value), place);
        }
        Statement store = store_of(target, std::move(value), "");
        if (set >= 0) store = branch(insert(set), std::move(store));
        if (differs) store = branch(std::move(*differs), std::move(store));
        body.push_back(std::move(store));
        return body;
    }
    const std::string word(fold.monoid.operation == Operation::user
                               ? target.words->accumulate
                               : std::string(name_of(fold.monoid.operation)));
    if (target.changed < 0) {
        body.push_back(store_of(target, std::move(value), word));
        if (type.shape == Type::Shape::sparse) body.push_back(evaluate(insert(target.variable)));
        return body;
    }
    Expression improve;
    improve.kind = Expression::Kind::improve;
    improve.place = place;
    improve.type = truth_type();
    improve.variable = target.variable;
    improve.operands.push_back(read(target.label));
    improve.operands.push_back(std::move(value));
    improve.monoid = std::make_shared<Monoid>(fold.monoid);
    body.push_back(branch(std::move(improve), evaluate(insert(target.changed))));
    return body;
}

Statement Checker::pull_loop(Target& target) {
    Statement loop;
    loop.kind = Statement::Kind::each;
    loop.place = target.place();
    loop.each = std::make_shared<Each>();
    loop.each->space = target.space;
    loop.each->label = target.label;
    store_member(target, deep_copy(target.value), loop.body);
    restrict_loop(loop, copies(target.mask));
    return loop;
}

} // namespace tropic::language::algorithm
