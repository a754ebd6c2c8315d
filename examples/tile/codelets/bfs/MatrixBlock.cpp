// One block of the adjacency matrix: a row becomes 1 as soon as one of its columns is in the
// frontier. The six workers take the rows in turn.
#include <poplar/Vertex.hpp>

using namespace poplar;

class MatrixBlock : public MultiVertex {
  public:
    Input<Vector<int>> idx;
    Input<Vector<int>> row_idx;

    Input<Vector<float>> vec;
    Output<Vector<float>> res;

    auto compute(unsigned workerId) -> bool {
        for (auto i = workerId; i < row_idx.size() - 1; i += MultiVertex::numWorkers()) {
            res[i] = 0.0F;
            for (auto j = row_idx[i]; j < row_idx[i + 1]; j++) {
                if (vec[idx[j]] > 0) {
                    res[i] = 1.0F;
                    break;
                }
            }
        }
        return true;
    }
};
