// What statements read and write: the ground that every rearrangement stands on.
#pragma once

#include <map>
#include <set>

#include "language/algorithm/algorithm.h"

namespace tropic::language::algorithm {

/// Of a statement with everything inside it; locals of members are nobody else's business.
struct Effects {
    std::set<VariableId> reads;
    std::set<VariableId> writes;
    bool leaves = false; ///< break, continue, return, require, print: order matters
};

Effects effects_of(const Statement& statement, const Algorithm& algorithm);

/// Without what is inside it: of a loop or a branch, what its test and its bounds do.
Effects effects_of_head(const Statement& statement, const Algorithm& algorithm);

/// Whether an index may be wrong, or a divisor 0: the run ends then, whoever reads the outcome.
bool may_fail(const Statement& statement);

/// Whether a `break` or `continue` inside goes on elsewhere than behind the statement.
bool may_jump(const Statement& statement);

/// Whether the algorithm may end inside.
bool may_return(const Statement& statement);

/// Whether the two give the same in either order.
bool commute(const Effects& a, const Effects& b);

/// How the code of a member uses a vector, sparse vector or set: the element of the member itself,
/// or others.
struct Use {
    bool reads_own = false;
    bool reads_other = false;
    bool writes_own = false;
    bool writes_other = false;
};

struct MemberEffects {
    std::map<VariableId, Use> vectors;
    std::set<VariableId> scalars_read;
    std::set<VariableId> scalars_written;
    bool returns = false; ///< the code of a member may end early
};

/// Of statements that are the code of the member `label`.
MemberEffects member_effects(const std::vector<Statement>& body,
                             const std::optional<Expression>& condition, VariableId label,
                             const Algorithm& algorithm);

/// What comes first for a variable in a list of statements.
enum class Fate : std::uint8_t { untouched, read, overwritten };

/// From statement `from` on, following the list to its end. A statement may do nothing, and another
/// may jump over the rest, so what only some paths overwrite counts as untouched.
Fate fate_of(VariableId id, const std::vector<Statement>& list, std::size_t from,
             const Algorithm& algorithm);

} // namespace tropic::language::algorithm
