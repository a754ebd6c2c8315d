// Vectors as pointer and size, as pointers alone, and aligned.
#include <poplar/Vertex.hpp>

using namespace poplar;

class AddLayouts : public Vertex {
  public:
    Input<Vector<float, VectorLayout::SPAN>> a;
    Input<Vector<float, VectorLayout::ONE_PTR>> b;
    Output<Vector<float, VectorLayout::ONE_PTR, 8>> sum;

    bool compute() {
        for (unsigned i = 0; i < a.size(); ++i) sum[i] = a[i] + b[i];
        return true;
    }
};
