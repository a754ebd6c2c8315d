// Vectors that are written from end to end before anybody reads them need no zeros first, and
// graphs that are made before anybody reads them need not be empty.
#include <algorithm>

#include "language/algorithm/effects.h"
#include "language/algorithm/optimise.h"
#include "language/algorithm/visit.h"

namespace tropic::language::algorithm {

namespace {

using Kind = Statement::Kind;

/// Whether the code of every member goes to its end.
bool goes_through(const std::vector<Statement>& body) {
    bool ends_early = false;
    for_each_statement(body, [&](const Statement& s) {
        ends_early = ends_early || s.kind == Kind::finish || s.kind == Kind::next;
    });
    return !ends_early;
}

bool fills(const Statement& s, VariableId vector, const Algorithm& algorithm) {
    const Type& type = algorithm.variables[static_cast<std::size_t>(vector)].type;
    if (type.shape == Type::Shape::graph) {
        return s.kind == Kind::each && fate_of(vector, {s}, 0, algorithm) == Fate::overwritten;
    }
    return s.kind == Kind::each && type.shape == Type::Shape::vector &&
           s.each->space == type.space && goes_through(s.body) &&
           fate_of(vector, {s}, 0, algorithm) == Fate::overwritten;
}

void mark(std::vector<Statement>& list, const Algorithm& algorithm) {
    for (std::size_t at = 0; at < list.size(); ++at) {
        if (list[at].kind == Kind::branch) {
            mark(list[at].body, algorithm);
            mark(list[at].otherwise, algorithm);
        }
        if (list[at].kind != Kind::create) continue;
        const VariableId made = list[at].variable;
        const auto touches = [&](const Statement& s) {
            const Effects effects = effects_of(s, algorithm);
            return effects.reads.contains(made) || effects.writes.contains(made) || effects.leaves;
        };
        const auto first =
            std::find_if(list.begin() + static_cast<std::ptrdiff_t>(at) + 1, list.end(), touches);
        list[at].unset = first != list.end() && fills(*first, made, algorithm);
    }
}

} // namespace

void leave_unset(Algorithm& algorithm) {
    mark(algorithm.statements, algorithm);
}

} // namespace tropic::language::algorithm
