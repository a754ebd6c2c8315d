// What a run leaves behind, as tensors and numbers.
#pragma once

#include "machines/cpu/algorithm/algorithm_session.h"
#include "tropic/algorithm.h"

namespace tropic::program {

/// Takes the results out of the session; vectors and tables without a copy. Of records, every
/// field is a result of its own: "best.key".
void take_results(cpu::AlgorithmSession& session, AlgorithmResult& result);

} // namespace tropic::program
