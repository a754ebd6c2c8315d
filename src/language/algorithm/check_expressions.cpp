#include <fmt/format.h>

#include "language/algorithm/checker.h"
#include "language/algorithm/constant_values.h"
#include "language/algorithm/effects.h"
#include "language/algorithm/visit.h"
#include "language/element_types.h"

namespace tropic::language::algorithm {

std::optional<Operation> Checker::operation_of(std::string_view name) {
    static const std::map<std::string_view, Operation> names = {
        {"+", Operation::add},         {"-", Operation::subtract},
        {"*", Operation::multiply},    {"/", Operation::divide},
        {"%", Operation::remainder},   {"min", Operation::minimum},
        {"max", Operation::maximum},   {"any", Operation::any},
        {"first", Operation::first},   {"second", Operation::second},
        {"pair", Operation::pair},     {"|", Operation::bit_or},
        {"&", Operation::bit_and},     {"^", Operation::bit_xor},
        {"||", Operation::logical_or}, {"&&", Operation::logical_and},
        {"or", Operation::logical_or}, {"and", Operation::logical_and},
        {"<", Operation::less},        {"<=", Operation::less_equal},
        {"==", Operation::equal},      {"!=", Operation::not_equal},
    };
    const auto found = names.find(name);
    return found == names.end() ? std::nullopt : std::optional(found->second);
}

Expression Checker::expression(const Tree& tree) {
    if (tree.nowhere == Nowhere::none) return expression_of(tree);
    const Nowhere around = std::exchange(nowhere_, tree.nowhere);
    Expression value = expression_of(tree);
    nowhere_ = around;
    return value;
}

Expression Checker::expression_of(const Tree& tree) {
    using Kind = Tree::Kind;
    if (const auto known = at_hand_.find(&tree); known != at_hand_.end()) {
        return deep_copy(known->second);
    }
    switch (tree.kind) {
    case Kind::number: {
        if (!tree.is_integer) return real_of(tree.number, tree.place);
        return constant_of(tree.integer, scalar_of(ElementType::int64), tree.place);
    }
    case Kind::name:
        return name(tree);
    case Kind::index:
        return index(tree);
    case Kind::field:
        return field(tree);
    case Kind::call:
        return call(tree);
    case Kind::unary:
        return unary(tree);
    case Kind::binary:
        return binary(tree);
    case Kind::conditional:
        return conditional(tree);
    case Kind::reduction:
        return reduction(tree);
    case Kind::product:
        return product(tree);
    case Kind::text:
        report(ErrorCode::syntax, tree.place, "quoted text has no value",
               {.hint = "it is the message of require(condition, \"text\")"});
        break;
    case Kind::set:
    case Kind::builder:
        report(ErrorCode::inconsistent, tree.place, "a set stands where a number is wanted",
               {.hint = "give it a name first: s = {...};"});
        break;
    case Kind::accumulate:
        report(ErrorCode::syntax, tree.place, "an assignment has no value here",
               {.accepted = "improve(x[k] min= v)"});
        break;
    }
    return unknown_at(tree.place);
}

/// An expression that must be a number, a truth or a record.
Expression Checker::scalar(const Tree& tree, std::string_view what) {
    Expression value = expression(tree);
    if (value.type.is_known() && !value.type.is_scalar()) {
        report(ErrorCode::inconsistent, tree.place,
               fmt::format("{} is wanted here, this is {}", what, described(value.type)));
        return unknown_at(tree.place);
    }
    return value;
}

/// Of `if`, `while`, masks: sets and sparse vectors count as whether they have members.
Expression Checker::condition(const Tree& tree) {
    if (tree.kind == Tree::Kind::name) {
        const VariableId id = find_variable(tree.name);
        if (id >= 0 &&
            (variable(id).type.is_members() || variable(id).type.shape == Type::Shape::stack)) {
            Expression count;
            count.kind = Expression::Kind::count;
            count.place = tree.place;
            count.type = scalar_of(ElementType::int64);
            count.variable = id;
            return truth(std::move(count));
        }
    }
    // A set that is made for the question, as a | b, is asked as one that has a name.
    if (tree.kind != Tree::Kind::name && is_set_expression(tree)) {
        Tree count = tree;
        count.kind = Tree::Kind::call;
        count.name = "count";
        count.operands = {tree};
        return truth(scalar(count, "a condition"));
    }
    if (tree.kind == Tree::Kind::unary && tree.name == "!") {
        const Restricts outer = std::exchange(restricts_, Restricts::nothing);
        Expression inner = condition(tree.operands[0]);
        restricts_ = outer;
        return inner.type.is_known() ? not_of(std::move(inner)) : inner;
    }
    const bool joins = tree.kind == Tree::Kind::binary &&
                       (tree.name == "&&" || tree.name == "||" ||
                        ((tree.name == "&" || tree.name == "|") && is_condition(tree)));
    if (joins) {
        const bool either = tree.name.starts_with('|');
        const Restricts outer = restricts_;
        if (either) restricts_ = Restricts::nothing;
        Expression left = condition(tree.operands[0]);
        std::vector<Statement> before;
        Expression right = aside(before, [&] { return condition(tree.operands[1]); });
        restricts_ = outer;
        if (!left.type.is_known() || !right.type.is_known()) return unknown_at(tree.place);
        if (!before.empty()) {
            return asked_in_turn(either, std::move(left), std::move(before), std::move(right),
                                 tree.place);
        }
        if (!either) {
            std::vector<Expression> both;
            both.push_back(std::move(left));
            both.push_back(std::move(right));
            return conjunction(std::move(both));
        }
        return binary_of(Operation::logical_or, std::move(left), std::move(right));
    }
    // An edge in a condition is there or not, whatever its value.
    if (tree.kind == Tree::Kind::index && tree.operands.size() == 3 && is_graph(tree.operands[0])) {
        if (at_hand_.contains(&tree)) return truth_of(true, tree.place);
        Expression edge = edge_value(tree, graph_of(tree.operands[0]));
        if (!edge.type.is_known()) return edge;
        if (edge.kind != Expression::Kind::reduction) return truth_of(true, tree.place);
        edge.reduction->value = truth_of(true, tree.place);
        edge.reduction->monoid.identity = std::make_shared<Expression>(truth_of(false));
        edge.reduction->weight = -1;
        edge.type = truth_type();
        return edge;
    }
    return truth(expression(tree));
}

Expression Checker::name(const Tree& tree) {
    if (const Symbol* symbol = find(tree.name)) {
        if (symbol->value) {
            Expression value = *symbol->value;
            value.place = tree.place;
            return value;
        }
        const Variable& known = variable(symbol->variable);
        if (!known.type.is_known()) return unknown_at(tree.place);
        return read(symbol->variable, tree.place);
    }
    if (tree.name == "true" || tree.name == "false") {
        return truth_of(tree.name == "true", tree.place);
    }
    if (tree.name == "infinity") {
        Expression result;
        result.kind = Expression::Kind::infinity;
        result.place = tree.place;
        result.type = scalar_of(ElementType::float64);
        return result;
    }
    if (tree.name == "none") return constant_of(-1, vertex_type(), tree.place);
    report_unknown(tree.name, tree.place, "name");
    return unknown_at(tree.place);
}

Expression Checker::unary(const Tree& tree) {
    if (tree.name == "!") {
        const Restricts outer = std::exchange(restricts_, Restricts::nothing);
        const Tree& inner = tree.operands[0];
        Expression value = expression(inner);
        restricts_ = outer;
        if (!value.type.is_known()) return value;
        const bool number = is_number(value.type);
        if (number && value.type.element == ElementType::boolean) {
            Expression result = not_of(std::move(value));
            result.place = tree.place;
            return result;
        }
        value = truth(std::move(value));
        return value.type.is_known() ? not_of(std::move(value)) : value;
    }
    Expression value = scalar(tree.operands[0], "a number");
    if (!value.type.is_known()) return value;
    if (!is_number(value.type)) {
        report(ErrorCode::inconsistent, tree.place,
               fmt::format("'-' does not go with {}", described(value.type)));
        return unknown_at(tree.place);
    }
    if (value.kind == Expression::Kind::constant && value.type.element != ElementType::boolean) {
        const auto bits = static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(value.integer));
        Expression result = constant_of(wrapped(bits, value.type), value.type, tree.place);
        if (is_float(value.type.element)) result.number = -value.number;
        result.typed = value.typed;
        return result;
    }
    if (value.type.element == ElementType::boolean || value.type.vertex) {
        Type wide = scalar_of(ElementType::int64);
        wide.lanes = value.type.lanes;
        value = converted_silently(std::move(value), wide);
    }
    Expression result;
    result.kind = Expression::Kind::negate;
    result.place = tree.place;
    result.type = value.type;
    result.operands.push_back(std::move(value));
    return result;
}

