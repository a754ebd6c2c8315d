#include "language/algorithm/effects.h"

#include <algorithm>

#include "language/algorithm/types.h"
#include "language/algorithm/visit.h"

namespace tropic::language::algorithm {

namespace {

using ExpressionKind = Expression::Kind;
using Kind = Statement::Kind;

bool writes_element(const Expression& e) {
    return e.kind == ExpressionKind::insert || e.kind == ExpressionKind::improve ||
           e.kind == ExpressionKind::swap;
}

class Collector {
  public:
    Collector(const Algorithm& algorithm, Effects& effects)
        : algorithm_(algorithm), effects_(effects) {}

    void statement(const Statement& s) {
        own(s);
        for_each_statement(s.body, [&](const Statement& inner) { own(inner); });
        for_each_statement(s.otherwise, [&](const Statement& inner) { own(inner); });
    }

    void head(const Statement& s) { own(s); }

  private:
    bool counts(VariableId id) const {
        return id >= 0 && !algorithm_.variables[static_cast<std::size_t>(id)].is_local;
    }
    void read(VariableId id) {
        if (counts(id)) effects_.reads.insert(id);
    }
    void write(VariableId id) {
        if (counts(id)) effects_.writes.insert(id);
    }

    void expression(const Expression& root) {
        for_each_expression(root, [&](const Expression& e) {
            if (e.variable >= 0) read(e.variable);
            if (writes_element(e)) write(e.variable);
            if (e.reduction) {
                read(e.reduction->members);
                read(e.reduction->graph);
                write(e.reduction->found);
                space(e.reduction->space);
            }
            if (e.kind == ExpressionKind::size) space(e.space);
        });
    }

    void space(SpaceId id) {
        const Space& s = algorithm_.spaces[static_cast<std::size_t>(id)];
        read(s.graph);
        read(s.size);
    }

    void spaces(const Type& type) {
        space(type.space);
        if (type.columns >= 0) space(type.columns);
    }

    void own(const Statement& s) {
        for (const auto* part : {&s.first, &s.value, &s.step}) {
            if (*part) expression(**part);
        }
        if (s.target) {
            write(s.target->variable);
            if (s.operation != Operation::none) read(s.target->variable);
            for (const Expression& index : s.target->operands) expression(index);
        }
        for (const Expression& member : s.members) expression(member);
        if (s.each) {
            read(s.each->members);
            if (s.each->condition) expression(*s.each->condition);
            for (const VariableId id : s.each->rebuilt) write(id);
            if (s.each->members < 0) space(s.each->space);
            if (s.each->built >= 0) {
                write(s.each->built);
                spaces(algorithm_.variables[static_cast<std::size_t>(s.each->built)].type);
            }
        }
        if (s.choose) read(s.choose->front);
        if (s.buckets) {
            read(s.buckets->key);
            read(s.buckets->start);
            write(s.buckets->key);
            write(s.buckets->bucket);
            if (s.buckets->width) expression(*s.buckets->width);
        }
        read(s.graph);
        named(s);
    }

    void named(const Statement& s) {
        switch (s.kind) {
        case Kind::scalar:
            write(s.variable);
            if (s.operation != Operation::none) read(s.variable);
            break;
        case Kind::leave:
        case Kind::next:
        case Kind::finish:
        case Kind::fail:
            effects_.leaves = true;
            break;
        case Kind::print:
            read(s.variable);
            effects_.leaves = true;
            break;
        case Kind::visit:
            read(s.other);
            break;
        case Kind::swap:
        case Kind::pop:
        case Kind::push:
            read(s.variable);
            read(s.other);
            write(s.variable);
            write(s.other);
            break;
        case Kind::combine:
            read(s.variable);
            read(s.other);
            write(s.variable);
            break;
        case Kind::create:
            write(s.variable);
            spaces(algorithm_.variables[static_cast<std::size_t>(s.variable)].type);
            break;
        case Kind::members:
        case Kind::clear:
        case Kind::assign:
        case Kind::derive:
        case Kind::sort:
        case Kind::scan:
        case Kind::count:
            write(s.variable);
            read(s.other);
            read(s.argument);
            break;
        default:
            break;
        }
    }

