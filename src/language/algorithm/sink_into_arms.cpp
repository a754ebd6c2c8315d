// What only one way through the program needs is made on that way alone: derived graphs, and the
// vectors, sets and stacks that functions start with.
#include <algorithm>

#include "language/algorithm/effects.h"
#include "language/algorithm/optimise.h"
#include "language/algorithm/visit.h"

namespace tropic::language::algorithm {

namespace {

using Kind = Statement::Kind;

class Sinker {
  public:
    Sinker(const Algorithm& algorithm, Kind kind) : algorithm_(algorithm), kind_(kind) {}

    void list(std::vector<Statement>& statements) {
        // The last first: a graph that is made from another one leaves before it.
        for (std::size_t at = statements.size(); at-- > 0;) {
            if (statements[at].kind == kind_) sink(statements, at);
        }
        for (Statement& s : statements) {
            if (s.kind != Kind::branch) continue;
            list(s.body);
            list(s.otherwise);
        }
    }

  private:
    void sink(std::vector<Statement>& statements, std::size_t at) const {
        const VariableId made = statements[at].variable;
        if (is_needed_anyway(made)) return;
        const Effects making = effects_of(statements[at], algorithm_);
        Statement* user = nullptr;
        for (std::size_t later = at + 1; later < statements.size(); ++later) {
            const Effects effects = effects_of(statements[later], algorithm_);
            if (touches(effects, made)) {
                if (user != nullptr) return;
                user = &statements[later];
            } else if (user == nullptr && changes(effects, making.reads)) {
                return;
            }
        }
        if (user == nullptr || user->kind != Kind::branch || asks(*user->value, made)) return;
        const bool in_body = touches(user->body, made);
        const bool in_otherwise = touches(user->otherwise, made);
        if (in_body == in_otherwise) return;
        std::vector<Statement>& arm = in_body ? user->body : user->otherwise;
        arm.insert(arm.begin(), std::move(statements[at]));
        statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(at));
    }

    /// Whether the number of something is taken from it, or whoever runs the program wants it.
    bool is_needed_anyway(VariableId id) const {
        const Variable& variable = algorithm_.variables[static_cast<std::size_t>(id)];
        return variable.is_result || variable.is_parameter ||
               std::ranges::any_of(algorithm_.spaces,
                                   [&](const Space& space) { return space.graph == id; });
    }

    static bool changes(const Effects& effects, const std::set<VariableId>& needed) {
        return std::ranges::any_of(needed,
                                   [&](VariableId id) { return effects.writes.contains(id); });
    }

    static bool asks(const Expression& expression, VariableId id) {
        bool found = false;
        for_each_expression(expression, [&](const Expression& e) {
            found = found || e.variable == id ||
                    (e.reduction && (e.reduction->graph == id || e.reduction->members == id));
        });
        return found;
    }

    static bool touches(const Effects& effects, VariableId id) {
        return effects.reads.contains(id) || effects.writes.contains(id);
    }

    bool touches(const std::vector<Statement>& list, VariableId id) const {
        return std::ranges::any_of(
            list, [&](const Statement& s) { return touches(effects_of(s, algorithm_), id); });
    }

    const Algorithm& algorithm_;
    Kind kind_;
};

} // namespace

void sink_derived(Algorithm& algorithm) {
    Sinker(algorithm, Kind::derive).list(algorithm.statements);
}

void sink_created(Algorithm& algorithm) {
    Sinker(algorithm, Kind::create).list(algorithm.statements);
}

} // namespace tropic::language::algorithm
