#include "language/algorithm/visit.h"

namespace tropic::language::algorithm {

namespace {

template <class E, class Visit> void walk(E& expression, const Visit& visit) {
    visit(expression);
    for (auto& operand : expression.operands) walk(operand, visit);
    if (expression.reduction) {
        auto& reduction = *expression.reduction;
        if (reduction.center) walk(*reduction.center, visit);
        if (reduction.condition) walk(*reduction.condition, visit);
        walk(reduction.value, visit);
    }
}

template <class S, class Visit> void walk_statements(S& list, const Visit& visit) {
    for (auto& statement : list) {
        visit(statement);
        walk_statements(statement.body, visit);
        walk_statements(statement.otherwise, visit);
    }
}

template <class S, class Visit> void walk_own(S& statement, const Visit& visit) {
    for (auto* part : {&statement.target, &statement.first, &statement.value, &statement.step}) {
        if (*part) walk(**part, visit);
    }
    for (auto& member : statement.members) walk(member, visit);
    if (statement.each && statement.each->condition) walk(*statement.each->condition, visit);
    if (statement.buckets && statement.buckets->width) walk(*statement.buckets->width, visit);
}

} // namespace

void for_each_expression(const Expression& expression,
                         const std::function<void(const Expression&)>& visit) {
    walk(expression, visit);
}

void for_each_expression(Expression& expression, const std::function<void(Expression&)>& visit) {
    walk(expression, visit);
}

void for_each_expression(const Statement& statement,
                         const std::function<void(const Expression&)>& visit) {
    walk_own(statement, visit);
    for_each_statement(statement.body, [&](const Statement& s) { walk_own(s, visit); });
    for_each_statement(statement.otherwise, [&](const Statement& s) { walk_own(s, visit); });
}

void for_each_expression(Statement& statement, const std::function<void(Expression&)>& visit) {
    walk_own(statement, visit);
    for_each_statement(statement.body, [&](Statement& s) { walk_own(s, visit); });
    for_each_statement(statement.otherwise, [&](Statement& s) { walk_own(s, visit); });
}

void for_each_statement(const std::vector<Statement>& list,
                        const std::function<void(const Statement&)>& visit) {
    walk_statements(list, visit);
}

void for_each_statement(std::vector<Statement>& list,
                        const std::function<void(Statement&)>& visit) {
    walk_statements(list, visit);
}

bool mentions(const Expression& expression, VariableId scalar) {
    bool found = false;
    for_each_expression(expression, [&](const Expression& e) {
        found = found || (e.kind == Expression::Kind::variable && e.variable == scalar);
    });
    return found;
}

bool does_something(const Expression& expression) {
    bool found = false;
    for_each_expression(expression, [&](const Expression& e) {
        found = found || e.kind == Expression::Kind::insert ||
                e.kind == Expression::Kind::improve || e.kind == Expression::Kind::swap;
    });
    return found;
}

Expression replaced(const Expression& expression, VariableId scalar, const Expression& by) {
    Expression result = deep_copy(expression);
    for_each_expression(result, [&](Expression& e) {
        if (e.kind == Expression::Kind::variable && e.variable == scalar) e = by;
    });
    return result;
}

Expression deep_copy(const Expression& expression) {
    Expression copy = expression;
    for (Expression& operand : copy.operands) operand = deep_copy(operand);
    if (copy.reduction) {
        auto reduction = std::make_shared<Reduction>(*copy.reduction);
        if (reduction->center) *reduction->center = deep_copy(*reduction->center);
        if (reduction->condition) *reduction->condition = deep_copy(*reduction->condition);
        reduction->value = deep_copy(reduction->value);
        copy.reduction = std::move(reduction);
    }
    return copy;
}

Statement deep_copy(const Statement& statement) {
    Statement copy = statement;
    for (auto* part : {&copy.target, &copy.first, &copy.value, &copy.step}) {
        if (*part) *part = deep_copy(**part);
    }
    for (Expression& member : copy.members) member = deep_copy(member);
    if (copy.each) {
        copy.each = std::make_shared<Each>(*copy.each);
        if (copy.each->condition) copy.each->condition = deep_copy(*copy.each->condition);
    }
    if (copy.choose) copy.choose = std::make_shared<Choose>(*copy.choose);
    if (copy.buckets) copy.buckets = std::make_shared<Buckets>(*copy.buckets);
    for (Statement& inner : copy.body) inner = deep_copy(inner);
    for (Statement& inner : copy.otherwise) inner = deep_copy(inner);
    return copy;
}

} // namespace tropic::language::algorithm
