// Expressions: their labels, their types, and which labels a product folds away.
#include <fmt/format.h>

#include "language/checker.h"
#include "language/conversions.h"
#include "language/element_types.h"
#include "language/operators.h"

namespace tropic::language {

namespace {

using SyntaxKind = syntax::Expression::Kind;

bool mentions_tensor(const syntax::Expression& expression) {
    if (expression.kind == SyntaxKind::access || expression.labelled) return true;
    return std::ranges::any_of(expression.operands, mentions_tensor);
}

std::string_view symbol_of(const syntax::Expression& expression) {
    switch (expression.kind) {
    case SyntaxKind::add:
        return "+";
    case SyntaxKind::subtract:
        return "-";
    case SyntaxKind::dot:
        return ".*";
    default:
        return name_of(expression.op);
    }
}

} // namespace

Expression Checker::access(VariableId variable, std::vector<LabelId> labels, Place place) const {
    Expression result;
    result.kind = Expression::Kind::access;
    result.place = place;
    result.element = program_.variables[static_cast<std::size_t>(variable)].element;
    result.variable = variable;
    result.labels = std::move(labels);
    return result;
}

Expression Checker::scalar(VariableId variable, Place place) const {
    Expression result;
    result.kind = Expression::Kind::scalar;
    result.place = place;
    result.element = program_.variables[static_cast<std::size_t>(variable)].element;
    result.variable = variable;
    return result;
}

Checker::Maybe Checker::check(const syntax::Expression& expression, LabelSet wanted) {
    if (calls_deep_ > 0) ++expanded_;
    switch (expression.kind) {
    case SyntaxKind::number:
        return expression.is_integer ? integer_constant(expression.integer, expression.place)
                                     : real_constant(expression.number, expression.place);
    case SyntaxKind::name:
        return check_name(expression);
    case SyntaxKind::access:
        return check_access(expression);
    case SyntaxKind::call:
        return check_call(expression, wanted);
    case SyntaxKind::label_list:
        report(ErrorCode::syntax, expression.place, "a list of labels is not a value",
               {.accepted = "transpose(A[i, j], {j, i})"});
        return std::nullopt;
    case SyntaxKind::negate:
        return check_negate(expression, wanted);
    case SyntaxKind::add:
        return check_elementwise(expression, Operator::add, wanted);
    case SyntaxKind::subtract:
        return check_elementwise(expression, Operator::subtract, wanted);
    case SyntaxKind::dot:
        return check_elementwise(expression, Operator::multiply, wanted);
    case SyntaxKind::monoid:
        return check_elementwise(expression, expression.op, wanted);
    case SyntaxKind::divide:
        return check_divide(expression, wanted);
    case SyntaxKind::multiply:
    case SyntaxKind::semiring:
        break;
    }
    return check_product(expression, wanted);
}

/// `what` reads like "the value of a scalar".
Checker::Maybe Checker::check_scalar_value(const syntax::Expression& expression,
                                           std::string_view what, std::string_view hint) {
    Maybe value = check(expression, natural_labels(expression));
    if (value && !value->is_scalar()) {
        report(ErrorCode::inconsistent, expression.place,
               fmt::format("{} must be a scalar, and this is a tensor with labels {}", what,
                           text_of(distinct_labels(*value))),
               {.hint = std::string(hint)});
        return std::nullopt;
    }
    return value;
}

Checker::Maybe Checker::check_name(const syntax::Expression& expression) {
    const syntax::Name name{expression.name, expression.place};
    const Symbol* symbol = frame_->find(name.text);
    if (symbol == nullptr) {
        report_unknown(name, Symbol::Kind::scalar);
        return std::nullopt;
    }
    switch (symbol->kind) {
    case Symbol::Kind::scalar:
        return scalar(symbol->id, name.place);
    case Symbol::Kind::tensor:
        report(ErrorCode::inconsistent, name.place,
               fmt::format("tensor '{}' needs its labels here", name.text),
               {.hint = fmt::format("{}{}", name.text, labels_hint(*symbol))});
        return std::nullopt;
    case Symbol::Kind::label:
        report(ErrorCode::unsupported, name.place,
               fmt::format("label '{}' cannot be used as a value", name.text));
        return std::nullopt;
    case Symbol::Kind::unknown:
        break;
    }
    return std::nullopt;
}

Checker::Maybe Checker::check_access(const syntax::Expression& expression) {
    const syntax::Name name{expression.name, expression.place};
    Symbol* symbol = find_tensor(name);
    const auto labels = resolve_labels(expression.labels);
    if (symbol == nullptr || !labels) return std::nullopt;
    if (!bind_labels(*symbol, name, expression.labels, *labels)) return std::nullopt;
    if (!require_value(name, *symbol)) return std::nullopt;
    return access(symbol->id, *labels, name.place);
}

Checker::Maybe Checker::check_negate(const syntax::Expression& expression, LabelSet wanted) {
    Maybe operand = check(expression.operands[0], wanted);
    if (!operand) return std::nullopt;
    if (operand->kind == Expression::Kind::constant) {
        const Expression zero = converted(integer_constant(0, expression.place), operand->element);
        if (is_float(operand->element)) return real_constant(-operand->number, expression.place);
        if (auto negative = folded(Operator::subtract, expression.place, zero, *operand)) {
            return negative;
        }
    }
    const ElementType type = signed_type(operand->element);
    Expression result;
    result.kind = Expression::Kind::negate;
    result.place = expression.place;
    result.element = type;
    result.labels = distinct_labels(*operand);
    result.operands.push_back(converted(std::move(*operand), type));
    return result;
}

/// Each operand is asked for what is wanted of the whole and for what the other one has.
bool Checker::check_operands(const syntax::Expression& expression, LabelSet wanted, Maybe& left,
                             Maybe& right) {
    const LabelSet of_left = natural_labels(expression.operands[0]);
    const LabelSet of_right = natural_labels(expression.operands[1]);
    left = check(expression.operands[0], wanted | of_right);
    right = check(expression.operands[1], wanted | of_left);
    return left && right;
}

/// The labels of both must agree already, or one of them have none.
Expression Checker::elementwise(Operator op, Place place, Expression left, Expression right) {
    agree(left, right);
    if (op == Operator::subtract) {
        const ElementType type = signed_type(left.element);
        if (left.element == ElementType::boolean) {
            left = converted(std::move(left), type);
            right = converted(std::move(right), type);
        }
    }
    if (op == Operator::divide && !is_float(left.element)) {
        left = converted(std::move(left), ElementType::float64);
        right = converted(std::move(right), ElementType::float64);
    }
    if (auto constant = folded(op, place, left, right)) return std::move(*constant);
    Expression result;
    result.kind = Expression::Kind::elementwise;
    result.place = place;
    result.element = left.element;
    result.labels = distinct_labels(left.is_scalar() ? right : left);
    result.op = op;
    result.meeting = meeting_of(op);
    result.operands.reserve(2);
    result.operands.push_back(std::move(left));
    result.operands.push_back(std::move(right));
    return result;
}

Checker::Maybe Checker::check_elementwise(const syntax::Expression& expression, Operator op,
                                          LabelSet wanted) {
    Maybe left;
    Maybe right;
    if (!check_operands(expression, wanted, left, right)) return std::nullopt;
    const LabelSet of_left = set_of(left->labels);
    const LabelSet of_right = set_of(right->labels);
    if (of_left != 0 && of_right != 0 && of_left != of_right) {
        report(ErrorCode::inconsistent, expression.place,
               fmt::format("the operands of '{}' have different labels: {} and {}",
                           symbol_of(expression), text_of(distinct_labels(*left)),
                           text_of(distinct_labels(*right))),
               {.accepted = "the same labels on both sides, in any order; or a scalar"});
        return std::nullopt;
    }
    return elementwise(op, expression.place, std::move(*left), std::move(*right));
}

Checker::Maybe Checker::check_divide(const syntax::Expression& expression, LabelSet wanted) {
    Maybe left;
    Maybe right;
    if (!check_operands(expression, wanted, left, right)) return std::nullopt;
    if (!right->is_scalar()) {
        report(ErrorCode::unsupported, expression.place, "a tensor cannot be a divisor",
               {.accepted = "a scalar, or a tensor divided by a scalar"});
        return std::nullopt;
    }
    if (right->kind == Expression::Kind::constant && right->number == 0) {
        report(ErrorCode::range, expression.place, "division by zero");
        return std::nullopt;
    }
    return elementwise(Operator::divide, expression.place, std::move(*left), std::move(*right));
}

/// All entries added up, as int64 or float64.
Expression Checker::sum_of(Expression value, Place place) {
    const ElementType type = scalar_type(value.element);
    if (value.is_scalar()) return converted(std::move(value), type);
    Expression sum;
    sum.kind = Expression::Kind::sum;
    sum.place = place;
    sum.element = type;
    sum.operands.push_back(converted(std::move(value), type));
    return sum;
}

Checker::Maybe Checker::check_product(const syntax::Expression& expression, LabelSet wanted) {
    const bool plain = expression.kind == SyntaxKind::multiply;
    const Operator op = plain ? Operator::multiply : expression.op;
    const Operator fold = plain ? Operator::add : expression.fold;
    Maybe left;
    Maybe right;
    if (!check_operands(expression, wanted, left, right)) return std::nullopt;
    const LabelSet of_left = set_of(left->labels);
    const LabelSet of_right = set_of(right->labels);
    const LabelSet all = of_left | of_right;
    LabelSet kept = all & wanted;
    const bool alike = of_left == of_right || of_left == 0 || of_right == 0;
    const Place place = expression.place;

    // A sum over everything is a `sum`, of a product that folds no more than it has to.
    const bool sums_up = kept == 0 && all != 0 && fold == Operator::add;
    if (sums_up) kept = alike ? all : all & ~(of_left & of_right);
    if (kept == all && alike) {
        Expression result = elementwise(op, place, std::move(*left), std::move(*right));
        if (result.kind == Expression::Kind::elementwise) result.meeting = Meeting::both;
        return sums_up ? sum_of(std::move(result), place) : std::move(result);
    }
    Expression result;
    result.kind = Expression::Kind::product;
    result.place = place;
    result.op = op;
    result.add = fold;
    result.labels = in_order(kept, *left, *right);
    result.reduced = in_order(all & ~kept, *left, *right);
    agree(*left, *right);
    result.element = left->element;
    result.operands.reserve(2);
    result.operands.push_back(std::move(*left));
    result.operands.push_back(std::move(*right));
    return sums_up ? sum_of(std::move(result), place) : std::move(result);
}

Checker::Maybe Checker::check_sum(const syntax::Expression& expression) {
    if (!argument_count(expression, 1, 1, "SUM(A[i, j])")) return std::nullopt;
    const syntax::Expression& argument = expression.operands[0];
    Maybe value = check(argument, natural_labels(argument));
    if (!value) return std::nullopt;
    if (value->is_scalar() && !mentions_tensor(argument)) {
        report(ErrorCode::inconsistent, argument.place,
               "SUM adds up the elements of a tensor, and this is a scalar",
               {.accepted = "SUM(A[i, j])"});
        return std::nullopt;
    }
    return sum_of(std::move(*value), expression.place);
}

/// In index notation the labels say it all; what remains is to check that they are the same.
Checker::Maybe Checker::check_transpose(const syntax::Expression& expression, LabelSet wanted) {
    const char* usage = "transpose(A[i, j], {j, i})";
    if (!argument_count(expression, 2, 2, usage)) return std::nullopt;
    const syntax::Expression& list = expression.operands[1];
    if (list.kind != SyntaxKind::label_list) {
        report(ErrorCode::syntax, list.place, "the second argument of transpose must be labels",
               {.accepted = usage});
        return std::nullopt;
    }
    const auto labels = resolve_labels(list.labels);
    const bool distinct = labels && all_distinct(list.labels, "in the list");
    Maybe value = check(expression.operands[0], wanted | natural_labels(list));
    if (!labels || !distinct || !value) return std::nullopt;
    if (set_of(value->labels) != set_of(*labels)) {
        report(ErrorCode::inconsistent, list.place,
               fmt::format("{} is not a permutation of the labels {}", text_of(*labels),
                           text_of(distinct_labels(*value))));
        return std::nullopt;
    }
    return value;
}

Checker::Maybe Checker::check_call(const syntax::Expression& expression, LabelSet wanted) {
    const std::string& name = expression.name;
    const Place place = expression.place;
    if (is_built_in(name) && expression.labelled) {
        report(ErrorCode::syntax, place, fmt::format("the value of '{}' takes no labels", name));
        return std::nullopt;
    }
    if (name == "SUM") return check_sum(expression);
    if (name == "transpose") return check_transpose(expression, wanted);
    if (name == "getTime") {
        if (!argument_count(expression, 0, 0, "getTime()")) return std::nullopt;
        Expression time;
        time.kind = Expression::Kind::time;
        time.place = place;
        return time;
    }
    if (name == "comet_read" || name == "read_from_file" || name == "random") {
        report(ErrorCode::unsupported, place,
               fmt::format("'{}' can only stand alone on the right of an assignment", name),
               {.accepted =
                    fmt::format("A[i, j] = {};", name == "random" ? "random()" : name + "(0)")});
        return std::nullopt;
    }
    if (is_built_in(name)) {
        report(ErrorCode::inconsistent, place, fmt::format("'{}' has no value", name));
        return std::nullopt;
    }
    const Returned returned = expand(expression);
    switch (returned.kind) {
    case Returned::Kind::unknown:
        return std::nullopt;
    case Returned::Kind::nothing:
        report_no_value(expression);
        return std::nullopt;
    case Returned::Kind::scalar:
        if (expression.labelled) {
            report(ErrorCode::inconsistent, place,
                   fmt::format("'{}' returns a scalar, which has no labels", name));
            return std::nullopt;
        }
        return scalar(returned.variable, place);
    case Returned::Kind::tensor:
        break;
    }
    if (!expression.labelled) {
        report(ErrorCode::inconsistent, place,
               fmt::format("'{}' returns a tensor, which needs labels here", name),
               {.hint = fmt::format("{}(...)[i, j], or assign it first: C[i, j] = {}(...);", name,
                                    name)});
        return std::nullopt;
    }
    const auto labels = resolve_labels(expression.labels);
    if (!labels) return std::nullopt;
    Symbol result{.kind = Symbol::Kind::tensor, .id = returned.variable};
    if (!bind_labels(result, {name + "(...)", place}, expression.labels, *labels)) {
        return std::nullopt;
    }
    return access(returned.variable, *labels, place);
}

} // namespace tropic::language
