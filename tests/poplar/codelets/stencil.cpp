// Neighbouring values, which may live on other tiles.
#include <poplar/Vertex.hpp>

using namespace poplar;

class Average : public Vertex {
  public:
    Input<float> left;
    Input<Vector<float>> middle;
    Input<float> right;
    Output<Vector<float>> out;

    bool compute() {
        const unsigned n = middle.size();
        for (unsigned i = 0; i < n; ++i) {
            const float before = i == 0 ? *left : middle[i - 1];
            const float after = i + 1 == n ? *right : middle[i + 1];
            out[i] = 0.5F * middle[i] + 0.25F * (before + after);
        }
        return true;
    }
};

class FivePoint : public Vertex {
  public:
    Vector<Input<Vector<float>>> in; // the rows of a block and one more on every side
    Vector<Output<Vector<float>>> out;

    bool compute() {
        for (unsigned r = 0; r < out.size(); ++r) {
            for (unsigned c = 0; c < out[r].size(); ++c) {
                out[r][c] = 0.2F * (in[r + 1][c + 1] + in[r][c + 1] + in[r + 2][c + 1] +
                                    in[r + 1][c] + in[r + 1][c + 2]);
            }
        }
        return true;
    }
};
