// Functions and members that end early leave what was assigned before, also where what comes later
// would have overwritten it; and edges of a fixed row that are there more than once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "temporary_folder.h"
#include "tropic/algorithm.h"

namespace tropic {
namespace {

using testing::ElementsAre;

class AlgorithmReturns : public testing::TestWithParam<bool> {
  protected:
    static std::vector<std::int32_t> run(const std::string& body) {
        const Algorithm algorithm =
            Algorithm::from_text("def f(A: graph) -> x: vector<int> {" + body + "}",
                                 {.optimise = GetParam(), .cache = false});
        const AlgorithmResult result = algorithm.run({{"A", "path:4"}}, Context({.threads = 2}));
        const auto values = result.values<std::int32_t>("x");
        return {values.begin(), values.end()};
    }
};

TEST_P(AlgorithmReturns, KeepWhatAFunctionAssignedBefore) {
    EXPECT_THAT(run("x[i] = 7; if (size(A) > 2) return; x[i] = 1;"), ElementsAre(7, 7, 7, 7));
    EXPECT_THAT(run("k = 0; while (true) { k += 1; x[i] = 5; if (k > 3) return; x[i] = 6; }"),
                ElementsAre(5, 5, 5, 5));
    EXPECT_THAT(run("x[i] = 7; y = x; if (size(A) > 2) { y[i] = 3; return; } x[i] = 1;"),
                ElementsAre(7, 7, 7, 7));
}

TEST_P(AlgorithmReturns, KeepWhatMembersHadBefore) {
    EXPECT_THAT(run("x[i] = -4; each i in vertices(A) { if (i == 1) return; x[i] = int(i); }"),
                ElementsAre(0, -4, 2, 3));
    EXPECT_THAT(run("x[i] = 7; each i in vertices(A) {"
                    "if (i % 2 == 0) { x[i] = 2; return; } if (i == 3) return; x[i] = 1; }"),
                ElementsAre(2, 1, 2, 7));
    EXPECT_THAT(run("x[i] = 7; each i in vertices(A) {"
                    "for j in A[i] { if (j == 0) return; } x[i] = 1; }"),
                ElementsAre(1, 7, 1, 1));
}

TEST_P(AlgorithmReturns, LeaveTheLoopsOfACalledFunction) {
    const auto called = [](const std::string& function, const std::string& body) {
        const Algorithm algorithm =
            Algorithm::from_text(function + "def f(A: graph) -> x: vector<int> {" + body + "}",
                                 {.function = "f", .optimise = GetParam(), .cache = false});
        const AlgorithmResult result = algorithm.run({{"A", "path:4"}}, Context({.threads = 2}));
        const auto values = result.values<std::int32_t>("x");
        return std::vector<std::int32_t>(values.begin(), values.end());
    };
    // The first number of two digits whose product is more than n, and how many were tried.
    const std::string search = "def search(n: int64) -> k: int, tried: int {"
                               "for i in range(0, 10) { j = 0; while (j < 10) { tried += 1;"
                               "if (i * j > n) { k = 10 * i + j; return; } j += 1; }"
                               "if (i == 8) return; } k = -1; }";
    EXPECT_THAT(called(search, "k, t = search(20); l, u = search(1000);"
                               "x[i] = i == 0 ? k : i == 1 ? t : i == 2 ? l : u;"),
                ElementsAre(37, 38, 0, 90));
    EXPECT_THAT(called(search, "each i in vertices(A) { k, t = search(i * 10); x[i] = k + t; }"),
                ElementsAre(11 + 12, 26 + 27, 37 + 38, 48 + 49));
}

INSTANTIATE_TEST_SUITE_P(Optimised, AlgorithmReturns, testing::Bool());

TEST(AlgorithmRepeatedEdges, EachCountInAFixedRowAndColumn) {
    const test::TemporaryFolder folder;
    const std::string file = folder.write("twice.wel", "0 1 5\n0 1 4\n2 1 3\n");
    const Algorithm algorithm = Algorithm::from_text(R"(
        def f(A: graph<int>, s: vertex, t: vertex) -> n: vector<int64, 5> {
            n[0] = sum[j](A[s, j]);
            n[1] = min[j](A[s, j]);
            n[2] = sum[i](A[i, t]);
            n[3] = count[j](A[s, j]);
            n[4] = sum[j](A[0, j]);
        })",
                                                     {.cache = false});
    const AlgorithmResult result = algorithm.run({{"A", file}, {"s", 0}, {"t", 1}}, {});
    EXPECT_THAT(result.values<std::int64_t>("n"), ElementsAre(9, 4, 12, 2, 9));
}

} // namespace
} // namespace tropic