Expression Checker::binary(const Tree& tree) {
    const std::string& op = tree.name;
    if (op == "&&" || op == "||" || is_condition(tree, true)) return condition(tree);
    // Of numbers it has a value where either side has one, as `@(|)`.
    const bool restricts = guards_ != nullptr && restricts_ != Restricts::nothing;
    if (op == "|" && restricts && reads_sparse(tree) && sort_of(tree) == Sort::number) {
        return joined(tree, Restricts::sparse);
    }
    if (nowhere_ != Nowhere::none && leads_on(tree)) return way(tree);
    const bool compares =
        op == "==" || op == "!=" || op == "<" || op == "<=" || op == ">" || op == ">=";
    const Restricts outer = restricts_;
    if (compares) restricts_ = std::min(restricts_, Restricts::sparse);
    if (op == "|") restricts_ = Restricts::nothing;
    Expression left = scalar(tree.operands[0], "a number");
    std::vector<Statement> before;
    Expression right = aside(before, [&] { return scalar(tree.operands[1], "a number"); });
    restricts_ = outer;
    const auto is_one_truth = [](const Expression& e) {
        return e.type.is_known() && is_truth(e.type) && e.type.lanes == 1;
    };
    if (!before.empty() && (op == "&" || op == "|") && is_one_truth(left) && is_one_truth(right)) {
        return asked_in_turn(op == "|", std::move(left), std::move(before), std::move(right),
                             tree.place);
    }
    settle(left, before);
    for (Statement& s : before) emit(std::move(s));
    if (op == syntax::differs) return differ(std::move(left), std::move(right), tree.place);
    return apply(op, std::move(left), std::move(right), tree.place);
}

