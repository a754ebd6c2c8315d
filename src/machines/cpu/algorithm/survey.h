// What a run has to know of an algorithm before it starts.
#pragma once

#include <set>

#include "language/algorithm/algorithm.h"

namespace tropic::cpu {

struct Survey {
    explicit Survey(const language::algorithm::Algorithm& algorithm);

    /// Variables that the algorithm changes: what is bound to them must be copied first.
    std::set<language::algorithm::VariableId> written;
    /// Graphs whose incoming edges are asked for their numbers.
    std::set<language::algorithm::VariableId> numbered;
};

} // namespace tropic::cpu
