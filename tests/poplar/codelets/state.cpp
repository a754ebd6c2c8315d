// Members that are set when the graph is built, and vectors that only the vertex sees.
#include <poplar/Vertex.hpp>

using namespace poplar;

class Polynomial : public Vertex {
  public:
    Input<Vector<float>> x;
    Output<Vector<float>> y;
    float a;
    int b;
    unsigned char c;
    bool negate;

    bool compute() {
        for (unsigned i = 0; i < x.size(); ++i) {
            const float value =
                a * x[i] * x[i] + static_cast<float>(b) * x[i] + static_cast<float>(c);
            y[i] = negate ? -value : value;
        }
        return true;
    }
};

class ReverseThroughScratch : public Vertex {
  public:
    InOut<Vector<int>> values;
    Vector<int> scratch;

    bool compute() {
        const unsigned n = values.size();
        for (unsigned i = 0; i < n; ++i) scratch[i] = values[n - 1 - i];
        for (unsigned i = 0; i < n; ++i) values[i] = scratch[i];
        return true;
    }
};
