#include "machines/cpu/algorithm/survey.h"

namespace tropic::cpu {

namespace la = language::algorithm;

namespace {

struct Walk {
    Survey& survey;

    void look_at(const std::optional<la::Expression>& expression) {
        if (expression) look_at(*expression);
    }
    void look_at(const std::shared_ptr<la::Monoid>& monoid) {
        if (monoid && monoid->combine) look_at(*monoid->combine);
    }
    void look_at(const la::Expression& expression) {
        using Kind = la::Expression::Kind;
        if (expression.kind == Kind::swap || expression.kind == Kind::improve ||
            expression.kind == Kind::insert) {
            survey.written.insert(expression.variable);
        }
        for (const la::Expression& operand : expression.operands) look_at(operand);
        look_at(expression.monoid);
        if (!expression.reduction) return;
        const la::Reduction& reduction = *expression.reduction;
        if (reduction.inward && reduction.edge >= 0) survey.numbered.insert(reduction.graph);
        look_at(reduction.center);
        look_at(reduction.condition);
        look_at(reduction.value);
        if (reduction.monoid.combine) look_at(*reduction.monoid.combine);
    }

    void look_at(const la::Statement& statement) {
        using Kind = la::Statement::Kind;
        if (statement.kind == Kind::neighbours && statement.inward && statement.edge >= 0) {
            survey.numbered.insert(statement.graph);
        }
        const bool reads_only = statement.kind == Kind::print ||
                                statement.kind == Kind::neighbours || statement.kind == Kind::marks;
        if (!reads_only && statement.variable >= 0) survey.written.insert(statement.variable);
        if (statement.kind == Kind::swap || statement.kind == Kind::pop) {
            survey.written.insert(statement.other);
        }
        if (statement.target) survey.written.insert(statement.target->variable);
        if (statement.each) {
            survey.written.insert(statement.each->rebuilt.begin(), statement.each->rebuilt.end());
            survey.written.insert(statement.each->grown.begin(), statement.each->grown.end());
            look_at(statement.each->condition);
        }
        if (statement.buckets) look_at(statement.buckets->width);
        look_at(statement.target);
        look_at(statement.first);
        look_at(statement.value);
        look_at(statement.step);
        look_at(statement.monoid);
        for (const la::Expression& member : statement.members) look_at(member);
        for (const la::Statement& inner : statement.body) look_at(inner);
        for (const la::Statement& inner : statement.otherwise) look_at(inner);
    }
};

} // namespace

Survey::Survey(const la::Algorithm& algorithm) {
    Walk walk{*this};
    for (const la::Statement& statement : algorithm.statements) walk.look_at(statement);
    // A result is handed to the caller, who may keep it longer than what was bound.
    written.insert(algorithm.results.begin(), algorithm.results.end());
}

} // namespace tropic::cpu
