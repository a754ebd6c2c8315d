// delaunay: the Delaunay triangulation of random points in the unit square. CGAL's predicates are
// exact, and the triangulation of points in general position is unique: the order in which CGAL
// inserts them does not show in the graph.
#include <CGAL/Delaunay_triangulation_2.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Triangulation_vertex_base_with_info_2.h>
#include <CGAL/spatial_sort.h>

#include "graph/generators/families.h"
#include "graph/generators/points.h"
#include "support/memory.h"

namespace tropic::generators {

namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using VertexBase = CGAL::Triangulation_vertex_base_with_info_2<std::int32_t, Kernel>;
using Structure = CGAL::Triangulation_data_structure_2<VertexBase>;
using Triangulation = CGAL::Delaunay_triangulation_2<Kernel, Structure>;

/// CGAL keeps about 150 bytes for a point, its vertex and two faces; the points and handles below
/// take 32 more.
constexpr std::uint64_t bytes_per_point = 200;

/// Vertex i of the result is the handle of point i.
std::vector<Triangulation::Vertex_handle>
triangulate(Index n, const Random& random, const Context& context, Triangulation& triangulation) {
    std::vector<std::pair<Kernel::Point_2, std::int32_t>> points(n);
    for (Index i = 0; i < n; ++i) {
        const Point point = point_at(random, i);
        points[i] = {Kernel::Point_2(point.x, point.y), static_cast<std::int32_t>(i)};
    }
    using Map = CGAL::First_of_pair_property_map<std::pair<Kernel::Point_2, std::int32_t>>;
    CGAL::spatial_sort(points.begin(), points.end(),
                       CGAL::Spatial_sort_traits_adapter_2<Kernel, Map>());
    std::vector<Triangulation::Vertex_handle> handles(n);
    // Points near each other follow each other, so the walk from the last one is short.
    Triangulation::Face_handle near;
    constexpr Index step = 1 << 16;
    for (Index i = 0; i < n; ++i) {
        if (i % step == 0) {
            context.check_cancelled();
            context.report("triangulating", static_cast<std::uint64_t>(i),
                           static_cast<std::uint64_t>(n));
        }
        const auto vertex = triangulation.insert(points[i].first, near);
        vertex->info() = points[i].second;
        handles[points[i].second] = vertex;
        near = vertex->face();
    }
    return handles;
}

} // namespace

GeneratedEdges make_delaunay(const Request& request, const Context& context) {
    const Index n = request.whole(0, "number of vertices", 0, Index{1} << 30);
    const EdgeSource source{.vertices = n,
                            .items = n,
                            .edges_per_item = 3,
                            .counted = true,
                            .edges_at_least = n - 1, // connected
                            .random = true};
    require_room(source, request, context, source.edges_at_least);
    const MemoryCharge charge(context.budget(), static_cast<std::uint64_t>(n) * bytes_per_point,
                              request.text());
    Triangulation triangulation;
    const auto handles = triangulate(n, request.random(Stream::points), context, triangulation);
    return write_edges(source, request, context, [&](Index begin, Index end, auto& emit) {
        for (Index v = begin; v < end; ++v) {
            if (triangulation.dimension() < 1) continue;
            const auto first = triangulation.incident_vertices(handles[v]);
            if (first == nullptr) continue;
            auto neighbour = first;
            do {
                if (triangulation.is_infinite(neighbour)) continue;
                if (neighbour->info() > v) emit(v, neighbour->info());
            } while (++neighbour != first);
        }
    });
}

} // namespace tropic::generators
