#include "program/variables.h"

#include <algorithm>
#include <set>

#include "language/values.h"

namespace tropic::program {

namespace {

using language::Expression;
using language::Statement;

/// Looks through all statements, those in loops as well.
struct Survey {
    std::vector<std::string> inputs;
    std::vector<language::Place> places;        ///< of the inputs
    std::vector<language::VariableId> assigned; ///< in order, possibly several times
    std::set<language::VariableId> used;

    void look_at(const Expression& expression) {
        if (expression.variable >= 0) used.insert(expression.variable);
        for (const Expression& operand : expression.operands) look_at(operand);
    }

    void look_at(const Statement& statement) {
        for (const Expression& operand : statement.operands) look_at(operand);
        if (statement.mask) used.insert(statement.mask->variable);
        switch (statement.kind) {
        case Statement::Kind::assign:
        case Statement::Kind::fill_random:
            assigned.push_back(statement.variable);
            break;
        case Statement::Kind::read:
            if (std::ranges::find(inputs, statement.input) == inputs.end()) {
                inputs.push_back(statement.input);
                places.push_back(statement.place);
            }
            break;
        case Statement::Kind::print:
        case Statement::Kind::print_elapsed:
        case Statement::Kind::loop:
            if (statement.variable >= 0) used.insert(statement.variable);
            break;
        case Statement::Kind::forget:
            break;
        }
        for (const Statement& inner : statement.body) look_at(inner);
    }

    explicit Survey(const language::Program& program) {
        for (const Statement& statement : program.statements) look_at(statement);
    }
};

} // namespace

std::vector<std::string> inputs_of(const language::Program& program) {
    return Survey(program).inputs;
}

language::Place place_of_input(const language::Program& program, const std::string& input) {
    const Survey survey(program);
    const auto found = std::ranges::find(survey.inputs, input);
    if (found == survey.inputs.end()) return {};
    return survey.places[static_cast<std::size_t>(found - survey.inputs.begin())];
}

std::vector<language::VariableId> unused_variables(const language::Program& program) {
    const Survey survey(program);
    const auto left = language::follow_values(program, [](language::VariableId, auto) {});
    std::vector<language::VariableId> unused;
    for (const language::VariableId id : survey.assigned) {
        const std::string& name = program.variables[id].name;
        const auto same_name = [&](const language::Variable& other) { return other.name == name; };
        const bool known_by_name =
            std::ranges::count_if(program.variables, same_name) == 1 && !name.empty();
        if (known_by_name && left[id] && !survey.used.contains(id) &&
            std::ranges::find(unused, id) == unused.end()) {
            unused.push_back(id);
        }
    }
    return unused;
}

} // namespace tropic::program
