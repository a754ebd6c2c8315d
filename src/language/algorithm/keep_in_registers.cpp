#include <map>
#include <set>

#include <fmt/format.h>

#include "language/algorithm/effects.h"
#include "language/algorithm/optimise.h"
#include "language/algorithm/types.h"
#include "language/algorithm/visit.h"

namespace tropic::language::algorithm {

namespace {

using Kind = Statement::Kind;

class Keeper {
  public:
    explicit Keeper(Algorithm& algorithm) : algorithm_(algorithm) {}

    void run() {
        find_homes(algorithm_.statements);
        for (const auto& [id, loop] : homes_) {
            if (loop == nullptr || shared_.contains(id) || !starts_with_store(*loop, id)) continue;
            move(*loop, id);
        }
        std::erase_if(algorithm_.statements, [&](const Statement& s) {
            return s.kind == Kind::create && moved_.contains(s.variable);
        });
    }

  private:
    const Variable& variable(VariableId id) const {
        return algorithm_.variables[static_cast<std::size_t>(id)];
    }

    /// The only loop that touches a vector; none if there are several or other statements do.
    void find_homes(std::vector<Statement>& list) {
        for (Statement& s : list) {
            if (s.kind == Kind::create) continue;
            if (s.kind != Kind::each) {
                const bool whole = s.kind == Kind::choose || s.kind == Kind::buckets;
                const Effects effects =
                    whole ? effects_of(s, algorithm_) : effects_of_head(s, algorithm_);
                for (const auto* ids : {&effects.reads, &effects.writes}) {
                    shared_.insert(ids->begin(), ids->end());
                }
                if (!whole) {
                    find_homes(s.body);
                    find_homes(s.otherwise);
                }
                continue;
            }
            const MemberEffects effects =
                member_effects(s.body, s.each->condition, s.each->label, algorithm_);
            for (const auto& [id, use] : effects.vectors) {
                const bool own = !use.reads_other && !use.writes_other;
                const auto [home, added] = homes_.emplace(id, &s);
                if (!added || !own) shared_.insert(id);
            }
            if (s.each->members >= 0) shared_.insert(s.each->members);
        }
    }

    bool starts_with_store(const Statement& loop, VariableId id) const {
        const Variable& v = variable(id);
        if (v.type.shape != Type::Shape::vector || v.is_parameter || v.is_result) return false;
        const auto touches = [&](const Statement& s) {
            bool found = s.target && s.target->variable == id;
            for_each_expression(s, [&](const Expression& e) { found = found || e.variable == id; });
            return found;
        };
        if (loop.each->condition) {
            bool in_condition = false;
            for_each_expression(*loop.each->condition, [&](const Expression& e) {
                in_condition = in_condition || e.variable == id;
            });
            if (in_condition) return false;
        }
        for (const Statement& s : loop.body) {
            if (!touches(s)) continue;
            if (s.kind != Kind::element || s.operation != Operation::none ||
                s.target->variable != id) {
                return false;
            }
            bool reads = false;
            for_each_expression(*s.value,
                                [&](const Expression& e) { reads = reads || e.variable == id; });
            bool changes = false;
            for_each_expression(loop, [&](const Expression& e) {
                const bool atomic =
                    e.kind == Expression::Kind::improve || e.kind == Expression::Kind::swap;
                changes = changes || (atomic && e.variable == id);
            });
            return !reads && !changes;
        }
        return false;
    }

    void move(Statement& loop, VariableId id) {
        Variable local = variable(id);
        local.is_local = true;
        local.type = element_of(local.type);
        const auto to = static_cast<VariableId>(algorithm_.variables.size());
        algorithm_.explanations.push_back(fmt::format(
            "line {}: '{}' is never stored, it lives in registers", loop.place.line, local.name));
        algorithm_.variables.push_back(std::move(local));
        for_each_statement(loop.body, [&](Statement& s) {
            if (!s.target || s.target->variable != id) return;
            s.kind = Kind::scalar;
            s.variable = to;
            s.target.reset();
        });
        for_each_expression(loop, [&](Expression& e) {
            if (e.variable != id || e.kind != Expression::Kind::element) return;
            e = read_of(algorithm_, to, e.place);
        });
        moved_.insert(id);
    }

    Algorithm& algorithm_;
    std::map<VariableId, Statement*> homes_;
    std::set<VariableId> shared_;
    std::set<VariableId> moved_;
};

} // namespace

void keep_in_registers(Algorithm& algorithm) {
    Keeper(algorithm).run();
}

} // namespace tropic::language::algorithm
