// An algorithm of the catalogue on a graph in its shape, with what the user gave: the way commands
// and tests run them all.
#pragma once

#include <map>
#include <string>

#include "library/catalogue.h"

namespace tropic::library {

struct Performance {
    const Algorithm* algorithm = nullptr;
    AlgorithmResult result;
    std::map<std::string, double> options; ///< every number the function took, given or not
};

/// Throws Error(usage) for an option that the method does not have, Error(range) for a value that
/// its option cannot be.
void check_options(const Entry& entry, const Method& method,
                   const std::map<std::string, Argument>& given);

/// `given`: numbers for options of the method. `source` counts only where the entry has one.
Performance perform(const Entry& entry, const Method& method, const PreparedGraph& graph,
                    Index source, const std::map<std::string, Argument>& given,
                    const AlgorithmRunOptions& options, const Context& context);

} // namespace tropic::library
