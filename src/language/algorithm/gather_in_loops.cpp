#include "language/algorithm/effects.h"
#include "language/algorithm/extremes.h"
#include "language/algorithm/optimise.h"
#include "language/algorithm/types.h"

namespace tropic::language::algorithm {

namespace {

using Kind = Statement::Kind;

bool is_gathering(const Statement& s, const Algorithm& algorithm) {
    if (s.kind != Kind::scalar || s.operation != Operation::none ||
        s.value->kind != Expression::Kind::reduction) {
        return false;
    }
    const Reduction& fold = *s.value->reduction;
    if (extreme_graph(algorithm, fold) >= 0) return false; // the graph remembers it
    const Type& type = algorithm.variables[static_cast<std::size_t>(s.variable)].type;
    return fold.graph < 0 && !fold.argument && fold.found < 0 &&
           fold.monoid.operation != Operation::any && same_scalar(type, s.value->type);
}

/// The statement as `x = identity;` and a loop that gathers x.
Statement loop_of(const Statement& s) {
    const Reduction& fold = *s.value->reduction;
    Statement gather;
    gather.kind = Kind::scalar;
    gather.place = s.place;
    gather.variable = s.variable;
    gather.operation = fold.monoid.operation;
    gather.monoid = std::make_shared<Monoid>(fold.monoid);
    gather.value = fold.value;
    Statement loop;
    loop.kind = Kind::each;
    loop.place = s.place;
    loop.each = std::make_shared<Each>();
    loop.each->label = fold.label;
    loop.each->members = fold.members;
    loop.each->space = fold.space;
    loop.each->condition = fold.condition;
    loop.body.push_back(std::move(gather));
    return loop;
}

void list(std::vector<Statement>& statements, const Algorithm& algorithm) {
    for (std::size_t at = 0; at < statements.size(); ++at) {
        Statement& s = statements[at];
        if (s.kind == Kind::each || s.kind == Kind::buckets) continue;
        list(s.body, algorithm);
        list(s.otherwise, algorithm);
        if (!is_gathering(s, algorithm)) continue;
        Statement loop = loop_of(s);
        Statement value;
        value.kind = Kind::evaluate;
        value.value = s.value;
        if (effects_of(value, algorithm).reads.contains(s.variable)) continue;
        Statement start;
        start.kind = Kind::scalar;
        start.place = s.place;
        start.variable = s.variable;
        start.value = *s.value->reduction->monoid.identity;
        s = std::move(loop);
        // As early as nobody notices, so that it does not stand between two loops.
        std::size_t to = at;
        const Effects effects = effects_of(start, algorithm);
        while (to > 0 && commute(effects_of(statements[to - 1], algorithm), effects)) --to;
        statements.insert(statements.begin() + static_cast<std::ptrdiff_t>(to), std::move(start));
        ++at;
    }
}

} // namespace

void gather_in_loops(Algorithm& algorithm) {
    list(algorithm.statements, algorithm);
}

} // namespace tropic::language::algorithm
