// Adds up the partial results of one row of blocks: the reducer of our own, where the library's is
// not wanted. It gathers all partial results on one tile, which is why the library's is faster.
#include <poplar/Loops.hpp>
#include <poplar/Vertex.hpp>

using namespace poplar;

class ReducerToVector : public MultiVertex {
  public:
    Vector<Input<Vector<float>>> res; // one vector for each block of the row
    Output<Vector<float>> vector;

    int block_length; // rows that exist; the last blocks may have fewer than `res` has room for
    int blocks;

    auto compute(unsigned workerId) -> bool {
        for (int i = workerId; i < block_length; i += MultiVertex::numWorkers()) {
            float sum = 0.0F;
            for (rptsize_t n = 0; n < static_cast<rptsize_t>(blocks); n++) {
                sum += res[n][i];
            }
            vector[i] = sum;
        }
        return true;
    }
};
