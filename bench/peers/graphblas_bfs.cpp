// Breadth-first search with parents and direction optimisation (Beamer, Asanovic, Patterson 2012;
// in linear algebra Yang, Buluc, Owens 2018): the semiring any_secondi gives the parent, a sparse
// frontier pushes, a bitmap pulls.
#include "graphblas_peer.h"

namespace tropic::bench::graphblas {

Vector bfs_parents(const PeerGraph& graph, GrB_Index source) {
    const GrB_Index n = graph.vertices;
    Vector parent = new_vector(GrB_INT32, n);
    check(GxB_Vector_Option_set(parent, GxB_SPARSITY_CONTROL, GxB_BITMAP + GxB_FULL));
    check(GrB_Vector_setElement_INT32(parent, static_cast<std::int32_t>(source), source));
    Vector front = new_vector(GrB_INT32, n);
    check(GrB_Vector_setElement_INT32(front, static_cast<std::int32_t>(source), source));

    constexpr double alpha = 8;
    constexpr double beta_growing = 8;
    constexpr double beta_shrinking = 512;
    const auto size = static_cast<double>(n);
    bool push = true;
    bool any_pull = false;
    GrB_Index last = 0;
    GrB_Index front_count = 1;
    GrB_Index visited = 1;
    auto unexplored = static_cast<double>(graph.entries);
    Vector work = new_vector(GrB_INT64, n);
    while (visited <= n) {
        const bool growing = front_count > last;
        bool switched = false;
        if (push) {
            if (growing) {
                // Edges that leave the frontier, against those nobody has looked at yet.
                bool pull = false;
                if (static_cast<double>(front_count) > size / beta_growing) {
                    pull = true;
                } else {
                    check(GrB_Vector_assign(work, front, nullptr, graph.degrees, GrB_ALL, n,
                                            GrB_DESC_RS));
                    std::int64_t edges = 0;
                    check(GrB_Vector_reduce_INT64(&edges, nullptr, GrB_PLUS_MONOID_INT64, work,
                                                  nullptr));
                    unexplored -= static_cast<double>(edges);
                    pull = static_cast<double>(edges) * alpha > unexplored && unexplored > 0;
                }
                if (pull && !any_pull) switched = true;
            }
            if (switched) push = false;
        } else if (!growing && static_cast<double>(front_count) <= size / beta_shrinking) {
            push = true;
            any_pull = true;
        }
        check(GxB_Vector_Option_set(front, GxB_SPARSITY_CONTROL, push ? GxB_SPARSE : GxB_BITMAP));
        last = front_count;
        if (push) {
            check(GrB_vxm(front, parent, nullptr, GxB_ANY_SECONDI_INT32, front, graph.pattern,
                          GrB_DESC_RSC));
        } else {
            check(GrB_mxv(front, parent, nullptr, GxB_ANY_SECONDI_INT32, graph.pattern, front,
                          GrB_DESC_RSC));
        }
        check(GrB_Vector_nvals(&front_count, front));
        if (front_count == 0) break;
        visited += front_count;
        check(GrB_Vector_assign(parent, front, nullptr, front, GrB_ALL, n, GrB_DESC_S));
    }
    check(GrB_Vector_wait(parent, GrB_MATERIALIZE));
    return parent;
}

} // namespace tropic::bench::graphblas