/// An operator, built in or the program's own, of two values.
Expression Checker::apply(std::string_view op, Expression left, Expression right, Place place) {
    if (op == ">" || op == ">=") {
        return apply(op == ">" ? "<" : "<=", std::move(right), std::move(left), place);
    }
    if (const syntax::Function* own = find_function(op);
        own != nullptr && (own->kind == syntax::Function::Kind::operation ||
                           own->kind == syntax::Function::Kind::monoid)) {
        std::vector<Expression> arguments;
        arguments.push_back(std::move(left));
        arguments.push_back(std::move(right));
        return expand_operator(*own, std::move(arguments), place);
    }
    const auto operation = operation_of(op);
    if (!operation) {
        report_unknown(op, place, "operator");
        return unknown_at(place);
    }
    return arithmetic(*operation, std::move(left), std::move(right), place);
}

Expression Checker::arithmetic(Operation operation, Expression left, Expression right,
                               Place place) {
    if (!left.type.is_known() || !right.type.is_known()) return unknown_at(place);
    switch (operation) {
    case Operation::first:
    case Operation::any:
        return left;
    case Operation::second:
        return right;
    case Operation::pair:
        return constant_of(1, scalar_of(ElementType::int64), place);
    case Operation::logical_or:
    case Operation::logical_and:
        left = truth(std::move(left));
        right = truth(std::move(right));
        if (!left.type.is_known() || !right.type.is_known()) return unknown_at(place);
        return binary_of(operation, std::move(left), std::move(right));
    default:
        break;
    }
    const std::string what = fmt::format("'{}'", name_of(operation));
    const bool compares = operation == Operation::less || operation == Operation::less_equal ||
                          operation == Operation::equal || operation == Operation::not_equal;
    if (compares) check_infinity(left, right, place);
    if (!agree(left, right, place, what)) return unknown_at(place);
    if (left.type.record >= 0) {
        if (operation == Operation::not_equal || operation == Operation::equal) {
            left = once(std::move(left));
            right = once(std::move(right));
            if (!left.type.is_known() || !right.type.is_known()) return unknown_at(place);
            Expression unlike = differ(std::move(left), std::move(right), place);
            return operation == Operation::equal ? not_of(std::move(unlike)) : unlike;
        }
        report(ErrorCode::unsupported, place,
               fmt::format("{} does not go with {}", what, described(left.type)),
               {.hint = "use their fields: x.key < y.key"});
        return unknown_at(place);
    }
    const bool bitwise = operation == Operation::bit_or || operation == Operation::bit_and ||
                         operation == Operation::bit_xor || operation == Operation::remainder;
    if (bitwise && is_float(left.type.element)) {
        report(ErrorCode::inconsistent, place,
               fmt::format("{} does not go with {}", what, described(left.type)),
               {.accepted = "integers and truths",
                .hint = operation == Operation::bit_or
                            ? "'||' is for conditions, such as edges that are there"
                        : operation == Operation::bit_and
                            ? "'&&' is for conditions, such as edges that are there"
                            : ""});
        return unknown_at(place);
    }
    if ((operation == Operation::divide || operation == Operation::remainder) &&
        !is_float(left.type.element) && is_constant(right, 0)) {
        report(ErrorCode::range, place, "division by zero");
        return unknown_at(place);
    }
    // Of truths, the right side is only asked if it matters.
    if (is_truth(left.type) && left.type.lanes == 1) {
        if (operation == Operation::bit_and) operation = Operation::logical_and;
        if (operation == Operation::bit_or) operation = Operation::logical_or;
    }
    const bool counts = operation == Operation::add || operation == Operation::subtract ||
                        operation == Operation::multiply || operation == Operation::divide ||
                        operation == Operation::remainder;
    // What is worked out from truths or vertices is a number, not another truth or vertex.
    const bool worked_out = counts || bitwise;
    if ((counts && left.type.element == ElementType::boolean) || (worked_out && left.type.vertex)) {
        Type wide = scalar_of(ElementType::int64);
        wide.lanes = left.type.lanes;
        left = converted_silently(std::move(left), wide);
        right = converted_silently(std::move(right), wide);
    }
    const bool both_constant = left.kind == Expression::Kind::constant &&
                               right.kind == Expression::Kind::constant && left.type.lanes == 1;
    if (both_constant && is_float(left.type.element) && counts &&
        operation != Operation::remainder) {
        const double a = left.number;
        const double b = right.number;
        const double value = operation == Operation::add        ? a + b
                             : operation == Operation::subtract ? a - b
                             : operation == Operation::multiply ? a * b
                                                                : a / b;
        Expression result = real_of(rounded(value, left.type), place);
        result.type = left.type;
        result.typed = left.typed || right.typed;
        return result;
    }
    Expression result = binary_of(operation, std::move(left), std::move(right));
    result.place = place;
    return result;
}

