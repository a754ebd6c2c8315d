// Breadth-first search: does a row meet the frontier, and what a level does to the distances.
#include <cmath>
#include <limits.h>
#include <poplar/Loops.hpp>
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
            res[i] = 0.0;
            for (auto j = row_idx[i]; j < row_idx[i + 1]; j++) {
                if (vec[idx[j]] > 0) {
                    res[i] = 1.0;
                    goto cnt;
                }
            }
        cnt:;
        }
        return true;
    }
};

class Normalize : public Vertex {
  public:
    InOut<Vector<unsigned int>> dist;
    InOut<Vector<float>> vec;
    Input<unsigned int> iteration;
    Output<bool> stop;

    auto compute() -> bool {
        *stop = true;
        for (rptsize_t i = 0; i < vec.size(); i += 1) {
            if (vec[i] >= 1.0) {
                if (dist[i] == UINT_MAX) {
                    dist[i] = *iteration;
                    vec[i] = 1.0;
                    *stop = false;
                } else {
                    vec[i] = 0.0;
                }
            }
        }
        return true;
    }
};
