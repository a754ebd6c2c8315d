// How many issue slots code takes: a table of small codelets, and that a count is always the same.
#include <filesystem>

#include <gtest/gtest.h>

#include "counted_loop.h"
#include "temporary_folder.h"

namespace tropic::tile::test {

namespace {

/// A body sees the vectors f and g of float, n and m of int, b of bytes, h of half, the index i and
/// the sums s (float) and t (int).
const std::vector<CountedLoop> loops = {
    // Counted loops: brnzdec is one slot, which an auxiliary instruction can share. Rounds overlap
    // where nothing is written: the busier pipe counts, and what is left of the last round once.
    {"Nothing", "", 0, 5},
    {"AddIntegers", "t += n[i];", 3, 10},
    {"AddFloats", "s += f[i];", 2, 10},
    {"MultiplyAdd", "s += f[i] * g[i];", 3, 12},
    {"IndirectMultiplyAdd", "s += f[n[i]] * g[i];", 4, 13},
    {"Copy", "g[i] = f[i];", 3, 11},
    {"Scale", "g[i] = f[i] * 2.0f;", 4, 11},
    // A byte may be part of anything: the compiler reads the fields again each round.
    {"StoreByte", "b[i] = 1;", 9, 8},
    {"Divide", "t += n[i] / m[0];", 43, 12},
    {"DivideFloats", "s += f[i] / g[i];", 6, 13},
    {"Compare", "if (n[i] > 3) t += 1;", 4, 10},
    {"CompareFloats", "if (f[i] > 3) t += 1;", 4, 11},
    {"Convert", "s += n[i];", 2, 11},
    {"ConvertBack", "t += int(f[i]);", 4, 12},
    {"SquareRoot", "s += std::sqrt(f[i]);", 6, 11},
    {"Exponential", "s += std::exp(f[i]);", 17, 10},
    {"Call", "t += twice(n[i]);", 8, 10},
    {"Halves", "h[i] = h[i] + half(1);", 6, 10},
    {"Minimum", "t = std::min(t, n[i]);", 3, 10},
    // Repeated loops: the hardware counts.
    {"RepeatedIntegers", "t += n[i];", 2, 10, "for (rptsize_t i = 0; i < size; ++i)"},
    {"RepeatedCall", "", 2, 9, "poplar::rpt(size, [&](unsigned i) { t += n[i]; });"},
    {"Repeated", "s += f[i];", 1, 11, "for (rptsize_t i = 0; i < size; ++i)"},
    {"RepeatedConstant", "s += f[i];", 0, 21, "for (int i = 0; i < 12; ++i)"},
    {"RepeatedWithCall", "t += twice(n[i]);", 8, 10, "for (rptsize_t i = 0; i < size; ++i)"},
    {"RepeatedWithBranch", "if (n[i] > 3) g[i] = 1;", 4, 11,
     "for (rptsize_t i = 0; i < size; ++i)"},
    // Loops that end when something is found.
    {"Search", "if (n[i] == -1) break; ++t;", 5, 9},
    {"While", "t += n[i]; ++i;", 5, 9, "for (unsigned i = 0; n[i] != -1;)"},
};

constexpr LoopFrame frame = {
    .outside = R"(
#include <algorithm>
#include <cmath>
#include <poplar/Loops.hpp>
#include <poplar/Vertex.hpp>
using namespace poplar;
__attribute__((noinline)) int twice(int x) { return x + x; }
)",
    .fields = R"(
    InOut<Vector<float>> f;
    InOut<Vector<float>> g;
    Input<Vector<int>> n;
    Input<Vector<int>> m;
    Output<Vector<char>> b;
    InOut<Vector<half>> h;
    Output<float> fsum;
    Output<int> isum;
)",
    .before = "float s = 0; int t = 0;\n",
    .after = "*fsum = s; *isum = t;\n",
};

