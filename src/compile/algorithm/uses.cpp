#include "compile/algorithm/uses.h"

#include <algorithm>
#include <iterator>

namespace tropic::compile {

namespace {

using Kind = alg::Expression::Kind;

class Collector {
  public:
    Collector(Uses& uses, const Unit& unit) : uses_(uses), unit_(unit) {}

    void statements(const std::vector<alg::Statement>& list) {
        for (const alg::Statement& statement : list) this->statement(statement);
    }

    void expression(const alg::Expression& e) {
        ++uses_.steps;
        const bool own = e.own;
        // What a workspace holds is nobody else's.
        const bool local = e.variable >= 0 && unit_.variable(e.variable).is_local;
        switch (local && e.kind != Kind::variable ? Kind::constant : e.kind) {
        case Kind::variable:
            read(e.variable);
            break;
        case Kind::element:
            if (!own) {
                uses_.read_shared.insert(e.variable);
                uses_.steps += 4;
            }
            break;
        case Kind::member:
            uses_.looked_up.insert(e.variable);
            break;
        case Kind::swap:
        case Kind::improve:
            (own ? uses_.written_own : uses_.written_shared).insert(e.variable);
            if (!own) uses_.changed_shared.insert(e.variable);
            if (e.monoid) changes_whole(e, e.monoid->operation);
            ++uses_.write_places[e.variable];
            break;
        case Kind::insert:
            (own ? uses_.inserted_own : uses_.inserted_shared).insert(e.variable);
            ++uses_.insert_places[e.variable];
            break;
        case Kind::size:
            space(e.space);
            break;
        case Kind::convert:
            if (e.checked) space(e.space);
            break;
        case Kind::reduction:
            reduction(*e.reduction);
            break;
        default:
            break;
        }
        if (e.monoid) monoid(*e.monoid);
        for (const alg::Expression& operand : e.operands) expression(operand);
    }

    void monoid(const alg::Monoid& m) {
        for (const auto& part : {m.combine, m.identity, m.terminal}) {
            if (part) expression(*part);
        }
    }

  private:
    void read(alg::VariableId id) {
        const alg::Variable& variable = unit_.variable(id);
        if (!variable.is_local && variable.type.is_scalar()) uses_.scalars.insert(id);
    }

    void changes_whole(const alg::Expression& target, alg::Operation operation) {
        changes_whole(target.variable, target.own, operation);
    }

    void changes_whole(alg::VariableId variable, bool own, alg::Operation operation) {
        const alg::Type type = element_of(unit_.variable(variable).type);
        const bool lane_by_lane = operation != alg::Operation::none &&
                                  operation != alg::Operation::any &&
                                  operation != alg::Operation::user;
        if (type.record >= 0) uses_.whole.insert(variable);
        else if (type.lanes > 1 && !lane_by_lane) {
            (own ? uses_.whole_if_shared : uses_.whole).insert(variable);
        }
    }

    void space(alg::SpaceId id) {
        const alg::Space& space = unit_.algorithm.spaces[id];
        if (space.kind == alg::Space::Kind::counted) read(space.size);
    }

    void optional(const std::optional<alg::Expression>& e) {
        if (e) expression(*e);
    }

    void reduction(const alg::Reduction& r) {
        monoid(r.monoid);
        optional(r.center);
        optional(r.condition);
        expression(r.value);
        if (r.graph < 0 && r.members < 0) space(r.space);
        if (r.members >= 0 && !unit_.variable(r.members).is_local)
            uses_.looked_up.insert(r.members);
        uses_.steps += 8;
    }

    void statement(const alg::Statement& s) {
        if (s.kind == alg::Statement::Kind::scalar && !unit_.variable(s.variable).is_local) {
            uses_.assigned.insert(s.variable);
            changes_whole(s.variable, true, s.operation);
            uses_.gathering.try_emplace(s.variable, &s);
        }
        if (s.kind == alg::Statement::Kind::element) {
            const alg::Expression& target = *s.target;
            ++uses_.write_places[target.variable];
            if (!unit_.variable(target.variable).is_local) {
                (target.own ? uses_.written_own : uses_.written_shared).insert(target.variable);
                if (!target.own && s.operation != alg::Operation::none) {
                    uses_.changed_shared.insert(target.variable);
                }
                changes_whole(target, s.operation);
            }
            for (const alg::Expression& operand : target.operands) expression(operand);
            uses_.steps += target.own ? 1 : 5;
        }
        if (s.kind == alg::Statement::Kind::workspace) {
            space(unit_.variable(s.variable).type.space);
        }
        if (s.monoid) monoid(*s.monoid);
        optional(s.first);
        optional(s.value);
        optional(s.step);
        for (const alg::Expression& member : s.members) expression(member);
        statements(s.body);
        statements(s.otherwise);
    }

    Uses& uses_;
    const Unit& unit_;
};

} // namespace

VariableSet Uses::contended() const {
    VariableSet all = written_shared;
    std::set_intersection(written_own.begin(), written_own.end(), read_shared.begin(),
                          read_shared.end(), std::inserter(all, all.end()));
    return all;
}

bool Uses::needs_atomics(bool own_words) const {
    return !contended().empty() || !inserted_shared.empty() ||
           (!own_words && !inserted_own.empty());
}

bool Uses::only_stores() const {
    const auto matters = [&](alg::VariableId id) {
        return read_shared.contains(id) || whole.contains(id);
    };
    return changed_shared.empty() && inserted_shared.empty() && inserted_own.empty() &&
           std::ranges::none_of(contended(), matters);
}

void collect(Uses& uses, const Unit& unit, const std::vector<alg::Statement>& statements) {
    Collector(uses, unit).statements(statements);
}

void collect(Uses& uses, const Unit& unit, const alg::Expression& expression) {
    Collector(uses, unit).expression(expression);
}

void collect(Uses& uses, const Unit& unit, const alg::Monoid& monoid) {
    Collector(uses, unit).monoid(monoid);
}

} // namespace tropic::compile
