#include "language/algorithm/optimise.h"

namespace tropic::language::algorithm {

void optimise(Algorithm& algorithm) {
    gather_in_loops(algorithm);
    sink_derived(algorithm);
    hoist_invariants(algorithm);
    drop_copies(algorithm);
    inline_epilogues(algorithm);
    join_loops(algorithm);
    drop_copies(algorithm);
    keep_in_registers(algorithm);
    sink_created(algorithm);
    leave_unset(algorithm);
}

} // namespace tropic::language::algorithm
