// Fields of several vectors.
#include <poplar/Vertex.hpp>

using namespace poplar;

class SumRows : public Vertex {
  public:
    Vector<Input<Vector<float>>> rows;
    Output<Vector<float>> sums;

    bool compute() {
        for (unsigned r = 0; r < rows.size(); ++r) {
            float sum = 0.0F;
            for (unsigned i = 0; i < rows[r].size(); ++i) sum += rows[r][i];
            sums[r] = sum;
        }
        return true;
    }
};

class FillRows : public Vertex {
  public:
    Vector<Output<Vector<int>>> rows;

    bool compute() {
        for (unsigned r = 0; r < rows.size(); ++r) {
            for (unsigned i = 0; i < rows[r].size(); ++i) rows[r][i] = static_cast<int>(10 * r + i);
        }
        return true;
    }
};

class SumList : public Vertex {
  public:
    Input<VectorList<float, VectorListLayout::DELTAN>> lists;
    Output<float> sum;

    bool compute() {
        float total = 0.0F;
        for (unsigned r = 0; r < lists.size(); ++r) {
            for (unsigned i = 0; i < lists[r].size(); ++i) total += lists[r][i];
        }
        *sum = total;
        return true;
    }
};
