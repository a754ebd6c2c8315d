// After a level: vertices met for the first time get their distance and stay in the frontier, the
// others leave it. `stop` stays true where no vertex was new.
#include <climits>
#include <poplar/Loops.hpp>
#include <poplar/Vertex.hpp>

using namespace poplar;

class Normalize : public Vertex {
  public:
    InOut<Vector<unsigned int>> dist;
    InOut<Vector<float>> vec;

    Input<unsigned int> iteration;
    Output<bool> stop;

    auto compute() -> bool {
        *stop = true;
        for (rptsize_t i = 0; i < vec.size(); i++) {
            if (vec[i] >= 1.0F) {
                if (dist[i] == UINT_MAX) {
                    dist[i] = *iteration;
                    vec[i] = 1.0F;
                    *stop = false;
                } else {
                    vec[i] = 0.0F;
                }
            }
        }
        return true;
    }
};
