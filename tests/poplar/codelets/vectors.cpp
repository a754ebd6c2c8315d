// Several elements at a time.
#include <ipu_vector_math>
#include <poplar/Vertex.hpp>

using namespace poplar;

class AddPairs : public Vertex {
  public:
    Input<Vector<float, VectorLayout::SPAN, 8>> a;
    Input<Vector<float, VectorLayout::SPAN, 8>> b;
    Output<Vector<float, VectorLayout::SPAN, 8>> sum;

    bool compute() {
        const float2* x = reinterpret_cast<const float2*>(&a[0]);
        const float2* y = reinterpret_cast<const float2*>(&b[0]);
        float2* z = reinterpret_cast<float2*>(&sum[0]);
        for (unsigned i = 0; i < a.size() / 2; ++i) z[i] = x[i] + y[i];
        return true;
    }
};

class AddQuads : public Vertex {
  public:
    Input<Vector<half, VectorLayout::SPAN, 8>> a;
    Output<Vector<half, VectorLayout::SPAN, 8>> twice;

    bool compute() {
        const half4* x = reinterpret_cast<const half4*>(&a[0]);
        half4* z = reinterpret_cast<half4*>(&twice[0]);
        for (unsigned i = 0; i < a.size() / 4; ++i) z[i] = x[i] + x[i];
        return true;
    }
};
