// Shortest paths by delta-stepping (Meyer, Sanders 2003; in linear algebra Sridhar et al. 2019):
// light edges are relaxed until a bucket stays empty, then the heavy edges of all it ever held.
#include "graphblas_peer.h"

namespace tropic::bench::graphblas {

Vector shortest_paths(const PeerGraph& graph, GrB_Index source) {
    const GrB_Index n = graph.vertices;
    const std::int32_t delta = graph.delta;
    const Matrix light = new_matrix(GrB_INT32, n, n);
    const Matrix heavy = new_matrix(GrB_INT32, n, n);
    check(GrB_Matrix_select_INT32(light, nullptr, nullptr, GrB_VALUELE_INT32, graph.weights, delta,
                                  nullptr));
    check(GrB_Matrix_select_INT32(heavy, nullptr, nullptr, GrB_VALUEGT_INT32, graph.weights, delta,
                                  nullptr));
    check(GrB_Matrix_wait(light, GrB_MATERIALIZE));
    check(GrB_Matrix_wait(heavy, GrB_MATERIALIZE));
    GrB_Index heavy_count = 0;
    check(GrB_Matrix_nvals(&heavy_count, heavy));

    Vector distance = new_vector(GrB_INT32, n);
    check(GrB_Vector_assign_INT32(distance, nullptr, nullptr, INT32_MAX, GrB_ALL, n, nullptr));
    check(GrB_Vector_setElement_INT32(distance, 0, source));
    // Vertices with a distance that are not settled; those the bucket ever held.
    Vector reached = new_vector(GrB_BOOL, n);
    check(GrB_Vector_setElement_BOOL(reached, true, source));
    Vector held = new_vector(GrB_BOOL, n);
    Vector current = new_vector(GrB_INT32, n);
    Vector request = new_vector(GrB_INT32, n);
    Vector better = new_vector(GrB_BOOL, n);
    Vector waiting = new_vector(GrB_INT32, n);

    // The requests that improve a distance.
    const auto find_better = [&] {
        check(GrB_Vector_eWiseMult_BinaryOp(better, nullptr, nullptr, GrB_LT_INT32, request,
                                            distance, nullptr));
        check(GrB_Vector_select_BOOL(better, nullptr, nullptr, GrB_VALUENE_BOOL, better, false,
                                     nullptr));
    };
    while (true) {
        // The nearest bucket with a reached vertex.
        check(GrB_Vector_assign(waiting, reached, nullptr, distance, GrB_ALL, n, GrB_DESC_RS));
        GrB_Index count = 0;
        check(GrB_Vector_nvals(&count, waiting));
        if (count == 0) break;
        std::int32_t least = 0;
        check(GrB_Vector_reduce_INT32(&least, nullptr, GrB_MIN_MONOID_INT32, waiting, nullptr));
        const std::int64_t end = (static_cast<std::int64_t>(least / delta) + 1) * delta;
        const auto limit = static_cast<std::int32_t>(std::min<std::int64_t>(end, INT32_MAX));
        check(GrB_Vector_select_INT32(current, nullptr, nullptr, GrB_VALUELT_INT32, waiting, limit,
                                      nullptr));
        check(GrB_Vector_clear(held));
        check(GrB_Vector_nvals(&count, current));
        while (count > 0) {
            check(GrB_vxm(request, nullptr, nullptr, GrB_MIN_PLUS_SEMIRING_INT32, current, light,
                          nullptr));
            check(GrB_Vector_assign_BOOL(held, current, nullptr, true, GrB_ALL, n, GrB_DESC_S));
            find_better();
            check(GrB_Vector_assign(distance, better, nullptr, request, GrB_ALL, n, GrB_DESC_S));
            check(GrB_Vector_assign_BOOL(reached, better, nullptr, true, GrB_ALL, n, GrB_DESC_S));
            check(GrB_Vector_select_INT32(current, better, nullptr, GrB_VALUELT_INT32, request,
                                          limit, GrB_DESC_RS));
            check(GrB_Vector_nvals(&count, current));
        }
        if (heavy_count > 0) {
            check(GrB_Vector_assign(current, held, nullptr, distance, GrB_ALL, n, GrB_DESC_RS));
            check(GrB_vxm(request, nullptr, nullptr, GrB_MIN_PLUS_SEMIRING_INT32, current, heavy,
                          nullptr));
            find_better();
            check(GrB_Vector_assign(distance, better, nullptr, request, GrB_ALL, n, GrB_DESC_S));
            check(GrB_Vector_assign_BOOL(reached, better, nullptr, true, GrB_ALL, n, GrB_DESC_S));
        }
        // What the bucket held is settled.
        check(GrB_Vector_assign(reached, held, nullptr, reached, GrB_ALL, n, GrB_DESC_RSC));
    }
    return distance;
}

} // namespace tropic::bench::graphblas