struct Data {
    std::vector<float> f = std::vector<float>(2 * rounds + 1, 4.0F);
    std::vector<float> g = f;
    std::vector<int> n = std::vector<int>(2 * rounds + 1, 2);
    std::vector<int> m = n;
    std::vector<std::int8_t> b = std::vector<std::int8_t>(2 * rounds + 1);
    std::vector<std::uint16_t> h = std::vector<std::uint16_t>(2 * rounds + 1);
    float s = 0;
    int t = 0;
};

/// With that many rounds.
Cost cost_of(const std::shared_ptr<CodeletLibrary>& library, std::uint32_t count) {
    Data data;
    data.n[count] = -1;
    VertexState state(library, "Count");
    return state.connect("f", data.f)
        .connect("g", data.g)
        .connect("n", data.n)
        .connect("m", data.m)
        .connect("b", data.b)
        .connect("h", data.h)
        .connect("fsum", data.s)
        .connect("isum", data.t)
        .set("size", count)
        .run();
}

class CodeletCounts : public ::testing::TestWithParam<CountedLoop> {};

TEST_P(CodeletCounts, AreThoseOfTheTable) {
    const std::string source = source_of(frame, GetParam());
    const auto library = compile_text(source);
    const Cost once =
        expect_counts(GetParam(), [&](std::uint32_t count) { return cost_of(library, count); });
    // Watching the code does not change what it costs.
    EXPECT_EQ(cost_of(compile_text(source, true), rounds), once);
}

INSTANTIATE_TEST_SUITE_P(Codelets, CodeletCounts, ::testing::ValuesIn(loops), name_of);

/// Sets a variable of the environment for a while.
class Environment {
  public:
    Environment(const char* name, const std::string& value) : name_(name) {
        if (const char* const before = std::getenv(name)) before_ = before;
        setenv(name, value.c_str(), 1);
    }
    ~Environment() {
        if (before_.empty()) {
            unsetenv(name_);
        } else {
            setenv(name_, before_.c_str(), 1);
        }
    }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

  private:
    const char* name_;
    std::string before_;
};

TEST(CodeletCountsAgain, AreTheSameWhenCompiledAgain) {
    const std::string source = source_of(frame, loops[4]);
    const Cost before = cost_of(compile_text(source), rounds);
    for (int i = 0; i < 2; ++i) {
        const tropic::test::TemporaryFolder folder;
        const Environment cold("TROPIC_CACHE_DIR", folder.file("cache"));
        EXPECT_EQ(cost_of(compile_text(source), rounds), before);
        EXPECT_FALSE(std::filesystem::is_empty(folder.file("cache")));
    }
}

TEST(CodeletCountsAgain, FollowTheProgramsFlags) {
    CodeletOptions options;
    options.source = source_of(frame, loops[4]);
    const auto cost_with = [&](std::vector<std::string> flags) {
        options.flags = std::move(flags);
        return cost_of(load_codelets(options), rounds);
    };
    const Cost usual = cost_with({});
    EXPECT_EQ(cost_with({"-O3"}), usual);
    EXPECT_EQ(cost_with({"-O2", "--target=ipu2", "-std=c++20", "-g"}), usual);
    EXPECT_GT(cost_with({"-O0"}), 2 * usual);
}

TEST(CodeletCountsAgain, FollowTheTableOfTheEnvironment) {
    const tropic::test::TemporaryFolder folder;
    const std::string source = source_of(frame, loops[2]);
    const Cost before = cost_of(compile_text(source), rounds);
    std::ifstream in(std::string(TROPIC_CODELET_TEST_DIR) +
                     "/../../../src/machines/tile/codelets/instruction_costs.tsv");
    std::string table{std::istreambuf_iterator<char>(in), {}};
    const auto at = table.find("\nfloat_add\taux\t1");
    ASSERT_NE(at, std::string::npos);
    table.replace(at, 16, "\nfloat_add\taux\t4");
    const Environment other("TROPIC_INSTRUCTION_COSTS", folder.write("costs.tsv", table));
    // The addition now takes longer than the load and brnzdec, and one slot of the last round is
    // left over.
    EXPECT_EQ(cost_of(compile_text(source), rounds), before + 2 * rounds + 1);
}

} // namespace

} // namespace tropic::tile::test
