// Sums a row of blocks into one piece of the result.
#include <cmath>
#include <poplar/Loops.hpp>
#include <poplar/Vertex.hpp>

using namespace poplar;

class ReducerToVector : public MultiVertex {
  public:
    Vector<Input<Vector<float>>> res;
    Output<Vector<float>> vector;

    int block_length;
    int blocks;

    auto compute(unsigned workerId) -> bool {
        for (int i = workerId; i < block_length; i += MultiVertex::numWorkers()) {
            float sum = 0;
            for (rptsize_t n = 0; n < blocks; n += 1) {
                sum += res[n][i];
            }
            vector[i] = sum;
        }
        return true;
    }
};
