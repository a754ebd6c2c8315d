#include <algorithm>

#include <fmt/format.h>

#include "language/algorithm/effects.h"
#include "language/algorithm/optimise.h"
#include "language/algorithm/types.h"
#include "language/algorithm/visit.h"

namespace tropic::language::algorithm {

namespace {

using Kind = Statement::Kind;

class Inliner {
  public:
    explicit Inliner(Algorithm& algorithm) : algorithm_(algorithm) {}

    void run() { list(algorithm_.statements); }

  private:
    void list(std::vector<Statement>& statements) {
        for (Statement& s : statements) {
            if (s.kind == Kind::each || s.kind == Kind::buckets || s.kind == Kind::choose) continue;
            list(s.body);
            list(s.otherwise);
        }
        for (std::size_t at = 0; at < statements.size(); ++at) {
            while (inline_next(statements, at)) {
            }
        }
    }

    /// The sets that the statement rebuilds, and nothing else of theirs.
    static std::vector<VariableId> rebuilt_by(const Statement& s) {
        if (s.kind == Kind::each) return s.each->rebuilt;
        if (s.kind != Kind::choose || s.otherwise.size() != 1) return {};
        return s.otherwise[0].each->rebuilt;
    }

    bool inline_next(std::vector<Statement>& statements, std::size_t at) {
        Statement& producer = statements[at];
        for (const VariableId built : rebuilt_by(producer)) {
            VariableId named = built;
            std::size_t next = at + 1;
            if (next < statements.size() && statements[next].kind == Kind::swap &&
                (statements[next].variable == built || statements[next].other == built)) {
                const Statement& swap = statements[next];
                named = swap.variable == built ? swap.other : swap.variable;
                ++next;
            }
            if (next >= statements.size() || statements[next].kind != Kind::each) continue;
            if (statements[next].each->members != named) continue;
            Statement consumer = deep_copy(statements[next]);
            if (!prepare(consumer, named, built)) continue;
            if (!append(producer, consumer, built)) continue;
            algorithm_.explanations.push_back(
                fmt::format("line {}: done where line {} finds its members", consumer.place.line,
                            producer.place.line));
            statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(next));
            return true;
        }
        return false;
    }

    /// The consumer's code speaks of the set by the name it has while it is built. False if it does
    /// more than work on the elements of its own member.
    bool prepare(Statement& consumer, VariableId named, VariableId built) const {
        const MemberEffects effects = member_effects(consumer.body, consumer.each->condition,
                                                     consumer.each->label, algorithm_);
        if (effects.returns) return false;
        for (const auto& [id, use] : effects.vectors) {
            const Type& type = algorithm_.variables[static_cast<std::size_t>(id)].type;
            if (use.reads_other || use.writes_other) return false;
            if (type.is_members() && (use.writes_own || (id != named && id == built))) return false;
        }
        bool simple = true;
        for_each_expression(consumer, [&](Expression& e) {
            if (e.variable != named) return;
            if (e.kind == Expression::Kind::element) e.variable = built;
            else simple = false;
        });
        return simple;
    }

    static bool follows_edges(const Statement& consumer) {
        bool found = false;
        for_each_statement(consumer.body,
                           [&](const Statement& s) { found = found || s.graph >= 0; });
        for_each_expression(consumer, [&](const Expression& e) {
            found = found || (e.reduction && e.reduction->graph >= 0);
        });
        return found;
    }

    bool append(Statement& producer, const Statement& consumer, VariableId built) {
        if (follows_edges(consumer)) return false;
        Statement& loop = producer.kind == Kind::each ? producer : producer.otherwise[0];
        const VariableId label = loop.each->label;
        if (!is_legal(loop, consumer, built)) return false;
        const std::optional<Way> way = way_to_insertion(loop.body, built, label);
        if (!way || is_overtaken(*way, consumer, label)) return false;
        if (producer.kind == Kind::choose) append_to_push(producer, consumer, built);
        put(way->back(), code_for(consumer, label), false);
        return true;
    }

