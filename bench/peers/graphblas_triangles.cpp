// Triangle count (Azad, Buluc, Gilbert 2015; Wolf et al. 2017; Davis 2018): sum of L L where L has
// entries ("Sandia LL"), after sorting the vertices by descending degree where degrees are uneven;
// sum of L U' ("Sandia LUT", by dot products) where there are few edges. These are the methods
// that this version of the peer is fastest with here, of LL, UU, LUT and ULT in both orders.
#include <algorithm>
#include <numeric>

#include "graphblas_peer.h"

namespace tropic::bench::graphblas {

namespace {

/// Whether few vertices hold most edges: the mean degree of a sample is far above its median.
bool degrees_are_uneven(const PeerGraph& graph) {
    constexpr std::size_t samples = 1000;
    const double mean = static_cast<double>(graph.entries) / static_cast<double>(graph.vertices);
    if (graph.vertices <= samples || mean < 10) return false;
    std::vector<GrB_Index> sample(samples);
    std::uint64_t state = 1;
    GrB_Index sum = 0;
    for (auto& degree : sample) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        degree = graph.degree[(state >> 20) % graph.vertices];
        sum += degree;
    }
    std::ranges::nth_element(sample, sample.begin() + samples / 2);
    return static_cast<double>(sum) / samples > 4 * static_cast<double>(sample[samples / 2]);
}

/// The vertices by descending degree.
std::vector<GrB_Index> by_degree(const PeerGraph& graph) {
    std::vector<GrB_Index> place(*std::ranges::max_element(graph.degree) + 2);
    for (const GrB_Index degree : graph.degree) ++place[degree + 1];
    std::partial_sum(place.begin(), place.end(), place.begin());
    std::vector<GrB_Index> order(graph.vertices);
    for (GrB_Index v = 0; v < graph.vertices; ++v) {
        order[graph.vertices - 1 - place[graph.degree[v]]++] = v;
    }
    return order;
}

Matrix triangle_of(GrB_Matrix matrix, GrB_Index n, GrB_IndexUnaryOp which, std::int64_t diagonal) {
    Matrix part = new_matrix(GrB_BOOL, n, n);
    check(GrB_Matrix_select_INT64(part, nullptr, nullptr, which, matrix, diagonal, nullptr));
    return part;
}

} // namespace

std::int64_t count_triangles(const PeerGraph& graph) {
    const GrB_Index n = graph.vertices;
    Matrix sorted;
    GrB_Matrix matrix = graph.pattern;
    if (degrees_are_uneven(graph)) {
        const std::vector<GrB_Index> order = by_degree(graph);
        sorted = new_matrix(GrB_BOOL, n, n);
        check(GrB_Matrix_extract(sorted, nullptr, nullptr, matrix, order.data(), n, order.data(), n,
                                 nullptr));
        matrix = sorted;
    }
    const Matrix lower = triangle_of(matrix, n, GrB_TRIL, -1);
    const Matrix counts = new_matrix(GrB_INT64, n, n);
    if (graph.entries >= 8 * n) {
        check(GrB_mxm(counts, lower, nullptr, GxB_PLUS_PAIR_INT64, lower, lower, GrB_DESC_S));
    } else {
        const Matrix upper = triangle_of(matrix, n, GrB_TRIU, 1);
        check(GrB_mxm(counts, lower, nullptr, GxB_PLUS_PAIR_INT64, lower, upper, GrB_DESC_ST1));
    }
    std::int64_t total = 0;
    check(GrB_Matrix_reduce_INT64(&total, nullptr, GrB_PLUS_MONOID_INT64, counts, nullptr));
    return total;
}

} // namespace tropic::bench::graphblas
