// PageRank by power iteration in float (as in the GAP benchmark), where vertices without edges
// give their rank to everybody.
#include "graphblas_peer.h"

namespace tropic::bench::graphblas {

Vector pagerank(const PeerGraph& graph) {
    const GrB_Index n = graph.vertices;
    const auto teleport = static_cast<float>((1 - damping) / static_cast<double>(n));
    Vector rank = new_vector(GrB_FP32, n);
    Vector old = new_vector(GrB_FP32, n);
    Vector share = new_vector(GrB_FP32, n);
    check(GrB_Vector_assign_FP32(rank, nullptr, nullptr, 1.0F / static_cast<float>(n), GrB_ALL, n,
                                 nullptr));
    // d = degree / damping, at least 1 / damping; who has no edges is a sink.
    Vector scaled = new_vector(GrB_FP32, n);
    check(GrB_Vector_assign_FP32(scaled, nullptr, nullptr, static_cast<float>(1 / damping), GrB_ALL,
                                 n, nullptr));
    check(GrB_Vector_apply_BinaryOp2nd_FP32(scaled, nullptr, nullptr, GrB_DIV_FP32, graph.degrees,
                                            static_cast<float>(damping), nullptr));
    GrB_Index with_edges = 0;
    check(GrB_Vector_nvals(&with_edges, graph.degrees));
    Vector sinks;
    Vector sink_ranks;
    if (with_edges < n) {
        sinks = new_vector(GrB_BOOL, n);
        check(
            GrB_Vector_assign_BOOL(sinks, graph.degrees, nullptr, true, GrB_ALL, n, GrB_DESC_RSC));
        sink_ranks = new_vector(GrB_FP32, n);
    }
    for (int round = 0; round < 1000; ++round) {
        float base = teleport;
        if (sinks != nullptr) {
            check(GrB_Vector_assign(sink_ranks, sinks, nullptr, rank, GrB_ALL, n, GrB_DESC_RS));
            float lost = 0;
            check(
                GrB_Vector_reduce_FP32(&lost, nullptr, GrB_PLUS_MONOID_FP32, sink_ranks, nullptr));
            base += static_cast<float>(damping) * lost / static_cast<float>(n);
        }
        std::swap(rank, old);
        check(GrB_Vector_eWiseMult_BinaryOp(share, nullptr, nullptr, GrB_DIV_FP32, old, scaled,
                                            nullptr));
        check(GrB_Vector_assign_FP32(rank, nullptr, nullptr, base, GrB_ALL, n, nullptr));
        check(GrB_mxv(rank, nullptr, GrB_PLUS_FP32, GxB_PLUS_SECOND_FP32, graph.pattern, share,
                      nullptr));
        // The change of the round: sum |old - rank|.
        check(GrB_Vector_assign(old, nullptr, GrB_MINUS_FP32, rank, GrB_ALL, n, nullptr));
        check(GrB_Vector_apply(old, nullptr, nullptr, GrB_ABS_FP32, old, nullptr));
        float change = 0;
        check(GrB_Vector_reduce_FP32(&change, nullptr, GrB_PLUS_MONOID_FP32, old, nullptr));
        if (change <= static_cast<float>(tolerance)) break;
    }
    return rank;
}

} // namespace tropic::bench::graphblas
