// Triangles and neighbourhoods. Directions, loops and duplicates do not count.
#pragma once

#include "tropic/algorithms/call.h"

namespace tropic {

enum class TrianglesMethod : std::uint8_t { fastest, burkhardt, cohen, sandia_ll, sandia_uu };

struct TrianglesOptions {
    TrianglesMethod method = TrianglesMethod::fastest;
    CallOptions call = {};
};

struct TrianglesResult {
    std::int64_t triangles = 0;
    CallReport report;
};

TrianglesResult triangles(const PreparedGraph& graph, const TrianglesOptions& options = {},
                          const Context& context = {});

struct ClusteringOptions {
    CallOptions call = {};
};

struct ClusteringResult {
    Array coefficient; ///< float64: the share of pairs of neighbours that are neighbours
    double mean = 0;
    CallReport report;
};

ClusteringResult clustering(const PreparedGraph& graph, const ClusteringOptions& options = {},
                            const Context& context = {});

struct KCoreOptions {
    CallOptions call = {};
};

struct KCoreResult {
    Array core;         ///< int32
    int degeneracy = 0; ///< the largest
    CallReport report;
};

KCoreResult k_core(const PreparedGraph& graph, const KCoreOptions& options = {},
                   const Context& context = {});

struct KTrussOptions {
    int k = 3;
    CallOptions call = {};
};

struct KTrussResult {
    /// int32, for every entry, row by row with columns ascending: the triangles of its edge in the
    /// truss, -1 outside it.
    Array support;
    Index edges = 0; ///< of the truss, each counted once
    CallReport report;
};

/// Throws Error(unsupported) unless the graph stores every edge both ways, once, without loops:
/// results belong to its entries.
KTrussResult k_truss(const PreparedGraph& graph, const KTrussOptions& options = {},
                     const Context& context = {});

struct JaccardOptions {
    CallOptions call = {};
};

struct JaccardResult {
    /// float64, for every entry, row by row with columns ascending: common neighbours of its ends
    /// over all of them.
    Array similarity;
    CallReport report;
};

/// As for k_truss, the graph must be simple.
JaccardResult jaccard(const PreparedGraph& graph, const JaccardOptions& options = {},
                      const Context& context = {});

} // namespace tropic
