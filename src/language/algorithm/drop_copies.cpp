#include <algorithm>

#include <fmt/format.h>

#include "language/algorithm/effects.h"
#include "language/algorithm/optimise.h"
#include "language/algorithm/types.h"
#include "language/algorithm/visit.h"

namespace tropic::language::algorithm {

namespace {

using Kind = Statement::Kind;

class Dropper {
  public:
    explicit Dropper(Algorithm& algorithm) : algorithm_(algorithm) {}

    void run() { list(algorithm_.statements, nullptr); }

  private:
    /// Where a statement stands: its list, its number there, and the statement around the list.
    struct Level {
        const std::vector<Statement>* list = nullptr;
        std::size_t at = 0;
        const Statement* owner = nullptr;
    };

    Variable& variable(VariableId id) { return algorithm_.variables[static_cast<std::size_t>(id)]; }

    void list(std::vector<Statement>& statements, const Statement* owner) {
        levels_.push_back({.list = &statements, .owner = owner});
        for (std::size_t at = 0; at < statements.size(); ++at) {
            levels_.back().at = at;
            Statement& s = statements[at];
            if (s.kind == Kind::clear && rebuild(statements, at)) {
                statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(at));
                --at;
                continue;
            }
            if (writes_in_vain(s)) {
                algorithm_.explanations.push_back(
                    fmt::format("line {}: left out, nobody reads what it writes", s.place.line));
                statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(at));
                --at;
                continue;
            }
            if (s.kind == Kind::assign) exchange(s);
            if (s.kind == Kind::each || s.kind == Kind::buckets || s.kind == Kind::choose) continue;
            list(s.body, &s);
            list(s.otherwise, &s);
        }
        levels_.pop_back();
    }

    static bool is_loop(const Statement& s) {
        return s.kind == Kind::repeat || s.kind == Kind::until || s.kind == Kind::count;
    }

    /// Whether nobody reads what the variable holds behind the current statement.
    bool is_dead(VariableId id) {
        bool jumps = false; // out of the lists so far, to the head of the loop or behind it
        for (std::size_t depth = levels_.size(); depth-- > 0;) {
            const Level& level = levels_[depth];
            const Fate fate = fate_of(id, *level.list, level.at + 1, algorithm_);
            if (fate == Fate::read) return false;
            if (fate == Fate::overwritten && !jumps) return true;
            jumps = jumps ||
                    std::any_of(level.list->begin() + static_cast<std::ptrdiff_t>(level.at) + 1,
                                level.list->end(), may_jump);
            if (level.owner == nullptr || !is_loop(*level.owner)) continue;
            if (fate == Fate::untouched || jumps) {
                if (effects_of_head(*level.owner, algorithm_).reads.contains(id)) return false;
                if (fate_of(id, *level.list, 0, algorithm_) == Fate::read) return false;
            }
            jumps = false;
        }
        return !variable(id).is_result;
    }

    /// What elements of no member hold stays with the memory, and loops rely on it.
    static bool same_reset(const Variable& a, const Variable& b) {
        return (!a.reset && !b.reset) || (a.reset && b.reset && same_literal(*a.reset, *b.reset));
    }

    /// `v = w` where w is not read again: they trade places.
    void exchange(Statement& s) {
        const Variable& from = variable(s.other);
        const Variable& to = variable(s.variable);
        if (from.is_parameter || to.is_parameter || from.type.space != to.type.space ||
            from.type.shape != to.type.shape || !same_reset(from, to) || !is_dead(s.other)) {
            return;
        }
        s.kind = Kind::swap;
        algorithm_.explanations.push_back(
            fmt::format("line {}: '{}' and '{}' trade places, nothing is copied", s.place.line,
                        to.name, from.name));
    }

    bool writes_in_vain(const Statement& s) {
        if (s.kind == Kind::clear || s.kind == Kind::assign) return is_dead(s.variable);
        if (s.kind != Kind::each || may_fail(s)) return false;
        const Effects effects = effects_of(s, algorithm_);
        if (effects.leaves || effects.writes.empty()) return false;
        return std::ranges::all_of(effects.writes, [&](VariableId id) {
            return !variable(id).type.is_scalar() && is_dead(id);
        });
    }

    /// A set that is emptied and then filled by the next loop that touches it becomes what the loop
    /// finds.
    bool rebuild(std::vector<Statement>& statements, std::size_t at) {
        const VariableId id = statements[at].variable;
        for (std::size_t i = at + 1; i < statements.size(); ++i) {
            Statement& s = statements[i];
            const Effects effects = effects_of(s, algorithm_);
            if (!effects.reads.contains(id) && !effects.writes.contains(id)) {
                // Whoever leaves before the loop finds the set empty.
                if (may_jump(s) || may_return(s)) return false;
                continue;
            }
            if (s.kind == Kind::each) return fills(s, id) && (mark(s, id), true);
            if (s.kind != Kind::choose || s.choose->front == id) return false;
            std::vector<Statement*> loops;
            for (auto* list : {&s.body, &s.otherwise}) {
                std::size_t found = 0;
                for (Statement& inner : *list) {
                    if (!effects_of(inner, algorithm_).writes.contains(id)) continue;
                    if (inner.kind != Kind::each || !fills(inner, id)) return false;
                    loops.push_back(&inner);
                    ++found;
                }
                if (found != 1) return false;
            }
            for (Statement* loop : loops) mark(*loop, id);
            return true;
        }
        return false;
    }

    static void mark(Statement& loop, VariableId id) {
        auto& rebuilt = loop.each->rebuilt;
        if (std::ranges::find(rebuilt, id) == rebuilt.end()) rebuilt.push_back(id);
    }

    /// Whether the loop does nothing with the set but insert.
    bool fills(const Statement& loop, VariableId id) {
        if (loop.each->members == id) return false;
        bool only = true;
        bool inserts = false;
        for_each_expression(loop, [&](const Expression& e) {
            if (e.reduction && e.reduction->members == id) only = false;
            if (e.variable != id) return;
            if (e.kind == Expression::Kind::insert) inserts = true;
            else only = false;
        });
        if (variable(id).type.shape != Type::Shape::set) return false;
        return only && inserts;
    }

    Algorithm& algorithm_;
    std::vector<Level> levels_;
};

} // namespace

void drop_copies(Algorithm& algorithm) {
    Dropper(algorithm).run();
}

} // namespace tropic::language::algorithm