/// A condition, or lanes of truths.
Expression Checker::expression_or_condition(const Tree& tree) {
    const Symbol* symbol = tree.kind == Tree::Kind::name ? find(tree.name) : nullptr;
    const bool whole =
        symbol != nullptr && !symbol->value && !variable(symbol->variable).type.is_scalar();
    const bool edge = tree.kind == Tree::Kind::index && is_graph(tree.operands[0]);
    if (whole || edge || is_condition(tree)) return condition(tree);
    Expression value = expression(tree);
    const bool lanes = value.type.is_scalar() && value.type.lanes > 1 &&
                       value.type.element == ElementType::boolean;
    return lanes ? value : truth(std::move(value));
}

Expression Checker::conditional(const Tree& tree) {
    const Restricts outer = std::exchange(restricts_, Restricts::nothing);
    Expression test = expression_or_condition(tree.operands[0]);
    std::vector<Statement> before_yes;
    std::vector<Statement> before_no;
    Expression yes = aside(before_yes, [&] { return scalar(tree.operands[1], "a value"); });
    Expression no = aside(before_no, [&] { return scalar(tree.operands[2], "a value"); });
    restricts_ = outer;
    if (!test.type.is_known() || !agree(yes, no, tree.place, "'? :'")) {
        return unknown_at(tree.place);
    }
    if (test.type.lanes > 1) { // lane by lane
        Type wide = yes.type;
        wide.lanes = test.type.lanes;
        if (yes.type.lanes != 1 && yes.type.lanes != wide.lanes) {
            report(ErrorCode::inconsistent, tree.place,
                   fmt::format("{} chooses between {}", described(test.type), described(yes.type)));
            return unknown_at(tree.place);
        }
        yes = converted_silently(std::move(yes), wide);
        no = converted_silently(std::move(no), wide);
    }
    if (test.type.lanes == 1 && !(before_yes.empty() && before_no.empty())) {
        return chosen_in_turn(std::move(test), std::move(before_yes), std::move(yes),
                              std::move(before_no), std::move(no));
    }
    for (std::vector<Statement>* const before : {&before_yes, &before_no}) {
        for (Statement& s : *before) emit(std::move(s));
    }
    Expression result;
    result.kind = Expression::Kind::conditional;
    result.place = tree.place;
    result.type = yes.type;
    result.operands.push_back(std::move(test));
    result.operands.push_back(std::move(yes));
    result.operands.push_back(std::move(no));
    return result;
}

