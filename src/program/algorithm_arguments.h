// Arguments on their way into a run: brought to the type and the form that parameters want.
#pragma once

#include "machines/cpu/algorithm/algorithm_session.h"
#include "tropic/algorithm.h"

namespace tropic::program {

/// Sets the parameters of the session. Throws Error(usage) for arguments without a parameter and
/// parameters without an argument, Error(range) and Error(inconsistent) for what does not fit.
void bind_arguments(cpu::AlgorithmSession& session, const Arguments& arguments, std::uint64_t seed);

} // namespace tropic::program
