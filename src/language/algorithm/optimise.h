// Rearranges a checked algorithm so that a machine goes through memory as rarely as possible, where
// nobody can tell from the results.
#pragma once

#include "language/algorithm/algorithm.h"

namespace tropic::language::algorithm {

/// All of the steps below, in their order; says what it did in `explanations`.
void optimise(Algorithm& algorithm);

/// x = sum[i](...) becomes a loop that gathers x, which other loops can join.
void gather_in_loops(Algorithm& algorithm);

/// A loop over the members that the statement before it found is done where they are found.
void inline_epilogues(Algorithm& algorithm);

/// Neighbouring loops over the same members become one.
void join_loops(Algorithm& algorithm);

/// Copies of what nobody reads again become exchanges; sets that are emptied and then filled are
/// rebuilt; what is overwritten before anybody reads it is not written.
void drop_copies(Algorithm& algorithm);

/// Loops whose outcome is the same in every round move before the loop around them.
void hoist_invariants(Algorithm& algorithm);

/// Derived graphs that only one arm of a branch needs are made there.
void sink_derived(Algorithm& algorithm);

/// The same for what variables hold from their function's start.
void sink_created(Algorithm& algorithm);

/// Vectors that are overwritten before anybody reads them start as they are.
void leave_unset(Algorithm& algorithm);

/// Vectors that live within one round of one loop become locals.
void keep_in_registers(Algorithm& algorithm);

} // namespace tropic::language::algorithm
