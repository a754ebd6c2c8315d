#include <algorithm>

#include <fmt/format.h>

#include "language/algorithm/effects.h"
#include "language/algorithm/optimise.h"

namespace tropic::language::algorithm {

namespace {

using Kind = Statement::Kind;

class Hoister {
  public:
    explicit Hoister(Algorithm& algorithm) : algorithm_(algorithm) {}

    void run() { list(algorithm_.statements); }

  private:
    void list(std::vector<Statement>& statements) {
        for (std::size_t at = 0; at < statements.size(); ++at) {
            Statement& s = statements[at];
            if (s.kind == Kind::each || s.kind == Kind::buckets || s.kind == Kind::choose) continue;
            list(s.body);
            list(s.otherwise);
            const bool loop =
                s.kind == Kind::repeat || s.kind == Kind::until || s.kind == Kind::count;
            if (!loop) continue;
            std::vector<Statement> moved = take_invariants(statements[at]);
            statements.insert(statements.begin() + static_cast<std::ptrdiff_t>(at),
                              std::make_move_iterator(moved.begin()),
                              std::make_move_iterator(moved.end()));
            at += moved.size();
        }
    }

    std::vector<Statement> take_invariants(Statement& loop) {
        std::vector<Statement> moved;
        for (std::size_t i = 0; i < loop.body.size(); ++i) {
            if (!is_invariant(loop, i)) continue;
            algorithm_.explanations.push_back(
                fmt::format("line {}: done once, before the loop of line {}",
                            loop.body[i].place.line, loop.place.line));
            moved.push_back(std::move(loop.body[i]));
            loop.body.erase(loop.body.begin() + static_cast<std::ptrdiff_t>(i));
            --i;
        }
        return moved;
    }

    bool is_invariant(const Statement& loop, std::size_t at) const {
        const Statement& s = loop.body[at];
        const bool derive = s.kind == Kind::derive;
        if (s.kind != Kind::each && !derive) return false;
        const Effects own = effects_of(s, algorithm_);
        if (own.leaves || own.writes.empty()) return false;
        if (s.kind == Kind::each && !fate_of_all(s, own)) return false;
        if (may_fail(s) && !is_reached(loop, at)) return false;
        if (is_read_before(own.writes, loop, at)) return false;
        // What the rest of the loop does.
        Statement rest = loop;
        rest.body.erase(rest.body.begin() + static_cast<std::ptrdiff_t>(at));
        const Effects others = effects_of(rest, algorithm_);
        for (const VariableId id : own.reads) {
            if (others.writes.contains(id) || own.writes.contains(id)) return false;
        }
        return std::ranges::all_of(own.writes, [&](VariableId id) {
            const Variable& v = algorithm_.variables[static_cast<std::size_t>(id)];
            return !v.is_result && !v.type.is_scalar() && !others.writes.contains(id) &&
                   !read_outside(id, loop);
        });
    }

    /// Whether the loop comes to the statement, and nobody sees anything before that.
    bool is_reached(const Statement& loop, std::size_t at) const {
        const auto end = loop.body.begin() + static_cast<std::ptrdiff_t>(at);
        return loop.kind == Kind::until &&
               std::none_of(loop.body.begin(), end, [&](const Statement& s) {
                   return effects_of(s, algorithm_).leaves || may_fail(s);
               });
    }

    /// Whether the first round sees what the variables were before the statement.
    bool is_read_before(const std::set<VariableId>& written, const Statement& loop,
                        std::size_t at) const {
        const auto reads = [&](const Effects& effects) {
            return std::ranges::any_of(written,
                                       [&](VariableId id) { return effects.reads.contains(id); });
        };
        if (loop.kind != Kind::until && reads(effects_of_head(loop, algorithm_))) return true;
        const auto end = loop.body.begin() + static_cast<std::ptrdiff_t>(at);
        return std::any_of(loop.body.begin(), end,
                           [&](const Statement& s) { return reads(effects_of(s, algorithm_)); });
    }

    /// Whether the statement gives all that it writes a new value.
    bool fate_of_all(const Statement& s, const Effects& own) const {
        std::vector<Statement> alone;
        alone.push_back(s);
        return std::ranges::all_of(own.writes, [&](VariableId id) {
            return fate_of(id, alone, 0, algorithm_) == Fate::overwritten;
        });
    }

    bool read_outside(VariableId id, const Statement& loop) const {
        return reads(algorithm_.statements, id, loop);
    }

    bool reads(const std::vector<Statement>& list, VariableId id, const Statement& except) const {
        for (const Statement& s : list) {
            if (&s == &except) continue;
            const bool plain = s.body.empty() && s.otherwise.empty();
            if (plain || s.kind == Kind::each || s.kind == Kind::choose ||
                s.kind == Kind::buckets) {
                if (effects_of(s, algorithm_).reads.contains(id)) return true;
                continue;
            }
            if (effects_of_head(s, algorithm_).reads.contains(id)) return true;
            if (reads(s.body, id, except) || reads(s.otherwise, id, except)) return true;
        }
        return false;
    }

    Algorithm& algorithm_;
};

} // namespace

void hoist_invariants(Algorithm& algorithm) {
    Hoister(algorithm).run();
}

} // namespace tropic::language::algorithm
