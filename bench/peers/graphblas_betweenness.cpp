// Betweenness of a batch of sources (Brandes 2001; in linear algebra Kepner, Gilbert 2011): forward
// the number of shortest paths level by level, backward the dependencies along the saved levels.
#include "graphblas_peer.h"

namespace tropic::bench::graphblas {

namespace {

/// A product pushes while the left operand is sparser than that, with some inertia.
class Direction {
  public:
    bool pull(GrB_Index present, double all) {
        const double density = static_cast<double>(present) / all;
        if (density > 0.10) pull_ = true;
        else if (density <= 0.06) pull_ = false;
        return pull_;
    }

  private:
    bool pull_ = false;
};

void multiply(GrB_Matrix result, GrB_Matrix mask, GrB_Matrix left, GrB_Matrix matrix, bool pull,
              bool complement) {
    check(GxB_Matrix_Option_set(left, GxB_SPARSITY_CONTROL, pull ? GxB_BITMAP : GxB_SPARSE));
    GrB_Descriptor pulling = complement ? GrB_DESC_RSCT1 : GrB_DESC_RST1;
    GrB_Descriptor pushing = complement ? GrB_DESC_RSC : GrB_DESC_RS;
    check(GrB_mxm(result, mask, nullptr, GxB_PLUS_FIRST_FP64, left, matrix,
                  pull ? pulling : pushing));
}

} // namespace

Vector betweenness(const PeerGraph& graph, const std::vector<std::int64_t>& sources) {
    const GrB_Index n = graph.vertices;
    const GrB_Index batch = sources.size();
    const double all = static_cast<double>(n) * static_cast<double>(batch);
    const Matrix paths = new_matrix(GrB_FP64, batch, n);
    check(GxB_Matrix_Option_set(paths, GxB_SPARSITY_CONTROL, GxB_BITMAP + GxB_FULL));
    const Matrix front = new_matrix(GrB_FP64, batch, n);
    for (GrB_Index s = 0; s < batch; ++s) {
        check(GrB_Matrix_setElement_FP64(paths, 1, s, static_cast<GrB_Index>(sources[s])));
        check(GrB_Matrix_setElement_FP64(front, 1, s, static_cast<GrB_Index>(sources[s])));
    }
    multiply(front, paths, front, graph.pattern, false, true);

    std::vector<Matrix> levels;
    Direction forward;
    GrB_Index count = 0;
    check(GrB_Matrix_nvals(&count, front));
    while (count > 0) {
        Matrix level = new_matrix(GrB_BOOL, batch, n);
        check(GrB_Matrix_assign_BOOL(level, front, nullptr, true, GrB_ALL, batch, GrB_ALL, n,
                                     GrB_DESC_S));
        levels.push_back(std::move(level));
        check(GrB_Matrix_assign(paths, nullptr, GrB_PLUS_FP64, front, GrB_ALL, batch, GrB_ALL, n,
                                nullptr));
        multiply(front, paths, front, graph.pattern, forward.pull(count, all), true);
        check(GrB_Matrix_nvals(&count, front));
    }

    const Matrix update = new_matrix(GrB_FP64, batch, n);
    check(GrB_Matrix_assign_FP64(update, nullptr, nullptr, 1, GrB_ALL, batch, GrB_ALL, n, nullptr));
    const Matrix work = new_matrix(GrB_FP64, batch, n);
    for (std::size_t depth = levels.size(); depth-- > 1;) {
        check(GrB_Matrix_eWiseMult_BinaryOp(work, levels[depth], nullptr, GrB_DIV_FP64, update,
                                            paths, GrB_DESC_RS));
        check(GrB_Matrix_nvals(&count, work));
        GrB_Index next = 0;
        check(GrB_Matrix_nvals(&next, levels[depth - 1]));
        // Pulling visits the places of the mask, pushing those of the operand.
        const double density = static_cast<double>(count) / all;
        const bool pull = density > 0.1 && static_cast<double>(count) > static_cast<double>(next);
        multiply(work, levels[depth - 1], work, graph.pattern, pull, false);
        check(GrB_Matrix_eWiseMult_BinaryOp(update, nullptr, GrB_PLUS_FP64, GrB_TIMES_FP64, work,
                                            paths, nullptr));
    }
    Vector centrality = new_vector(GrB_FP64, n);
    check(GrB_Vector_assign_FP64(centrality, nullptr, nullptr, -static_cast<double>(batch), GrB_ALL,
                                 n, nullptr));
    check(GrB_Matrix_reduce_Monoid(centrality, nullptr, GrB_PLUS_FP64, GrB_PLUS_MONOID_FP64, update,
                                   GrB_DESC_T0));
    check(GrB_Vector_wait(centrality, GrB_MATERIALIZE));
    return centrality;
}

} // namespace tropic::bench::graphblas
