// Pushing gives what pulling gives, also where values cannot be gathered by several threads at
// once, and the same on any number of threads.
#include <gtest/gtest.h>

#include "tropic/algorithm.h"
#include "tropic/generate.h"

namespace tropic {
namespace {

struct Case {
    const char* name;
    const char* statement; ///< makes y from x and front; WAY stands for a direction
    const char* type;
};

const std::vector<Case> cases = {
    {"sum_of_reals", "y[j]<level[j] < 9WAY> += sum[i](x[i] : front[i] & A[i, j]);", "double"},
    {"sum_that_changes",
     "y[j]<level[j] < 9WAY> += sum[i](x[i] : front[i] & A[i, j]) -> front; y[j]<front> += 0.5;",
     "double"},
    {"lanes", "y[j]<level[j] < 9WAY> += sum[i](x[i] : front[i] & A[i, j]);", "double[4]"},
    {"least_lanes", "y[j]<level[j] < 9WAY> min= min[i](x[i] : front[i] & A[i, j]);", "double[4]"},
};

class AlgorithmPush : public testing::TestWithParam<Case> {};

AlgorithmResult run(const std::string& way, const PreparedGraph& graph, int threads) {
    std::string statement = AlgorithmPush::GetParam().statement;
    statement.replace(statement.find("WAY"), 3, way);
    const std::string type = AlgorithmPush::GetParam().type;
    const std::string text = "def f(A: graph) -> y: vector<" + type + "> {\nx: vector<" + type +
                             ">;\nlevel: vector<int>;\nx[i] = 0.1 * i;\ny[i] = 3;\n"
                             "level[i] = i % 10;\nfront = {i : i % 1000 == 7};\n" +
                             statement + "\n}\n";
    const Algorithm algorithm = Algorithm::from_text(text, {.cache = false});
    return algorithm.run({{"A", graph}}, Context({.threads = threads}));
}

TEST_P(AlgorithmPush, GivesWhatPullingGives) {
    const PreparedGraph graph(generate("urand:13,4"));
    const AlgorithmResult pulled = run(", pull", graph, 1);
    const AlgorithmResult chosen = run("", graph, 1);
    const AlgorithmResult again = run("", graph, 2);
    const auto a = pulled.values<double>("y");
    const auto b = chosen.values<double>("y");
    const auto c = again.values<double>("y");
    ASSERT_EQ(a.size(), b.size());
    std::size_t changed = 0;
    for (std::size_t at = 0; at < a.size(); ++at) {
        EXPECT_NEAR(a[at], b[at], 1e-9);
        EXPECT_EQ(b[at], c[at]);
        changed += b[at] != 3 ? 1 : 0;
    }
    EXPECT_GT(changed, 10u);
}

// What any value is made of, or asks, must not be what another has left there. Of eight vertices
// with edges to all others, four are the front.
TEST(AlgorithmPushOfAny, IsDoneOnceForEachElement) {
    struct Once {
        const char* statement;
        std::vector<std::int32_t> expected;
    };
    const std::vector<Once> all = {
        {"y[j] = any[i](y[j] + 1 : front[i] && A[i, j]);", {2, 2, 2, 2, 2, 2, 2, 2}},
        {"y[j]<y[j] < 4> = any[i](y[j] + 1 : front[i] && A[i, j]);", {2, 2, 2, 2, 2, 2, 2, 2}},
        {"y[j]<front> = any[i](-y[j] : front[i] && A[i, j]);", {-1, -1, -1, -1, 1, 1, 1, 1}},
        {"y[j] any= any[i](7 * y[j] : front[i] && A[i, j]);", {7, 7, 7, 7, 7, 7, 7, 7}},
        // The first that meets the condition is vertex 2, the others meet what it puts there.
        {"y[j]<j > 3> = any[i](10 * i : front[i] && A[i, j] && i < 3 && 3 * y[j] <= 2 * i);",
         {1, 1, 1, 1, 20, 20, 20, 20}},
    };
    const PreparedGraph graph(generate("complete:8"));
    for (const Once& once : all) {
        const Algorithm algorithm = Algorithm::from_text(
            std::string("def f(A: graph) -> y: vector<int> {\ny[i] = 1;\nfront = {i : i < 4};\n") +
                once.statement + "\n}\n",
            {.cache = false});
        for (const int threads : {1, 2}) {
            const AlgorithmResult result =
                algorithm.run({{"A", graph}}, Context({.threads = threads}));
            const auto y = result.values<std::int32_t>("y");
            EXPECT_EQ(std::vector(y.begin(), y.end()), once.expected) << once.statement;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Values, AlgorithmPush, testing::ValuesIn(cases),
                         [](const auto& one) { return std::string(one.param.name); });

} // namespace
} // namespace tropic
