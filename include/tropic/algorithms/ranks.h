// How much vertices matter.
#pragma once

#include "tropic/algorithms/call.h"

namespace tropic {

struct PagerankOptions {
    double damping = 0.85;   ///< how often the walker follows an edge; less than 1
    double tolerance = 1e-4; ///< of what a round changes in all; below 1e-5 in double precision
    int limit = 100;         ///< rounds at most
    CallOptions call = {};
};

struct PagerankResult {
    Array rank; ///< float32 or float64; adds up to 1
    int rounds = 0;
    double change = 0; ///< what the last round changed, or the next one would
    CallReport report;
};

PagerankResult pagerank(const PreparedGraph& graph, const PagerankOptions& options = {},
                        const Context& context = {});

struct PersonalisedPagerankOptions {
    Index source = 0;
    double damping = 0.85;
    double tolerance = 1e-6;
    int limit = 200;
    CallOptions call = {};
};

PagerankResult personalised_pagerank(const PreparedGraph& graph,
                                     const PersonalisedPagerankOptions& options,
                                     const Context& context = {});

struct HitsOptions {
    double tolerance = 1e-6;
    int limit = 200;
    CallOptions call = {};
};

struct HitsResult {
    Array hub;       ///< float64; adds up to 1
    Array authority; ///< likewise
    int rounds = 0;
    double change = 0;
    CallReport report;
};

HitsResult hits(const PreparedGraph& graph, const HitsOptions& options = {},
                const Context& context = {});

struct KatzOptions {
    double alpha = 0; ///< what an edge of a walk costs; 0: 0.85 over the largest in-degree
    double beta = 1;
    double tolerance = 1e-9;
    int limit = 1000;
    CallOptions call = {};
};

struct KatzResult {
    Array centrality; ///< float64; the squares add up to 1
    int rounds = 0;
    CallReport report;
};

/// Throws Error(range) if the walks do not add up within the limit: alpha is too large, which the
/// default never is.
KatzResult katz(const PreparedGraph& graph, const KatzOptions& options = {},
                const Context& context = {});

struct BetweennessOptions {
    int samples = 0; ///< how many random vertices to start from; 0: all
    std::int64_t seed = 1;
    CallOptions call = {};
};

struct BetweennessResult {
    Array centrality; ///< float64; ordered pairs: an undirected graph's count twice
    Array source;     ///< sampled: the vertices started from
    CallReport report;
};

BetweennessResult betweenness(const PreparedGraph& graph, const BetweennessOptions& options = {},
                              const Context& context = {});

struct ClosenessOptions {
    CallOptions call = {};
};

struct ClosenessResult {
    Array centrality; ///< float64
    CallReport report;
};

ClosenessResult closeness(const PreparedGraph& graph, const ClosenessOptions& options = {},
                          const Context& context = {});

} // namespace tropic
