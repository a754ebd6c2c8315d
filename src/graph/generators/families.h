// The functions behind the generators, one for each name; registry.cpp says what each accepts.
#pragma once

#include "graph/generators/edge_list.h"

namespace tropic::generators {

GeneratedEdges make_kron(const Request& request, const Context& context);
GeneratedEdges make_rmat(const Request& request, const Context& context);
GeneratedEdges make_urand(const Request& request, const Context& context);
GeneratedEdges make_grid(const Request& request, const Context& context);
GeneratedEdges make_road(const Request& request, const Context& context);
GeneratedEdges make_delaunay(const Request& request, const Context& context);
GeneratedEdges make_rgg(const Request& request, const Context& context);
GeneratedEdges make_butterfly(const Request& request, const Context& context);
GeneratedEdges make_ccc(const Request& request, const Context& context);
GeneratedEdges make_ring(const Request& request, const Context& context);
GeneratedEdges make_path(const Request& request, const Context& context);
GeneratedEdges make_star(const Request& request, const Context& context);
GeneratedEdges make_tree(const Request& request, const Context& context);
GeneratedEdges make_complete(const Request& request, const Context& context);
GeneratedEdges make_bipartite(const Request& request, const Context& context);

/// Limits of arguments: far beyond any machine, and low enough that sums of a few do not overflow.
inline constexpr Index most_vertices = Index{1} << 48;
inline constexpr Index most_scale = 48;
inline constexpr Index most_edge_factor = 1000000;

} // namespace tropic::generators
