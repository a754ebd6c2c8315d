// One block of the matrix times its piece of the vector. The six workers take the rows in turn; a
// row is one 32-bit word of the result, so no two of them write the same word.
#include <poplar/Vertex.hpp>

using namespace poplar;

class MatrixBlock : public MultiVertex {
  public:
    // Row i of the block owns entries row_idx[i] to row_idx[i + 1] of `matrix` and of `idx`, the
    // columns counted from the block's first.
    Input<Vector<float>> matrix;
    Input<Vector<int>> idx;
    Input<Vector<int>> row_idx;

    Input<Vector<float>> vec;
    Output<Vector<float>> res;

    auto compute(unsigned workerId) -> bool {
        for (auto i = workerId; i < row_idx.size() - 1; i += MultiVertex::numWorkers()) {
            float sum = 0.0F;
            for (auto j = row_idx[i]; j < row_idx[i + 1]; j++) {
                sum += vec[idx[j]] * matrix[j];
            }
            res[i] = sum;
        }
        return true;
    }
};
