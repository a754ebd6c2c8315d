#include <poplar/Vertex.hpp>

using namespace poplar;

class Double : public Vertex {
  public:
    Input<Vector<float>> in;
    Output<Vector<float>> out;

    bool compute() {
        for (unsigned i = 0; i < in.size(); ++i) out[i] = 2 * in[i];
        return true;
    }
};
