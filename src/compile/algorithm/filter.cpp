#include "compile/algorithm/filter.h"

#include <algorithm>
#include <set>

#include "language/algorithm/visit.h"

namespace tropic::compile {

using alg::Operation;
using Kind = alg::Expression::Kind;
using Test = EdgeTest;

namespace {

int reads_of(const std::vector<alg::Statement>& list, alg::VariableId local) {
    int reads = 0;
    for (const alg::Statement& s : list) {
        alg::for_each_expression(s, [&](const alg::Expression& e) {
            if (e.kind == Kind::variable && e.variable == local) ++reads;
        });
    }
    return reads;
}

/// Whether a local is looked at when the loop that sets it is over.
bool is_read_outside(const Unit& unit, alg::VariableId local, const alg::Statement& loop) {
    return reads_of(unit.algorithm.statements, local) != reads_of(loop.body, local);
}

/// What the code of one edge changes: locals, gathered scalars, and variables of which it changes
/// other elements than that of the edge's end; and, beside these, how it changes the element of the
/// edge's end.
class Changes {
  public:
    explicit Changes(alg::VariableId label) : label_(label) {}

    void add(const std::vector<alg::Statement>& list) {
        for (const alg::Statement& s : list) add(s);
    }
    const VariableSet& all() const { return all_; }
    /// Variables of which the edge's end is changed.
    bool changes_end(alg::VariableId variable) const { return at_end_.contains(variable); }
    /// Whether the end's element is changed in no other way than this.
    bool only(alg::VariableId variable, Operation operation) const {
        const auto found = at_end_.find(variable);
        return found == at_end_.end() || found->second == std::set{operation};
    }

  private:
    void add(const alg::Statement& s) {
        if (s.variable >= 0 && s.kind != alg::Statement::Kind::evaluate) all_.insert(s.variable);
        if (s.weight >= 0) all_.insert(s.weight);
        if (s.edge >= 0) all_.insert(s.edge);
        if (s.kind == alg::Statement::Kind::element) {
            if (!is_label(s.target->operands[0], label_) || s.target->operands.size() > 1) {
                all_.insert(s.target->variable);
            } else {
                at_end_[s.target->variable].insert(s.operation);
            }
            for (const alg::Expression& operand : s.target->operands) add(operand);
        }
        for (const auto* part : {&s.first, &s.value, &s.step}) {
            if (*part) add(**part);
        }
        add(s.body);
        add(s.otherwise);
    }

    void add(const alg::Expression& e) {
        const bool writes =
            e.kind == Kind::swap || e.kind == Kind::improve || e.kind == Kind::insert;
        if (writes && !is_label(e.operands[0], label_)) all_.insert(e.variable);
        else if (e.kind == Kind::improve) at_end_[e.variable].insert(e.monoid->operation);
        else if (e.kind == Kind::insert) at_end_[e.variable].insert(Operation::any);
        else if (e.kind == Kind::swap) at_end_[e.variable].insert(Operation::none);
        if (e.kind == Kind::reduction) {
            const alg::Reduction& r = *e.reduction;
            for (const alg::VariableId local : {r.label, r.weight, r.edge, r.found}) {
                if (local >= 0) all_.insert(local);
            }
            if (r.condition) add(*r.condition);
            add(r.value);
        }
        for (const alg::Expression& operand : e.operands) add(operand);
    }

    alg::VariableId label_;
    VariableSet all_;
    /// By variable; members are inserted by `any`, whatever is set by `none`.
    std::map<alg::VariableId, std::set<Operation>> at_end_;
};

/// Whether a test that fails before any edge of a group is done still fails when the group's edges
/// before this one have been. They can matter only if one of them has the same end: a row may have
/// an edge twice.
class Lasting {
  public:
    /// Adds to the group's `apart` what a test needs to last.
    Lasting(EdgeGroup& group, const Changes& changes) : group_(group), changes_(changes) {}