    const Algorithm& algorithm_;
    Effects& effects_;
};

bool meet(const std::set<VariableId>& a, const std::set<VariableId>& b) {
    return std::ranges::any_of(a, [&](VariableId id) { return b.contains(id); });
}

/// `break` and `continue` that stay inside the statement are its own business.
bool only_inner_leaves(const Statement& s) {
    bool other = false;
    for_each_statement(s.body, [&](const Statement& inner) {
        other = other || inner.kind == Kind::finish || inner.kind == Kind::fail ||
                inner.kind == Kind::print;
    });
    return !other;
}

} // namespace

Effects effects_of(const Statement& statement, const Algorithm& algorithm) {
    Effects effects;
    Collector(algorithm, effects).statement(statement);
    if (statement.kind == Kind::each && only_inner_leaves(statement)) effects.leaves = false;
    return effects;
}

Effects effects_of_head(const Statement& statement, const Algorithm& algorithm) {
    Effects effects;
    Collector(algorithm, effects).head(statement);
    return effects;
}

bool may_fail(const Statement& s) {
    bool found = false;
    const auto look = [&](const Expression& e) {
        const bool divides =
            e.kind == ExpressionKind::binary && !is_float(e.type.element) &&
            (e.operation == Operation::divide || e.operation == Operation::remainder) &&
            e.operands[1].kind != ExpressionKind::constant;
        const bool draws = e.kind == ExpressionKind::function &&
                           e.function == Function::random_integer &&
                           e.operands[2].kind != ExpressionKind::constant;
        found = found || e.checked || divides || draws;
    };
    const auto own = [&](const Statement& part) {
        if (part.target) look(*part.target);
    };
    for_each_expression(s, look);
    own(s);
    for_each_statement(s.body, own);
    return found;
}

bool may_jump(const Statement& s) {
    if (s.kind == Kind::leave || s.kind == Kind::next) return true;
    // Of loops only branches are left on the way out.
    return s.kind == Kind::branch &&
           (std::ranges::any_of(s.body, may_jump) || std::ranges::any_of(s.otherwise, may_jump));
}

bool may_return(const Statement& s) {
    if (s.kind == Kind::finish) return true;
    // The code of members ends for itself.
    if (s.kind == Kind::each || s.kind == Kind::choose || s.kind == Kind::buckets) return false;
    return std::ranges::any_of(s.body, may_return) || std::ranges::any_of(s.otherwise, may_return);
}

bool commute(const Effects& a, const Effects& b) {
    if (a.leaves || b.leaves) return false;
    return !meet(a.writes, b.reads) && !meet(a.writes, b.writes) && !meet(b.writes, a.reads);
}

MemberEffects member_effects(const std::vector<Statement>& body,
                             const std::optional<Expression>& condition, VariableId label,
                             const Algorithm& algorithm) {
    MemberEffects effects;
    const auto is_local = [&](VariableId id) {
        return algorithm.variables[static_cast<std::size_t>(id)].is_local;
    };
    const auto own = [&](const Expression& at) {
        return at.kind == ExpressionKind::variable && at.variable == label;
    };
    const auto visit = [&](const Expression& e) {
        if (e.reduction && e.reduction->members >= 0 && !is_local(e.reduction->members)) {
            effects.vectors[e.reduction->members].reads_other = true;
        }
        if (e.variable < 0 || is_local(e.variable)) return;
        if (e.kind == ExpressionKind::variable) {
            effects.scalars_read.insert(e.variable);
        } else if (e.kind == ExpressionKind::element || e.kind == ExpressionKind::member) {
            Use& use = effects.vectors[e.variable];
            (own(e.operands[0]) ? use.reads_own : use.reads_other) = true;
        } else if (e.kind == ExpressionKind::count) {
            effects.vectors[e.variable].reads_other = true;
        } else if (writes_element(e)) {
            Use& use = effects.vectors[e.variable];
            const bool mine = own(e.operands[0]);
            (mine ? use.writes_own : use.writes_other) = true;
            (mine ? use.reads_own : use.reads_other) = true;
        }
    };
    const auto statement = [&](const Statement& s) {
        for (const auto* part : {&s.first, &s.value, &s.step}) {
            if (*part) for_each_expression(**part, visit);
        }
        if (s.target) {
            for (const Expression& index : s.target->operands) for_each_expression(index, visit);
            if (!is_local(s.target->variable)) {
                Use& use = effects.vectors[s.target->variable];
                const bool mine = own(s.target->operands[0]);
                (mine ? use.writes_own : use.writes_other) = true;
                if (s.operation != Operation::none) {
                    (mine ? use.reads_own : use.reads_other) = true;
                }
            }
        }
        if (s.kind == Kind::scalar && !is_local(s.variable)) {
            effects.scalars_written.insert(s.variable);
        }
        if (s.kind == Kind::visit && !is_local(s.other)) {
            effects.vectors[s.other].reads_other = true;
        }
        effects.returns = effects.returns || s.kind == Kind::finish;
    };
    if (condition) for_each_expression(*condition, visit);
    for_each_statement(body, statement);
    return effects;
}

namespace {

/// Whether the code of a member may end, or begin with the next one, inside the statement.
bool may_end(const Statement& s) {
    bool ends = s.kind == Kind::finish || s.kind == Kind::next;
    const auto look = [&](const Statement& inner) {
        ends = ends || inner.kind == Kind::finish || inner.kind == Kind::next;
    };
    for_each_statement(s.body, look);
    for_each_statement(s.otherwise, look);
    return ends;
}

/// Whether the loop gives every element of the vector a new value before it reads any.
bool overwrites(const Statement& s, VariableId id) {
    if (s.kind == Kind::choose) {
        const auto builds = [&](const std::vector<Statement>& list) {
            return std::ranges::any_of(list, [&](const Statement& inner) {
                return inner.kind == Kind::each &&
                       std::ranges::find(inner.each->rebuilt, id) != inner.each->rebuilt.end();
            });
        };
        return builds(s.body) && builds(s.otherwise);
    }
    if (s.kind != Kind::each) return false;
    if (std::ranges::find(s.each->rebuilt, id) != s.each->rebuilt.end()) return true;
    if (s.each->members >= 0 || s.each->condition) return false;
    for (const Statement& inner : s.body) {
        if (inner.kind == Kind::element && inner.operation == Operation::none &&
            inner.target->variable == id && inner.target->operands.size() == 1 &&
            inner.target->operands[0].kind == ExpressionKind::variable &&
            inner.target->operands[0].variable == s.each->label) {
            return true;
        }
        if (may_end(inner)) return false;
    }
    return false;
}

/// Whether the loop reads elements other than after it has written them.
bool reads_first(const Statement& s, VariableId id, const Algorithm& algorithm) {
    if (s.kind != Kind::each) return true;
    const MemberEffects all = member_effects(s.body, s.each->condition, s.each->label, algorithm);
    const auto use = all.vectors.find(id);
    if (use == all.vectors.end()) return s.each->members == id;
    if (use->second.reads_other || s.each->members == id) return true;
    // Own elements: only what comes before the first store counts.
    std::vector<Statement> before;
    for (const Statement& inner : s.body) {
        if (inner.kind == Kind::element && inner.operation == Operation::none &&
            inner.target->variable == id) {
            bool reads = false;
            for_each_expression(*inner.value,
                                [&](const Expression& e) { reads = reads || e.variable == id; });
            if (reads) return true;
            break;
        }
        before.push_back(inner);
    }
    const MemberEffects early = member_effects(before, s.each->condition, s.each->label, algorithm);
    const auto first = early.vectors.find(id);
    return first != early.vectors.end() && first->second.reads_own;
}

Fate fate_in(VariableId id, const Statement& s, const Algorithm& algorithm) {
    // Whoever returns hands out the results as they are.
    if (algorithm.variables[static_cast<std::size_t>(id)].is_result && may_return(s)) {
        return Fate::read;
    }
    switch (s.kind) {
    case Kind::branch: {
        if (effects_of_head(s, algorithm).reads.contains(id)) return Fate::read;
        const Fate yes = fate_of(id, s.body, 0, algorithm);
        const Fate no = fate_of(id, s.otherwise, 0, algorithm);
        if (yes == Fate::read || no == Fate::read) return Fate::read;
        return yes == no ? yes : Fate::untouched;
    }
    case Kind::repeat:
    case Kind::until:
    case Kind::count: {
        if (effects_of_head(s, algorithm).reads.contains(id)) return Fate::read;
        if (fate_of(id, s.body, 0, algorithm) == Fate::read) return Fate::read;
        // A second round may read what the first one left.
        const Effects all = effects_of(s, algorithm);
        const bool once = s.kind == Kind::until;
        if (!all.reads.contains(id) && !all.writes.contains(id)) return Fate::untouched;
        return once && !all.leaves ? fate_of(id, s.body, 0, algorithm) : Fate::untouched;
    }
    default:
        break;
    }
    const Effects effects = effects_of(s, algorithm);
    const bool reads = effects.reads.contains(id);
    const bool writes = effects.writes.contains(id);
    if (!reads && !writes) return Fate::untouched;
    const bool whole =
        (s.kind == Kind::assign || s.kind == Kind::members || s.kind == Kind::clear ||
         s.kind == Kind::create || s.kind == Kind::sort || s.kind == Kind::scan ||
         s.kind == Kind::derive || (s.kind == Kind::scalar && s.operation == Operation::none)) &&
        s.variable == id;
    if (whole) return reads ? Fate::read : Fate::overwritten;
    if (s.kind == Kind::pop && s.other == id) return Fate::overwritten;
    if (s.kind == Kind::each && s.each->built == id) return reads ? Fate::read : Fate::overwritten;
    if (overwrites(s, id)) {
        if (s.kind == Kind::choose) {
            for (const auto* list : {&s.body, &s.otherwise}) {
                for (const Statement& inner : *list) {
                    if (inner.kind == Kind::each && reads_first(inner, id, algorithm) &&
                        effects_of(inner, algorithm).reads.contains(id)) {
                        bool only_inserts = inner.each->members != id;
                        for_each_expression(inner, [&](const Expression& e) {
                            if (e.variable == id && e.kind != ExpressionKind::insert) {
                                only_inserts = false;
                            }
                        });
                        if (!only_inserts) return Fate::read;
                    }
                }
            }
            return s.choose->front == id ? Fate::read : Fate::overwritten;
        }
        bool only_inserts = s.each->members != id;
        for_each_expression(s, [&](const Expression& e) {
            if (e.variable == id && e.kind != ExpressionKind::insert) only_inserts = false;
        });
        if (only_inserts || !reads_first(s, id, algorithm)) return Fate::overwritten;
        return Fate::read;
    }
    // Writing some elements is as good as reading: the others stay.
    return Fate::read;
}

} // namespace

Fate fate_of(VariableId id, const std::vector<Statement>& list, std::size_t from,
             const Algorithm& algorithm) {
    bool jumps = false;
    for (std::size_t i = from; i < list.size(); ++i) {
        const Fate fate = fate_in(id, list[i], algorithm);
        if (fate == Fate::overwritten && jumps) return Fate::untouched;
        if (fate != Fate::untouched) return fate;
        jumps = jumps || may_jump(list[i]);
    }
    return Fate::untouched;
}

} // namespace tropic::language::algorithm
