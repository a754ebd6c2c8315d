// What codelets print, what the tile's own instructions give, and many threads at once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "vertex_state.h"

namespace tropic::tile::test {

namespace {

class Lines : public PrintSink {
  public:
    void print(std::uint32_t worker, std::string_view text) override {
        text_ += "[" + std::to_string(worker) + "]" + std::string(text);
    }
    const std::string& text() const { return text_; }

  private:
    std::string text_;
};

TEST(CodeletPrints, GoToTheSinkWithTheirWorker) {
    const auto library = compile_text(R"(
#include <poplar/Vertex.hpp>
#include "print.h"
class Talk : public poplar::MultiVertex {
  public:
    poplar::Input<float> x;
    bool compute(unsigned worker) {
        printf("x is %.2f, worker %u\n", *x, worker);
        printf("done\n");
        return true;
    }
};
)");
    float x = 2.5F;
    Lines lines;
    VertexState state(library, "Talk");
    state.connect("x", x);
    const Cost cost = state.run(3, nullptr, &lines);
    EXPECT_EQ(lines.text(), "[3]x is 2.50, worker 3\n[3]done\n");
    EXPECT_EQ(state.run(3), cost); // nobody listens
}

TEST(CodeletInstructions, AreThere) {
    const auto library = compile_text(R"codelet(
#include <poplar/Vertex.hpp>
#include <arch/gc_tile_defines.h>
#include <ipu_intrinsics>
#include <ipu_memory_intrinsics>
#include <ipu_vector_math>
#if !defined(__IPU__) || __IPU_ARCH_VERSION__ < 2 || !defined(__POPC__)
#error "not a tile"
#endif
using namespace poplar;
class Use : public Vertex {
  public:
    Input<Vector<float, VectorLayout::ONE_PTR, 8>> in;
    Output<Vector<float>> out;
    Output<Vector<unsigned>> bits;
    [[poplar::constraint("elem(*in) != elem(*out)")]] bool compute() {
        out[0] = __builtin_ipu_max(in[0], in[1]);
        out[1] = __builtin_ipu_min(in[0], in[1]);
        out[2] = __builtin_ipu_exp(0.0f) + __builtin_ipu_ln(1.0f);
        const float2* pairs = reinterpret_cast<const float2*>(&in[0]);
        float2 sum = pairs[0] + ipu::fma(pairs[0], float2{2, 2}, ipu::load_postinc(&pairs, 1));
        out[3] = sum[0] + sum.y;
        half4 h = {half(1), half(2), half(3), half(4)};
        h = h * h;
        out[4] = float(h[3]);
        bits[0] = __builtin_ipu_get(CSR_W_WSR__INDEX) & CSR_W_WSR__CTXTID_M1__MASK;
        bits[1] = __builtin_ipu_clz(1) + __builtin_ipu_popc(0xFF);
        bits[2] = __builtin_ipu_urand32();
        bits[3] = CTXT_WORKERS;
        return true;
    }
};
)codelet");
    std::vector<float> in = {3, 4};
    std::vector<float> out(5);
    std::vector<unsigned> bits(4);
    VertexState state(library, "Use");
    EXPECT_EQ(state.field("in").alignment, 8U);
    state.connect("in", in).connect("out", out).connect("bits", bits).run(2);
    EXPECT_THAT(out, testing::ElementsAre(4, 3, 1, 28, 16));
    EXPECT_EQ(bits[0], 2U);
    EXPECT_EQ(bits[1], 39U);
    EXPECT_EQ(bits[3], 6U);
    // The same random numbers in every run of a worker, others for another worker.
    const unsigned random = bits[2];
    state.run(2);
    EXPECT_EQ(bits[2], random);
    state.run(3);
    EXPECT_NE(bits[2], random);
}

TEST(CodeletThreads, RunAndLoadTogether) {
    const std::string source = R"(
#include <poplar/Vertex.hpp>
class Together : public poplar::Vertex {
  public:
    poplar::Input<poplar::Vector<int>> in;
    poplar::Output<int> out;
    void compute() {
        int sum = 0;
        for (int x : in) sum += x;
        *out = sum;
    }
};
)";
    std::atomic<int> right{0};
    std::vector<const CodeletLibrary*> libraries(4);
    const auto keep = compile_text(source);
    {
        std::vector<std::jthread> threads;
        for (unsigned t = 0; t < 4; ++t) {
            threads.emplace_back([&, t] {
                const auto library = compile_text(source);
                libraries[t] = library.get();
                std::vector<int> in(100 + t, 1);
                VertexState state(library, "Together");
                int out = 0;
                state.connect("in", in).connect("out", out);
                const Cost cost = state.run();
                bool same = true;
                for (int i = 0; i < 1000; ++i) same = same && state.run() == cost;
                if (same && out == static_cast<int>(100 + t)) ++right;
            });
        }
    }
    EXPECT_EQ(right, 4);
    EXPECT_THAT(libraries, testing::Each(keep.get()));
}

} // namespace

} // namespace tropic::tile::test