    bool operator()(const Test& test) const {
        switch (test.kind) {
        case Test::Kind::less:
            return changes_.only(test.variable, Operation::minimum) && !reads_end(*test.expression);
        case Test::Kind::more:
            return changes_.only(test.variable, Operation::maximum) && !reads_end(*test.expression);
        case Test::Kind::outsider:
            return changes_.only(test.variable, Operation::any);
        case Test::Kind::condition:
            // One that depends on the end alone has failed for the edges before it, too, so that
            // nothing has been done for them.
            return !reads_end(*test.expression) || !is_of_edge(*test.expression);
        case Test::Kind::row:
            return true;
        }
        return false;
    }

  private:
    bool any_of(const alg::Expression& e,
                const std::function<bool(const alg::Expression&)>& is) const {
        if (is(e)) return true;
        if (e.kind == Kind::variable) {
            const auto given = group_.given.find(e.variable);
            if (given != group_.given.end()) return any_of(*given->second, is);
        }
        return std::ranges::any_of(
            e.operands, [&](const alg::Expression& operand) { return any_of(operand, is); });
    }
    /// Whether it reads what the code changes at the edge's end.
    bool reads_end(const alg::Expression& e) const {
        return any_of(e, [&](const alg::Expression& part) {
            if (part.kind != Kind::element && part.kind != Kind::member) return false;
            if (!changes_.changes_end(part.variable)) return false;
            if (is_label(part.operands[0], group_.label)) return true;
            group_.apart.insert(part.operands[0].variable);
            return false;
        });
    }
    /// Whether it differs between edges to the same end.
    bool is_of_edge(const alg::Expression& e) const {
        return any_of(e, [&](const alg::Expression& part) {
            return part.kind == Kind::variable && part.variable == group_.weight;
        });
    }

