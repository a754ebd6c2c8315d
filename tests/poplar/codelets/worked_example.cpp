// The sum of the squares of a vector, by one worker.
#include <poplar/Vertex.hpp>

using namespace poplar;

class SumOfSquares : public Vertex {
  public:
    Input<Vector<float>> in;
    Output<float> out;

    bool compute() {
        float sum = 0.0F;
        for (unsigned i = 0; i < in.size(); ++i) sum += in[i] * in[i];
        *out = sum;
        return true;
    }
};
