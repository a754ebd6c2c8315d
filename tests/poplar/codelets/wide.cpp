// Members and elements of 64 bits by their names, which are those of `long` on some hosts.
#include <cstdint>
#include <poplar/Vertex.hpp>

using namespace poplar;

class AddWide : public Vertex {
  public:
    Input<Vector<int64_t>> in;
    Output<Vector<std::uint64_t, VectorLayout::ONE_PTR>> out;
    Vector<Input<Vector<uint64_t>>> lists;
    InOut<int64_t> total;
    int64_t add;
    uint64_t factors[2];

    bool compute() {
        for (unsigned i = 0; i < in.size(); ++i) {
            out[i] = static_cast<uint64_t>(in[i] + add) * factors[i % 2] + lists[1][i];
            *total += in[i];
        }
        return true;
    }
};