    EdgeGroup& group_;
    const Changes& changes_;
};

} // namespace

std::optional<EdgeFilter> filter_of(const Unit& unit, const alg::Statement& s) {
    using Statement = alg::Statement;
    EdgeFilter filter;
    EdgeGroup& group = filter.group;
    group = {nullptr, nullptr, s.graph, s.inward, s.variable, s.weight, {}};
    Changes changes(s.variable);
    changes.add(s.body);
    // Locals computed for the edge come first; then one statement, which may do nothing.
    std::size_t next = 0;
    VariableSet changing = changes.all();
    if (s.edge >= 0) changing.insert(s.edge);
    while (next < s.body.size() && s.body[next].kind == Statement::Kind::scalar &&
           s.body[next].operation == Operation::none &&
           unit.variable(s.body[next].variable).is_local) {
        const Statement& set = s.body[next++];
        if (group.given.contains(set.variable) || !Lanes::can(unit, *set.value, group, changing) ||
            is_read_outside(unit, set.variable, s)) {
            return {};
        }
        group.given[set.variable] = &*set.value;
    }
    if (next + 1 != s.body.size()) return {};
    const Statement& last = s.body[next];
    const auto can = [&](const alg::Expression& e) { return Lanes::can(unit, e, group, changing); };
    const auto improves = [&](alg::VariableId vector, const alg::Expression& index,
                              Operation operation, const alg::Expression& value) {
        const bool less = operation == Operation::minimum;
        if (!less && operation != Operation::maximum) return;
        if (!is_label(index, s.variable) || changing.contains(vector)) return;
        if (!can_gather(unit, unit.variable(vector).type) || !can(value)) return;
        filter.tests.push_back({less ? Test::Kind::less : Test::Kind::more, &value, vector});
    };
    const std::function<void(const alg::Expression&)> holds = [&](const alg::Expression& e) {
        if (e.kind == Kind::binary && e.operation == Operation::logical_and) {
            for (const alg::Expression& operand : e.operands) holds(operand);
        } else if (e.kind == Kind::improve && e.operands.size() == 2 && !e.checked) {
            improves(e.variable, e.operands[0], e.monoid->operation, e.operands[1]);
        } else if (e.kind == Kind::insert && is_label(e.operands[0], s.variable) && !e.checked) {
            if (unit.variable(e.variable).is_local || changing.contains(e.variable)) return;
            filter.tests.push_back({Test::Kind::outsider, nullptr, e.variable});
        } else if (can(e)) {
            filter.tests.push_back({Test::Kind::condition, &e, -1});
        }
    };
    if ((last.kind == Statement::Kind::branch && last.otherwise.empty()) ||
        last.kind == Statement::Kind::evaluate) {
        holds(*last.value);
    } else if (last.kind == Statement::Kind::element && last.target->operands.size() == 1 &&
               !last.target->checked) {
        improves(last.target->variable, last.target->operands[0], last.operation, *last.value);
    }
    std::erase_if(filter.tests,
                  [lasts = Lasting(group, changes)](const Test& test) { return !lasts(test); });
    // A condition on the edge's end alone is worth it; one on what is at hand anyway is not.
    bool gathers = false;
    const std::function<bool(const alg::Expression&)> fetches = [&](const alg::Expression& e) {
        if (e.kind == Kind::element || e.kind == Kind::member) {
            if (is_label(e.operands[0], s.variable)) return true;
        }
        if (e.kind == Kind::variable) {
            const auto given = group.given.find(e.variable);
            if (given != group.given.end()) return fetches(*given->second);
        }
        for (const alg::Expression& operand : e.operands) {
            if (fetches(operand)) return true;
        }
        return false;
    };
    for (const Test& test : filter.tests) {
        gathers |= test.kind != Test::Kind::condition || fetches(*test.expression);
    }
    if (!gathers) return {};
    return filter;
}

namespace {

/// Whether nothing is done for a member without neighbours: a fold over them comes first, and
/// everything else is done only if it found something.
bool needs_row(const alg::Each& each, const std::vector<alg::Statement>& body) {
    using Statement = alg::Statement;
    const auto over_row = [&](const alg::Expression& e) {
        if (e.kind != Kind::reduction) return false;
        const alg::Reduction& r = *e.reduction;
        return r.graph >= 0 && r.graph == each.graph && r.inward == each.inward &&
               is_label(*r.center, each.label);
    };
    if (body.empty() || body.back().kind != Statement::Kind::branch) return false;
    if (!body.back().otherwise.empty()) return false;
    const alg::Expression& condition = *body.back().value;
    if (body.size() == 1) {
        if (!over_row(condition) || !is_truth(condition.type)) return false;
        const alg::Expression& start = *condition.reduction->monoid.identity;
        return start.kind == Kind::constant && start.integer == 0;
    }
    return body.size() == 2 && body[0].kind == Statement::Kind::scalar &&
           over_row(*body[0].value) && condition.kind == Kind::variable &&
           condition.variable == body[0].value->reduction->found;
}

} // namespace

std::vector<EdgeTest> member_tests(const Unit& unit, const alg::Statement& s, const Uses& uses) {
    const alg::Each& each = *s.each;
    std::vector<EdgeTest> tests;
    if (!unit.gathers || !each.condition || each.members >= 0 || each.graph < 0) return tests;
    EdgeGroup group{nullptr, nullptr, each.graph, each.inward, each.label, -1, {}, true};
    // Sets that others insert into, elements that others write, and scalars that the loop itself
    // changes.
    VariableSet changing = uses.inserted_shared;
    changing.insert(uses.written_shared.begin(), uses.written_shared.end());
    changing.insert(uses.assigned.begin(), uses.assigned.end());
    const std::function<void(const alg::Expression&)> holds = [&](const alg::Expression& e) {
        if (e.kind == Kind::binary && e.operation == Operation::logical_and) {
            for (const alg::Expression& operand : e.operands) holds(operand);
        } else if (Lanes::can(unit, e, group, changing)) {
            tests.push_back({EdgeTest::Kind::condition, &e, -1});
        }
    };
    holds(*each.condition);
    if (!tests.empty() && needs_row(each, s.body)) tests.push_back({EdgeTest::Kind::row});
    return tests;
}

} // namespace tropic::compile
