#include "language/algorithm/extremes.h"

namespace tropic::language::algorithm {

VariableId extreme_graph(const Algorithm& algorithm, const Reduction& fold) {
    using Kind = Expression::Kind;
    const Operation operation = fold.monoid.operation;
    if (operation != Operation::minimum && operation != Operation::maximum) return -1;
    const auto is_plain = [](const Reduction& part) {
        return !part.condition && !part.argument && part.found < 0;
    };
    if (!is_plain(fold) || fold.members >= 0 || fold.value.kind != Kind::reduction) return -1;
    const Reduction& row = *fold.value.reduction;
    if (!is_plain(row) || row.graph < 0 || row.inward || row.monoid.operation != operation ||
        !row.center || row.center->kind != Kind::variable || row.center->variable != fold.label ||
        row.weight < 0 || row.value.kind != Kind::variable || row.value.variable != row.weight) {
        return -1;
    }
    const Space& space = algorithm.spaces[static_cast<std::size_t>(fold.space)];
    const Type& type = algorithm.variables[static_cast<std::size_t>(row.graph)].type;
    const bool all = space.kind == Space::Kind::rows && type.space == fold.space;
    return all && !type.pattern && type.element == row.value.type.element &&
                   type.element == fold.value.type.element
               ? row.graph
               : -1;
}

} // namespace tropic::language::algorithm
