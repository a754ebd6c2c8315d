// What every algorithm of the library takes and gives back beside its own: how it is run, and what
// there is to know about the run.
#pragma once

#include "tropic/algorithm.h"

namespace tropic {

/// Last in the options of every algorithm.
struct CallOptions {
    /// Seconds after which the call ends with Error(cancelled); 0: never.
    double timeout = 0;
    /// Fills CallReport::rounds.
    bool record_rounds = false;
};

/// In the result of every algorithm.
struct CallReport {
    double seconds = 0;             ///< of the algorithm alone
    std::vector<std::string> notes; ///< what a careful user should know: values taken as 1...
    std::vector<AlgorithmRound> rounds;
};

} // namespace tropic
