// The least that must work: one vertex, compiled, counted and run.
#include <gtest/gtest.h>

#include "vertex_state.h"

namespace tropic::tile::test {

namespace {

TEST(Codelets, SumOfAVector) {
    const auto library = compile_text(R"(
#include <poplar/Vertex.hpp>
class Sum : public poplar::Vertex {
  public:
    poplar::Input<poplar::Vector<float>> in;
    poplar::Output<float> out;
    bool compute() {
        float sum = 0;
        for (unsigned i = 0; i < in.size(); ++i) sum += in[i];
        *out = sum;
        return true;
    }
};
)");
    std::vector<float> in = {1, 2, 3, 4.5};
    float out = 0;
    VertexState sum(library, "Sum");
    sum.connect("in", in).connect("out", out);
    const Cost four = sum.run();
    EXPECT_EQ(out, 10.5F);
    in.resize(8, 1.0F);
    sum.connect("in", in);
    EXPECT_EQ(sum.run() - four, 4 * 2);
    EXPECT_EQ(out, 14.5F);
}

} // namespace

} // namespace tropic::tile::test
