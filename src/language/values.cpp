#include "language/values.h"

#include <algorithm>
#include <map>
#include <set>

namespace tropic::language {

namespace {

bool assigns(const Statement& statement) {
    return statement.kind == Statement::Kind::assign || statement.kind == Statement::Kind::read ||
           statement.kind == Statement::Kind::fill_random;
}

void collect(const std::vector<Statement>& statements, std::vector<const Statement*>& first,
             std::set<VariableId>& seen) {
    for (const Statement& statement : statements) {
        // Who forgets a variable does so before assigning it.
        const bool forgets = statement.kind == Statement::Kind::forget;
        if ((forgets || assigns(statement)) && seen.insert(statement.variable).second && !forgets) {
            first.push_back(&statement);
        }
        collect(statement.body, first, seen);
    }
}

class Values {
  public:
    Values(const Program& program, const std::function<void(VariableId, Place)>& missing)
        : program_(program), missing_(missing), known_(program.variables.size()) {}

    std::vector<bool> all() {
        follow(program_.statements);
        return std::move(known_);
    }

  private:
    using Uses = std::vector<std::pair<LabelId, VariableId>>;

    const Variable& variable(VariableId id) const {
        return program_.variables[static_cast<std::size_t>(id)];
    }

    bool has_value(VariableId id) const { return known_[static_cast<std::size_t>(id)]; }
    void set_value(VariableId id, bool has) { known_[static_cast<std::size_t>(id)] = has; }

    void use(VariableId id, Place place) {
        if (!has_value(id)) missing_(id, place);
    }

    void use(const Expression& expression) {
        if (expression.kind == Expression::Kind::access) use(expression.variable, expression.place);
        for (const Expression& operand : expression.operands) use(operand);
    }

    void follow(const std::vector<Statement>& statements) {
        for (const Statement& statement : statements) follow(statement);
    }

    void follow(const Statement& statement) {
        for (const Expression& operand : statement.operands) use(operand);
        if (statement.mask) use(statement.mask->variable, statement.mask->place);
        switch (statement.kind) {
        case Statement::Kind::assign:
        case Statement::Kind::read:
        case Statement::Kind::fill_random:
            set_value(statement.variable, true);
            learn(statement.variable, variable(statement.variable).labels);
            learn(statement.variable, statement.labels);
            break;
        case Statement::Kind::forget:
            set_value(statement.variable, false);
            break;
        case Statement::Kind::loop:
            follow_loop(statement);
            break;
        case Statement::Kind::print:
            if (statement.operands.empty() && variable(statement.variable).is_tensor) {
                use(statement.variable, statement.place);
            }
            break;
        case Statement::Kind::print_elapsed:
            break;
        }
    }

    void follow_loop(const Statement& loop) {
        for (const Statement* first : first_assignments(loop.body)) {
            const VariableId id = first->variable;
            if (has_value(id)) continue;
            if (!variable(id).is_tensor || size_known(*first)) set_value(id, true);
            else if (first->mask || first->accumulate) missing_(id, first->place);
        }
        const std::vector<bool> before = known_;
        follow(loop.body);
        known_ = before;
    }

    void learn(VariableId id, const std::vector<LabelId>& labels) {
        for (const LabelId label : labels) sized_[label].insert(id);
    }

    bool known(LabelId label, const Uses& here) const {
        if (program_.labels[static_cast<std::size_t>(label)].size >= 0) return true;
        const auto valued = [&](VariableId id) { return has_value(id); };
        const auto sized = sized_.find(label);
        return (sized != sized_.end() && std::ranges::any_of(sized->second, valued)) ||
               std::ranges::any_of(here, [&](const auto& use) {
                   return use.first == label && has_value(use.second);
               });
    }

    static void collect_uses(const Expression& expression, Uses& uses) {
        if (expression.kind == Expression::Kind::access) {
            for (const LabelId label : expression.labels) {
                uses.emplace_back(label, expression.variable);
            }
        }
        for (const Expression& operand : expression.operands) collect_uses(operand, uses);
    }

    /// Whether the size of what the statement assigns is known before its loop.
    bool size_known(const Statement& statement) const {
        Uses here;
        for (const Expression& operand : statement.operands) collect_uses(operand, here);
        if (statement.mask) {
            for (const LabelId label : statement.mask->labels) {
                here.emplace_back(label, statement.mask->variable);
            }
        }
        const Variable& target = variable(statement.variable);
        for (std::size_t d = 0; d < target.shape.size(); ++d) {
            if (target.shape[d] >= 0) continue;
            if (d < target.labels.size() && known(target.labels[d], here)) continue;
            if (d < statement.labels.size() && known(statement.labels[d], here)) continue;
            return false;
        }
        return true;
    }

    const Program& program_;
    const std::function<void(VariableId, Place)>& missing_;
    std::vector<bool> known_;                       ///< those with a value here
    std::map<LabelId, std::set<VariableId>> sized_; ///< tensors that tell the size of a label
};

} // namespace

std::vector<const Statement*> first_assignments(const std::vector<Statement>& statements) {
    std::vector<const Statement*> first;
    std::set<VariableId> seen;
    collect(statements, first, seen);
    return first;
}

std::vector<bool> follow_values(const Program& program,
                                const std::function<void(VariableId, Place)>& missing) {
    return Values(program, missing).all();
}

} // namespace tropic::language
