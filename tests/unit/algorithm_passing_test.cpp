// Loops over those of a range who pass a test: few or many of them, on both sides of every boundary
// at which vertices are tested together.
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tropic/algorithm.h"
#include "tropic/generate.h"
#include "vectors.h"

namespace tropic {
namespace {

/// Numbers of 0..999 that tell who passes.
std::vector<std::int32_t> keys_of(std::int64_t vertices) {
    std::vector<std::int32_t> keys;
    for (std::int64_t v = 0; v < vertices; ++v) {
        keys.push_back(static_cast<std::int32_t>(v * v % 1000));
    }
    return keys;
}

// Who passes adds up the numbers of its neighbours, each one more: by a number of its own, by not
// being in a set, by being in one.
constexpr const char* texts[] = {
    "def f(A: graph, key: vector<int>, limit: int) -> y: vector<int64> {\n"
    "y[i]<key[i] < limit> = sum[j](1 + j : A[i, j]);\n}\n",
    "def f(A: graph, key: vector<int>, limit: int) -> y: vector<int64> {\n"
    "others = {i : key[i] >= limit};\ny[i]<!others[i]> = sum[j](1 + j : A[i, j]);\n}\n",
    "def f(A: graph, key: vector<int>, limit: int) -> y: vector<int64> {\n"
    "chosen = {i : key[i] < limit};\ny[i]<chosen[i] & key[i] >= 0> = sum[j](1 + j : A[i, j]);\n}\n",
};

class AlgorithmPassing : public testing::TestWithParam<std::int64_t> {};

TEST_P(AlgorithmPassing, TakesThoseAndNobodyElse) {
    const std::int64_t n = GetParam();
    const PreparedGraph graph(generate("ring:" + std::to_string(n)));
    const std::vector<std::int32_t> keys = keys_of(n);
    for (const char* const text : texts) {
        const Algorithm algorithm = Algorithm::from_text(text, {.cache = false});
        for (const std::int64_t limit : {0, 1, 3, 30, 300, 990, 1000}) {
            for (const int threads : {1, 3}) {
                const AlgorithmResult result =
                    algorithm.run({{"A", graph}, {"key", vector_of(keys)}, {"limit", limit}},
                                  Context({.threads = threads}));
                const auto y = result.values<std::int64_t>("y");
                for (std::int64_t v = 0; v < n; ++v) {
                    const auto at = static_cast<std::size_t>(v);
                    const std::int64_t sum = 2 + (v + 1) % n + (v + n - 1) % n;
                    ASSERT_EQ(y[at], keys[at] < limit ? sum : 0)
                        << text << "vertex " << v << ", limit " << limit << ", threads " << threads;
                }
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Sizes, AlgorithmPassing,
                         testing::Values(3, 15, 16, 17, 63, 64, 65, 1023, 1024, 1025, 2047, 2048,
                                         2113, 40'000));

// A fold inside may be over the neighbours of somebody else: that graph may have fewer vertices
// than there are numbers.
TEST(AlgorithmPassing, AsksForRowsOfItsOwnVerticesAlone) {
    for (const char* const condition : {"!s[c]", "s[c]", "x[c] == 0"}) {
        const Algorithm algorithm = Algorithm::from_text(
            std::string("def f(B: graph, n: int) -> t: int64 {\nx: vector<int, n>;\ns: set<n>;\n"
                        "insert(s, n - 3);\nx[n - 1] = 1;\n"
                        "t = sum[c](sum[j](int64(1 + x[c]) : B[0, j] & j != x[c]) : ") +
                condition + ");\n}\n",
            {.cache = false});
        const PreparedGraph graph(generate("complete:3"));
        for (const std::int64_t n : {3, 1'000'000}) {
            const AlgorithmResult result =
                algorithm.run({{"B", graph}, {"n", n}}, Context({.threads = 1}));
            // Two neighbours each; of the last number, whose x is 1, one that counts twice.
            const bool all_but_one = condition[0] != 's';
            EXPECT_EQ(result.integers.at("t"), all_but_one ? 2 * (n - 1) : 2)
                << condition << ", " << n;
        }
    }
}

} // namespace
} // namespace tropic
