// Parts of a graph. A part is named by its least vertex.
#pragma once

#include "tropic/algorithms/call.h"

namespace tropic {

enum class ComponentsMethod : std::uint8_t { afforest, label_minimum };

struct ComponentsOptions {
    ComponentsMethod method = ComponentsMethod::afforest;
    CallOptions call = {};
};

struct ComponentsResult {
    Array component; ///< int32 (int64 in large graphs): the least vertex of its part
    CallReport report;
};

/// Vertices joined by edges in any direction.
ComponentsResult components(const PreparedGraph& graph, const ComponentsOptions& options = {},
                            const Context& context = {});

struct StrongComponentsOptions {
    CallOptions call = {};
};

/// Vertices that reach each other.
ComponentsResult strong_components(const PreparedGraph& graph,
                                   const StrongComponentsOptions& options = {},
                                   const Context& context = {});

struct LabelPropagationOptions {
    int limit = 10; ///< rounds at most
    CallOptions call = {};
};

struct LabelPropagationResult {
    Array label; ///< int32 (int64 in large graphs)
    int rounds = 0;
    CallReport report;
};

/// Communities as LDBC's CDLP finds them: everybody takes the label most neighbours have.
LabelPropagationResult label_propagation(const PreparedGraph& graph,
                                         const LabelPropagationOptions& options = {},
                                         const Context& context = {});

struct LouvainOptions {
    double tolerance = 1e-6; ///< what a sweep must gain in modularity for another to follow
    CallOptions call = {};
};

struct LouvainResult {
    Array community;       ///< int32 (int64 in large graphs): the least vertex of its community
    double modularity = 0; ///< 0 for a graph without edges
    int levels = 0;        ///< how often communities became the nodes of a smaller graph
    CallReport report;
};

/// Communities of large modularity. Edge values are weights; without them every edge counts 1.
/// Throws Error(unsupported) unless every edge is stored both ways, with the same value.
LouvainResult louvain(const PreparedGraph& graph, const LouvainOptions& options = {},
                      const Context& context = {});

} // namespace tropic
