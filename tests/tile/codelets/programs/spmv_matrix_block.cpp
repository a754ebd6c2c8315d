// One block of a sparse matrix times its piece of the vector, rows dealt out to the workers.
#include <assert.h>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <math.h>
#include <poplar/Vertex.hpp>
#include <stdint.h>

using namespace poplar;

class MatrixBlock : public MultiVertex {
  public:
    Input<Vector<float>> matrix;
    Input<Vector<int>> idx;
    Input<Vector<int>> row_idx;
    Input<Vector<float>> vec;
    Output<Vector<float>> res;

    auto compute(unsigned workerId) -> bool {
        for (auto i = workerId; i < row_idx.size() - 1; i += MultiVertex::numWorkers()) {
            float sum = 0.0;
            for (auto j = row_idx[i]; j < row_idx[i + 1]; j++) {
                sum += vec[idx[j]] * matrix[j];
            }
            res[i] = sum;
        }
        return true;
    }
};
