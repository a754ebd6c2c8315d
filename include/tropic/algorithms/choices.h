// Choices of vertices and edges. Directions, loops and duplicates do not count; the same seed gives
// the same choice for any number of threads.
#pragma once

#include "tropic/algorithms/call.h"

namespace tropic {

struct IndependentSetOptions {
    std::int64_t seed = 1;
    CallOptions call = {};
};

struct IndependentSetResult {
    Array member; ///< bool
    Index members = 0;
    CallReport report;
};

/// A maximal one: no two members are neighbours, everybody else has one as a neighbour.
IndependentSetResult independent_set(const PreparedGraph& graph,
                                     const IndependentSetOptions& options = {},
                                     const Context& context = {});

struct ColouringOptions {
    std::int64_t seed = 1;
    CallOptions call = {};
};

struct ColouringResult {
    Array colour; ///< int32, from 0
    int colours = 0;
    CallReport report;
};

/// Greedy, largest degrees first.
ColouringResult colouring(const PreparedGraph& graph, const ColouringOptions& options = {},
                          const Context& context = {});

struct MatchingOptions {
    std::int64_t seed = 1;
    CallOptions call = {};
};

struct MatchingResult {
    Array partner; ///< int32 (int64 in large graphs); -1 where there is none
    Index pairs = 0;
    CallReport report;
};

/// A maximal one: no further edge could be added.
MatchingResult matching(const PreparedGraph& graph, const MatchingOptions& options = {},
                        const Context& context = {});

} // namespace tropic