/// What is used more than once: if it changes something, it is worked out here, and only read
/// there.
Expression Checker::once(Expression value) {
    if (!value.type.is_known() || !does_something(value)) return value;
    const Place place = value.place;
    if (folds_deep_ > 0) {
        report(ErrorCode::unsupported, place,
               "what changes something cannot be worked out here, inside a fold",
               {.hint = "do it in a loop: each i in vertices(A) { k = ...; n += x[k]; }"});
        return unknown_at(place);
    }
    return held(std::move(value));
}

/// The value as it is now, whatever changes later.
Expression Checker::held(Expression value) {
    const Place place = value.place;
    const VariableId now = new_scalar("now", value.type, place);
    if (is_weak(value)) weak_.insert(now);
    emit_scalar(now, std::move(value), place);
    return read(now, place);
}

/// The left side of an operation whose right side takes statements, which come first: where they
/// change what it reads, or it changes something itself, it is worked out before them.
void Checker::settle(Expression& left, const std::vector<Statement>& before) {
    if (before.empty() || !left.type.is_scalar()) return;
    std::set<VariableId> written;
    for (const Statement& s : before) written.merge(effects_of(s, algorithm_).writes);
    for_each_statement(before, [&](const Statement& s) { // locals as well
        if (s.kind == Statement::Kind::scalar) written.insert(s.variable);
        if (s.target) written.insert(s.target->variable);
    });
    bool changes = does_something(left);
    for_each_expression(left, [&](const Expression& e) {
        changes = changes || (e.variable >= 0 && written.contains(e.variable)) ||
                  (e.reduction && written.contains(e.reduction->members));
    });
    if (changes) left = held(std::move(left));
}

/// left && right or left || right, where something has to be done before the right side can be
/// asked: that is only done if the left side does not settle it.
Expression Checker::asked_in_turn(bool either, Expression left, std::vector<Statement> before,
                                  Expression right, Place place) {
    const VariableId answer = new_scalar("answer", truth_type(), place);
    emit_scalar(answer, std::move(left), place);
    {
        const Into into(*this, before);
        emit_scalar(answer, std::move(right), place);
    }
    emit_under(either ? not_of(read(answer)) : read(answer), std::move(before), place);
    return read(answer, place);
}

/// test ? yes : no, where something has to be done before a value is there.
Expression Checker::chosen_in_turn(Expression test, std::vector<Statement> before_yes,
                                   Expression yes, std::vector<Statement> before_no,
                                   Expression no) {
    const Place place = test.place;
    const VariableId chosen = new_scalar("chosen", yes.type, place);
    Statement branch;
    branch.kind = Statement::Kind::branch;
    branch.place = place;
    branch.value = std::move(test);
    branch.body = std::move(before_yes);
    branch.otherwise = std::move(before_no);
    {
        const Into into(*this, branch.body);
        emit_scalar(chosen, std::move(yes), place);
    }
    {
        const Into into(*this, branch.otherwise);
        emit_scalar(chosen, std::move(no), place);
    }
    emit(std::move(branch));
    return read(chosen, place);
}

Expression Checker::field(const Tree& tree) {
    Expression base = expression(tree.operands[0]);
    if (!base.type.is_known()) return base;
    if (!base.type.is_scalar() || base.type.record < 0) {
        report(ErrorCode::inconsistent, tree.place,
               fmt::format("'.{}' of what is no record but {}", tree.name, described(base.type)));
        return unknown_at(tree.place);
    }
    const Record& record = algorithm_.records[static_cast<std::size_t>(base.type.record)];
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < record.fields.size(); ++i) {
        if (record.fields[i].name == tree.name) {
            Expression result;
            result.kind = Expression::Kind::field;
            result.place = tree.place;
            result.type = record.fields[i].type;
            result.integer = static_cast<std::int64_t>(i);
            result.operands.push_back(std::move(base));
            return result;
        }
        names.emplace_back(record.fields[i].name);
    }
    report(ErrorCode::not_found, tree.place,
           fmt::format("{} has no field '{}'", record.name, tree.name),
           {.hint = did_you_mean(tree.name, names)});
    return unknown_at(tree.place);
}

} // namespace tropic::language::algorithm