    void append_to_push(Statement& producer, const Statement& consumer, VariableId built) {
        Statement& push = producer.body.back();
        if (push_finds_once(push, consumer, built)) {
            const VariableId target = target_of(push);
            const std::optional<Way> way = way_to_insertion(push.body[0].body, built, target);
            if (way && !is_overtaken(*way, consumer, target)) {
                put(way->back(), code_for(consumer, target), true);
                return;
            }
        }
        Statement loop = deep_copy(consumer);
        loop.each->members = built;
        producer.body.push_back(std::move(loop));
    }

    /// Whether the producer may see what the consumer writes: only at the member itself, and never
    /// through what it gathers; and the consumer what the producer does: not in other sets, which
    /// are what they were until the producer ends.
    bool is_legal(const Statement& producer, const Statement& consumer, VariableId built) const {
        const MemberEffects x = member_effects(producer.body, producer.each->condition,
                                               producer.each->label, algorithm_);
        const MemberEffects y = member_effects(consumer.body, consumer.each->condition,
                                               consumer.each->label, algorithm_);
        for (const VariableId id : y.scalars_written) {
            if (x.scalars_read.contains(id) || x.scalars_written.contains(id)) return false;
        }
        for (const VariableId id : x.scalars_written) {
            if (y.scalars_read.contains(id)) return false;
        }
        for (const auto& [id, use] : y.vectors) {
            const auto other = x.vectors.find(id);
            if (other == x.vectors.end()) continue;
            if (other->second.writes_other) return false;
            if (use.writes_own && other->second.reads_other) return false;
            const bool members =
                algorithm_.variables[static_cast<std::size_t>(id)].type.is_members();
            if (members && id != built && other->second.writes_own) return false;
        }
        return !x.returns;
    }

    /// The far end of the edges that pushing follows.
    static VariableId target_of(const Statement& push) {
        return push.kind == Kind::each && !push.body.empty() ? push.body[0].variable : -1;
    }

    /// Whether pushing has the final value of a member when it inserts it, so that whoever inserts
    /// it first can go on with it; and nothing that others read meanwhile is changed.
    bool push_finds_once(const Statement& push, const Statement& consumer, VariableId built) const {
        if (push.kind != Kind::each || push.body.size() != 1 ||
            push.body[0].kind != Kind::neighbours) {
            return false;
        }
        const VariableId target = target_of(push);
        bool once = true;
        for_each_statement(push.body, [&](const Statement& s) {
            if (s.kind == Kind::element && s.operation != Operation::none) once = false;
            if (s.kind == Kind::element && s.target->variable != built &&
                !inside_insert(push.body, s, built)) {
                once = false;
            }
        });
        const MemberEffects y = member_effects(consumer.body, consumer.each->condition,
                                               consumer.each->label, algorithm_);
        for_each_expression(push, [&](const Expression& e) {
            if (e.kind == Expression::Kind::improve || e.kind == Expression::Kind::swap) {
                once = false;
            }
            const bool reads =
                e.kind == Expression::Kind::element || e.kind == Expression::Kind::member;
            if (!reads || e.variable < 0) return;
            const auto use = y.vectors.find(e.variable);
            if (use == y.vectors.end() || !use->second.writes_own) return;
            const bool at_target = e.operands[0].kind == Expression::Kind::variable &&
                                   e.operands[0].variable == target;
            if (!at_target) once = false;
        });
        return once;
    }

    static bool is_insert(const std::optional<Expression>& value, VariableId set) {
        return value && value->kind == Expression::Kind::insert && value->variable == set;
    }

    static bool inside_insert(const std::vector<Statement>& list, const Statement& wanted,
                              VariableId set) {
        bool found = false;
        for_each_statement(list, [&](const Statement& s) {
            if (s.kind != Kind::branch || !is_insert(s.value, set)) return;
            for (const Statement& inner : s.body) found = found || &inner == &wanted;
        });
        return found;
    }

