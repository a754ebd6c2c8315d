// Vertices that most programs need: one element, or one vector, in and out.
#include <poplar/Vertex.hpp>

using namespace poplar;

class AddOne : public Vertex {
  public:
    Input<float> in;
    Output<float> out;

    bool compute() {
        *out = *in + 1.0F;
        return true;
    }
};

class Scale : public Vertex {
  public:
    Input<Vector<float>> in;
    Output<Vector<float>> out;
    float factor;

    bool compute() {
        for (unsigned i = 0; i < in.size(); ++i) out[i] = factor * in[i];
        return true;
    }
};

class Increment : public Vertex {
  public:
    InOut<Vector<int>> values;

    bool compute() {
        for (unsigned i = 0; i < values.size(); ++i) values[i] += 1;
        return true;
    }
};

class Sum : public Vertex {
  public:
    Input<Vector<float>> in;
    Output<float> out;

    bool compute() {
        float sum = 0.0F;
        for (unsigned i = 0; i < in.size(); ++i) sum += in[i];
        *out = sum;
        return true;
    }
};
