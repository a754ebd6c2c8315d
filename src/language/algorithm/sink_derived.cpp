// Derived graphs that only one way through the program needs are made on that way alone.
#include <algorithm>

#include "language/algorithm/effects.h"
#include "language/algorithm/optimise.h"
#include "language/algorithm/visit.h"

namespace tropic::language::algorithm {

namespace {

using Kind = Statement::Kind;

class Sinker {
  public:
    explicit Sinker(const Algorithm& algorithm) : algorithm_(algorithm) {}

    void list(std::vector<Statement>& statements) {
        // The last first: a graph that is made from another one leaves before it.
        for (std::size_t at = statements.size(); at-- > 0;) {
            if (statements[at].kind == Kind::derive) sink(statements, at);
        }
        for (Statement& s : statements) {
            if (s.kind != Kind::branch) continue;
            list(s.body);
            list(s.otherwise);
        }
    }

  private:
    void sink(std::vector<Statement>& statements, std::size_t at) const {
        const VariableId graph = statements[at].variable;
        if (counts_something(graph)) return;
        const Effects making = effects_of(statements[at], algorithm_);
        Statement* user = nullptr;
        for (std::size_t later = at + 1; later < statements.size(); ++later) {
            const Effects effects = effects_of(statements[later], algorithm_);
            if (effects.writes.contains(graph)) return;
            if (effects.reads.contains(graph)) {
                if (user != nullptr) return;
                user = &statements[later];
            } else if (user == nullptr && changes(effects, making.reads)) {
                return;
            }
        }
        if (user == nullptr || user->kind != Kind::branch || reads(*user->value, graph)) return;
        const bool in_body = reads(user->body, graph);
        const bool in_otherwise = reads(user->otherwise, graph);
        if (in_body == in_otherwise) return;
        std::vector<Statement>& arm = in_body ? user->body : user->otherwise;
        arm.insert(arm.begin(), std::move(statements[at]));
        statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(at));
    }

    /// Whether the number of something is taken from the graph: it has to be there from the start.
    bool counts_something(VariableId graph) const {
        return std::ranges::any_of(algorithm_.spaces,
                                   [&](const Space& space) { return space.graph == graph; });
    }

    static bool changes(const Effects& effects, const std::set<VariableId>& needed) {
        return std::ranges::any_of(needed,
                                   [&](VariableId id) { return effects.writes.contains(id); });
    }

    static bool reads(const Expression& expression, VariableId graph) {
        bool found = false;
        for_each_expression(expression, [&](const Expression& e) {
            found = found || e.variable == graph || (e.reduction && e.reduction->graph == graph);
        });
        return found;
    }

    bool reads(const std::vector<Statement>& list, VariableId graph) const {
        return std::ranges::any_of(list, [&](const Statement& s) {
            return effects_of(s, algorithm_).reads.contains(graph);
        });
    }

    const Algorithm& algorithm_;
};

} // namespace

void sink_derived(Algorithm& algorithm) {
    Sinker(algorithm).list(algorithm.statements);
}

} // namespace tropic::language::algorithm
