// What 64-bit integers cost on a machine of 32 bits, and that sizes and indices, which have 64 bits
// on the host only, do not cost as much.
#include <gtest/gtest.h>

#include "counted_loop.h"

namespace tropic::tile::test {

namespace {

/// A body sees the vectors a of int64_t, b of unsigned long long, n of int and f of float, the
/// index i and the sums w (uint64_t) and t (unsigned).
const std::vector<CountedLoop> loops = {
    // Loads and stores of 64 bits are instructions; brnzdec is one more.
    {"Copy", "a[i] = b[i];", 3},
    {"Add", "a[i] = b[i] + 1;", 3 + 4},
    {"Sum", "w += b[i];", 2 + 4},
    {"Subtract", "a[i] -= b[i];", 4 + 4},
    {"Logic", "a[i] ^= b[i];", 4 + 2},
    {"ShiftByConstant", "a[i] = b[i] << 3;", 3 + 4},
    {"Shift", "a[i] = b[i] << n[i];", 4 + 9},
    {"HighWord", "t += b[i] >> 32;", 2 + 1 + 1},
    {"Multiply", "a[i] = b[i] * b[i];", 3 + 3 + 22},
    {"Divide", "a[i] = b[i] / w;", 3 + 3 + 160},
    {"Compare", "t += b[i] < w;", 2 + 4 + 1},
    {"Minimum", "w = std::min<std::uint64_t>(w, b[i]);", 2 + 4 + 2},
    {"Convert", "f[i] = b[i];", 3 + 3 + 16},
    {"ConvertBack", "a[i] = f[i];", 3 + 3 + 16},
    {"ProductOfWords", "w += std::uint64_t(unsigned(n[i])) * size;", 2 + 1 + 3 + 22 + 4},
    {"Call", "w += twice(b[i]);", 2 + 4 + 3 + 4 + 1},
    // A counter that is stored counts in 32 bits.
    {"StoreIndex", "a[i] = i;", 2 + 1},
    {"Gather", "a[i] = b[n[i]];", 4},
    // Of 32 bits on a tile, of 64 on the host.
    {"SizeAsCounter", "f[i] = 1;", 2, {}, "for (std::size_t i = 0; i < size; ++i)"},
    {"SizeInProduct", "t += n[std::size_t(n[i]) * n[i]];", 2 + 1 + 1 + 1},
};

constexpr LoopFrame frame = {
    .outside = R"(
#include <algorithm>
#include <cstdint>
#include <poplar/Vertex.hpp>
using namespace poplar;
__attribute__((noinline)) std::uint64_t twice(std::uint64_t x) { return x + x; }
)",
    .fields = R"(
    InOut<Vector<std::int64_t>> a;
    Input<Vector<unsigned long long>> b;
    InOut<Vector<int>> n;
    InOut<Vector<float>> f;
    InOut<std::uint64_t> wsum;
    Output<unsigned> tsum;
)",
    .before = "std::uint64_t w = *wsum; unsigned t = 0;\n",
    .after = "*wsum = w; *tsum = t;\n",
};

/// With that many rounds.
Cost cost_of(const std::shared_ptr<CodeletLibrary>& library, std::uint32_t count) {
    std::vector<std::int64_t> a(2 * rounds, 3);
    std::vector<std::uint64_t> b(2 * rounds, 5);
    std::vector<int> n(2 * rounds, 2);
    std::vector<float> f(2 * rounds, 4.0F);
    std::uint64_t w = 7;
    unsigned t = 0;
    VertexState state(library, "Count");
    return state.connect("a", a)
        .connect("b", b)
        .connect("n", n)
        .connect("f", f)
        .connect("wsum", w)
        .connect("tsum", t)
        .set("size", count)
        .run();
}

class WideCounts : public ::testing::TestWithParam<CountedLoop> {};

TEST_P(WideCounts, AreThoseOfTheTable) {
    const auto library = compile_text(source_of(frame, GetParam()));
    expect_counts(GetParam(), [&](std::uint32_t count) { return cost_of(library, count); });
}

INSTANTIATE_TEST_SUITE_P(Codelets, WideCounts, ::testing::ValuesIn(loops), name_of);

} // namespace

} // namespace tropic::tile::test
