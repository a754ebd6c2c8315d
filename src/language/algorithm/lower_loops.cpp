// What all loops of algebra need: where members come from, copies of what they overwrite, sets that
// they build.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "language/algorithm/target.h"
#include "language/algorithm/visit.h"

namespace tropic::language::algorithm {

/// Members of the loop come from a set that the conditions name, if they name one.
void Checker::restrict_loop(Statement& loop, std::vector<Expression> conditions) {
    Each& each = *loop.each;
    std::erase_if(conditions, [&](const Expression& part) {
        const bool member = part.kind == Expression::Kind::member &&
                            is_label_of(part.operands[0], each.label) &&
                            variable(part.variable).type.is_members();
        if (member && each.members < 0) each.members = part.variable;
        return member && each.members == part.variable;
    });
    Expression rest = conjunction(std::move(conditions));
    if (!is_true(rest)) each.condition = std::move(rest);
}

bool Checker::reads(const Statement& loop, VariableId id) const {
    bool found = false;
    const auto look = [&](const Expression& e) {
        found = found ||
                (e.variable == id &&
                 (e.kind == Expression::Kind::member || e.kind == Expression::Kind::element ||
                  e.kind == Expression::Kind::count)) ||
                (e.reduction && e.reduction->members == id);
    };
    const auto own = [&](const Statement& s) {
        for (const auto* part : {&s.first, &s.value, &s.step}) {
            if (*part) for_each_expression(**part, look);
        }
        if (s.target) {
            for (const Expression& index : s.target->operands) for_each_expression(index, look);
        }
        if (s.each) {
            found = found || s.each->members == id;
            if (s.each->condition) for_each_expression(*s.each->condition, look);
        }
        found = found || (s.choose && s.choose->front == id);
    };
    own(loop);
    for_each_statement(loop.body, own);
    for_each_statement(loop.otherwise, own);
    return found;
}

/// A loop that reads elements of the vector it writes, other than the ones it writes, reads them
/// from a copy: algebra is as if all old values were read first. Sets, and sparse vectors that do
/// not grow, are built beside what they were instead (emit_building).
void Checker::detach(VariableId id, Statement& loop, bool grows) {
    const bool sparse = variable(id).type.shape == Type::Shape::sparse;
    if (variable(id).type.is_members() && !(sparse && grows)) return;
    std::optional<Expression> own;
    for_each_statement(loop.body, [&](const Statement& s) {
        if (s.target && s.target->variable == id) own = s.target;
    });
    if (loop.target && loop.target->variable == id) own = loop.target;
    if (!own) return;
    const auto same_place = [&](const Expression& e) {
        if (e.operands.size() != own->operands.size()) return false;
        for (std::size_t i = 0; i < e.operands.size(); ++i) {
            if (e.operands[i].kind != Expression::Kind::variable ||
                own->operands[i].kind != Expression::Kind::variable ||
                e.operands[i].variable != own->operands[i].variable) {
                return false;
            }
        }
        return true;
    };
    VariableId copy = -1;
    const auto old = [&] {
        if (copy < 0) {
            copy =
                new_buffer(fmt::format("old_{}", variable(id).name), variable(id).type, loop.place);
        }
        return copy;
    };
    const auto visit = [&](Expression& e) {
        if (e.reduction && e.reduction->members == id) e.reduction->members = old();
        const bool reads =
            e.kind == Expression::Kind::element || e.kind == Expression::Kind::member;
        if (reads && e.variable == id && !same_place(e)) e.variable = old();
    };
    const auto values = [&](Statement& s) {
        for (auto* part : {&s.first, &s.value, &s.step}) {
            if (*part) for_each_expression(**part, visit);
        }
        if (s.each && s.each->condition) for_each_expression(*s.each->condition, visit);
        if (s.target) {
            for (Expression& index : s.target->operands) for_each_expression(index, visit);
        }
    };
    values(loop);
    for_each_statement(loop.body, values);
    for_each_statement(loop.otherwise, values);
    if (copy < 0) return;
    Statement assign;
    assign.kind = Statement::Kind::assign;
    assign.place = loop.place;
    assign.variable = copy;
    assign.other = id;
    emit(std::move(assign));
}

/// Emits loops that insert into `built`. It becomes what they insert, unless it grows; where they
/// read it, they build another one that then takes its place.
void Checker::emit_building(std::vector<Statement> loops, const std::vector<VariableId>& built,
                            bool grow, Place place) {
    std::vector<Statement> after;
    for (const VariableId id : built) {
        bool read = false;
        for (const Statement& loop : loops) read = read || reads(loop, id);
        VariableId into = id;
        // An own element of a sparse vector that grows may be read: nobody else writes it.
        if (read && !(grow && variable(id).type.shape == Type::Shape::sparse)) {
            into = new_buffer(fmt::format("next_{}", variable(id).name), variable(id).type, place);
            variable(into).reset = variable(id).reset;
            Statement last;
            last.place = place;
            last.variable = id;
            last.other = into;
            last.kind = grow ? Statement::Kind::combine : Statement::Kind::swap;
            if (grow) last.operation = Operation::bit_or;
            after.push_back(std::move(last));
            for (Statement& loop : loops) redirect(loop, id, into);
        }
        if (grow && into == id) continue;
        for (Statement& loop : loops) {
            const auto mark = [&](Statement& s) {
                if (s.kind == Statement::Kind::each) s.each->rebuilt.push_back(into);
            };
            if (loop.kind == Statement::Kind::each) mark(loop);
            for_each_statement(loop.body, mark);
            for_each_statement(loop.otherwise, mark);
        }
    }
    for (Statement& loop : loops) emit(std::move(loop));
    for (Statement& statement : after) emit(std::move(statement));
}

/// Inserts and stores into one set or sparse vector go to another.
void Checker::redirect(Statement& loop, VariableId from, VariableId to) {
    const auto visit = [&](Expression& e) {
        const bool writes =
            e.kind == Expression::Kind::insert || e.kind == Expression::Kind::improve;
        if (writes && e.variable == from) e.variable = to;
    };
    const auto statement = [&](Statement& s) {
        if (s.target && s.target->variable == from) s.target->variable = to;
    };
    for_each_expression(loop, visit);
    statement(loop);
    for_each_statement(loop.body, statement);
    for_each_statement(loop.otherwise, statement);
}

/// Puts something under the conditions of a loop whose body holds, so far, what some of them need
/// first. Those that stand before these in the text are asked before.
void Checker::put_under(Statement& loop, std::vector<Expression> conditions,
                        std::vector<Statement> put) {
    std::set<VariableId> found;
    for_each_statement(loop.body, [&](const Statement& s) {
        if (s.kind == Statement::Kind::scalar) found.insert(s.variable);
    });
    std::vector<Expression> first;
    std::vector<Expression> later;
    for (Expression& part : conditions) {
        bool needs = false;
        for_each_expression(part, [&](const Expression& e) {
            needs = needs || (e.kind == Expression::Kind::variable && found.contains(e.variable));
        });
        (needs || !later.empty() ? later : first).push_back(std::move(part));
    }
    restrict_loop(loop, std::move(first));
    const Into into(*this, loop.body);
    emit_under(conjunction(std::move(later)), std::move(put), loop.place);
}

void Checker::emit_over(Statement loop, std::vector<Expression> conditions, Statement put,
                        VariableId set, bool grow) {
    std::vector<Statement> puts;
    puts.push_back(std::move(put));
    put_under(loop, std::move(conditions), std::move(puts));
    std::vector<Statement> loops;
    const Place place = loop.place;
    loops.push_back(std::move(loop));
    emit_building(std::move(loops), {set}, grow, place);
}

} // namespace tropic::language::algorithm
