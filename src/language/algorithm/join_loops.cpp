#include <fmt/format.h>

#include "language/algorithm/effects.h"
#include "language/algorithm/optimise.h"
#include "language/algorithm/types.h"
#include "language/algorithm/visit.h"

namespace tropic::language::algorithm {

namespace {

using Kind = Statement::Kind;

class Joiner {
  public:
    explicit Joiner(Algorithm& algorithm) : algorithm_(algorithm) {}

    void run() { list(algorithm_.statements); }

  private:
    void list(std::vector<Statement>& statements) {
        for (Statement& s : statements) {
            if (s.kind == Kind::each || s.kind == Kind::buckets) continue;
            list(s.body);
            list(s.otherwise);
        }
        for (std::size_t at = 1; at < statements.size(); ++at) {
            if (statements[at].kind == Kind::each && join_upwards(statements, at)) --at;
        }
    }

    /// Joins the loop with one further up if everything between lets it pass.
    bool join_upwards(std::vector<Statement>& statements, std::size_t at) {
        const Effects effects = effects_of(statements[at], algorithm_);
        for (std::size_t above = at; above-- > 0;) {
            Statement& candidate = statements[above];
            if (candidate.kind == Kind::each && can_join(candidate, statements[at])) {
                join(candidate, statements[at]);
                statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(at));
                return true;
            }
            if (!commute(effects_of(candidate, algorithm_), effects)) return false;
        }
        return false;
    }

    bool is_local(VariableId id) const {
        return algorithm_.variables[static_cast<std::size_t>(id)].is_local;
    }

    bool can_join(const Statement& first, const Statement& second) const {
        const Each& a = *first.each;
        const Each& b = *second.each;
        if (a.alone || b.alone || a.built >= 0 || b.built >= 0) return false;
        if (a.members != b.members || (a.members < 0 && a.space != b.space)) return false;
        const MemberEffects x = member_effects(first.body, a.condition, a.label, algorithm_);
        const MemberEffects y = member_effects(second.body, b.condition, b.label, algorithm_);
        if (x.returns || y.returns) return false;
        for (const VariableId id : x.scalars_written) {
            if (y.scalars_read.contains(id) || y.scalars_written.contains(id)) return false;
        }
        for (const VariableId id : y.scalars_written) {
            if (x.scalars_read.contains(id)) return false;
        }
        for (const auto& [id, use] : x.vectors) {
            const auto other = y.vectors.find(id);
            if (other == y.vectors.end()) continue;
            const Use& theirs = other->second;
            const bool writes =
                use.writes_own || use.writes_other || theirs.writes_own || theirs.writes_other;
            if (!writes) continue;
            // Sets and sparse vectors are read as they were before the loop.
            const Type& type = algorithm_.variables[static_cast<std::size_t>(id)].type;
            if (type.is_members()) return false;
            if (use.writes_other || theirs.writes_other) return false;
            if (use.reads_other || theirs.reads_other) return false;
        }
        // Members that the loops run over must stay as they are.
        for (const Each* each : {&a, &b}) {
            if (each->members < 0) continue;
            for (const MemberEffects* effects : {&x, &y}) {
                const auto use = effects->vectors.find(each->members);
                if (use != effects->vectors.end() &&
                    (use->second.writes_own || use->second.writes_other)) {
                    return false;
                }
            }
        }
        return true;
    }

    static std::vector<Statement> under(std::optional<Expression> condition,
                                        std::vector<Statement> body, Place place) {
        if (!condition) return body;
        Statement branch;
        branch.kind = Kind::branch;
        branch.place = place;
        branch.value = std::move(condition);
        branch.body = std::move(body);
        std::vector<Statement> result;
        result.push_back(std::move(branch));
        return result;
    }

    void join(Statement& first, Statement& second) {
        algorithm_.explanations.push_back(fmt::format("line {}: done in the loop of line {}",
                                                      second.place.line, first.place.line));
        Each& a = *first.each;
        Each& b = *second.each;
        const Expression label = read_of(algorithm_, a.label);
        rename(second, b.label, a.label);
        if (b.condition) b.condition = replaced(*b.condition, b.label, label);
        first.body = under(std::move(a.condition), std::move(first.body), first.place);
        a.condition.reset();
        for (Statement& s : under(std::move(b.condition), std::move(second.body), second.place)) {
            first.body.push_back(std::move(s));
        }
        for (const VariableId id : b.rebuilt) a.rebuilt.push_back(id);
    }

    /// Reads of one label become reads of another.
    static void rename(Statement& s, VariableId from, VariableId to) {
        for_each_expression(s, [&](Expression& e) {
            if (e.kind == Expression::Kind::variable && e.variable == from) e.variable = to;
        });
    }

    Algorithm& algorithm_;
};

} // namespace

void join_loops(Algorithm& algorithm) {
    Joiner(algorithm).run();
}

} // namespace tropic::language::algorithm