    /// The consumer's code for the member `label`.
    static std::vector<Statement> code_for(const Statement& consumer, VariableId label) {
        Statement copy = deep_copy(consumer);
        const VariableId old = copy.each->label;
        for_each_expression(copy, [&](Expression& e) {
            if (e.kind == Expression::Kind::variable && e.variable == old) e.variable = label;
        });
        if (!copy.each->condition) return std::move(copy.body);
        Statement branch;
        branch.kind = Kind::branch;
        branch.place = consumer.place;
        branch.value = std::move(copy.each->condition);
        branch.body = std::move(copy.body);
        std::vector<Statement> list;
        list.push_back(std::move(branch));
        return list;
    }

    /// A statement and the list it stands in.
    struct Step {
        std::vector<Statement>* list;
        std::size_t at;
    };
    /// From a list through branches to a statement inside them.
    using Way = std::vector<Step>;

    static bool find(std::vector<Statement>& list, VariableId set, Way& way) {
        for (std::size_t at = 0; at < list.size(); ++at) {
            Statement& s = list[at];
            if (s.kind != Kind::branch && s.kind != Kind::evaluate) continue;
            way.push_back({&list, at});
            if (is_insert(s.value, set) || find(s.body, set, way) || find(s.otherwise, set, way)) {
                return true;
            }
            way.pop_back();
        }
        return false;
    }

    /// The way to where the set gets `label`, and nothing else: a statement that runs once for a
    /// member at the most.
    static std::optional<Way> way_to_insertion(std::vector<Statement>& list, VariableId set,
                                               VariableId label) {
        int places = 0;
        bool own = true;
        for (Statement& s : list) {
            for_each_expression(s, [&](const Expression& e) {
                if (e.kind != Expression::Kind::insert || e.variable != set) return;
                ++places;
                own = own && e.operands[0].kind == Expression::Kind::variable &&
                      e.operands[0].variable == label;
            });
        }
        Way way;
        if (places != 1 || !own || !find(list, set, way)) return {};
        return way;
    }

    /// Whether what comes behind the insertion changes what the consumer reads, or reads or changes
    /// what it changes.
    bool is_overtaken(const Way& way, const Statement& consumer, VariableId label) const {
        std::vector<Statement> later;
        for (const Step& step : way) {
            later.insert(later.end(), step.list->begin() + static_cast<std::ptrdiff_t>(step.at) + 1,
                         step.list->end());
        }
        const MemberEffects x = member_effects(later, {}, label, algorithm_);
        const MemberEffects y = member_effects(consumer.body, consumer.each->condition,
                                               consumer.each->label, algorithm_);
        return std::ranges::any_of(x.vectors, [&](const auto& entry) {
            const auto other = y.vectors.find(entry.first);
            if (other == y.vectors.end()) return false;
            const Use& use = entry.second;
            return use.writes_own || use.writes_other || other->second.writes_own;
        });
    }

    /// Puts the code behind the insertion of the member; whoever comes first does it if `shared`.
    static void put(const Step& step, std::vector<Statement> code, bool shared) {
        Statement& s = (*step.list)[step.at];
        if (s.kind == Kind::branch || shared) {
            s.kind = Kind::branch;
            s.body.insert(s.body.end(), std::make_move_iterator(code.begin()),
                          std::make_move_iterator(code.end()));
            return;
        }
        step.list->insert(step.list->begin() + static_cast<std::ptrdiff_t>(step.at) + 1,
                          std::make_move_iterator(code.begin()),
                          std::make_move_iterator(code.end()));
    }

    Algorithm& algorithm_;
};

} // namespace

void inline_epilogues(Algorithm& algorithm) {
    Inliner(algorithm).run();
}

} // namespace tropic::language::algorithm
