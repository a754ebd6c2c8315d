// Keys of buckets that are pulled are those that pushing gives: shortest paths by buckets against
// Bellman and Ford's, for the graphs that can be pulled and those that cannot.
#include <algorithm>
#include <cstring>

#include <gtest/gtest.h>

#include "tropic/algorithm.h"
#include "tropic/generate.h"

namespace tropic {
namespace {

constexpr const char* text = R"(
def by_buckets(A: graph<TYPE>, source: vertex, width: TYPE) -> dist: vector<TYPE> {
    dist[i] = infinity;
    dist[source] = 0;
    for i in buckets(dist, width, {source}) {
        for j, w in A[i] {
            dist[j] min= SUM;
        }
    }
}
def by_rounds(A: graph<TYPE>, source: vertex) -> dist: vector<TYPE> {
    dist[i] = infinity;
    dist[source] = 0;
    front = {source};
    while (front) dist[j] min= min[i](dist[i] + A[i, j] : front[i]) -> front;
}
)";

struct Form {
    const char* name;
    const char* type;
    const char* sum;
    bool wide;
    bool pulls; ///< where the graph can be
};

const std::vector<Form> forms = {
    {"narrow", "int", "dist[i] + w", false, true},
    {"mirrored_sum", "int", "w + dist[i]", false, true},
    {"wide_keys", "int64", "dist[i] + w", false, true},
    {"wide_indices", "int", "dist[i] + w", true, true},
    {"all_wide", "int64", "dist[i] + w", true, true},
    {"reals", "double", "dist[i] + w", false, false},
    {"other_sum", "int", "dist[i] + (w + 0 * i)", false, false},
};

std::string replaced(std::string where, const std::string& what, const std::string& by) {
    for (std::size_t at = 0; (at = where.find(what, at)) != std::string::npos; at += by.size()) {
        where.replace(at, what.size(), by);
    }
    return where;
}

class AlgorithmPull : public testing::TestWithParam<Form> {
  protected:
    static Algorithm algorithm(const char* function) {
        const Form& form = GetParam();
        AlgorithmOptions options;
        options.function = function;
        options.wide = form.wide;
        return Algorithm::from_text(replaced(replaced(text, "TYPE", form.type), "SUM", form.sum),
                                    options);
    }
    static AlgorithmResult run(const Algorithm& algorithm, const PreparedGraph& graph) {
        AlgorithmRunOptions options;
        options.record_rounds = true;
        return algorithm.run(Arguments{{"A", graph}}.set("source", 0).set("width", 8),
                             Context({.threads = 1}), options);
    }
};

bool same(const Tensor& a, const Tensor& b) {
    return a.type() == b.type() && a.values().bytes() == b.values().bytes() &&
           std::memcmp(a.values().data(), b.values().data(), a.values().bytes()) == 0;
}

bool has_pulled(const AlgorithmResult& result) {
    return std::ranges::any_of(result.rounds, &AlgorithmRound::pull);
}

TEST_P(AlgorithmPull, GivesShortestPaths) {
    const Algorithm by_buckets = algorithm("by_buckets");
    const Algorithm by_rounds = algorithm("by_rounds");
    bool pulled = false;
    for (const char* const expression :
         {"kron:12,weights=1..255", "kron:11,weights=0..3", "urand:12,weights=1..255",
          "urand:11,40,weights=7..9", "complete:300,weights=1..255", "kron:12,raw,weights=1..99",
          "urand:12,weights=100000..900000"}) {
        const PreparedGraph graph(generate(expression));
        graph.is_symmetric();
        for (const int width : {1, 8, 100}) {
            for (const Index source : {0, 5}) {
                const Context one({.threads = 1});
                const auto wanted =
                    by_rounds.run(Arguments{{"A", graph}}.set("source", source), one)
                        .tensor("dist");
                for (const int threads : {1, 2}) {
                    AlgorithmRunOptions options;
                    options.record_rounds = true;
                    const AlgorithmResult result = by_buckets.run(
                        Arguments{{"A", graph}}.set("source", source).set("width", width),
                        Context({.threads = threads}), options);
                    pulled |= has_pulled(result);
                    ASSERT_TRUE(same(result.tensor("dist"), wanted))
                        << expression << " by " << width << " from " << source;
                }
            }
        }
    }
    EXPECT_EQ(pulled, GetParam().pulls);
}

TEST_P(AlgorithmPull, IsNotForGraphsThatAreNoMirrorsOfThemselves) {
    const Algorithm by_buckets = algorithm("by_buckets");
    const Algorithm by_rounds = algorithm("by_rounds");
    const PreparedGraph graph(generate("urand:12,directed,weights=1..255"));
    EXPECT_FALSE(graph.is_symmetric());
    const AlgorithmResult result = run(by_buckets, graph);
    EXPECT_FALSE(has_pulled(result));
    const auto wanted = by_rounds.run(Arguments{{"A", graph}}.set("source", 0)).tensor("dist");
    EXPECT_TRUE(same(result.tensor("dist"), wanted));
}

// To find out that a graph is its own mirror takes longer than one search.
TEST_P(AlgorithmPull, BeginsWithTheSecondSearch) {
    const Algorithm by_buckets = algorithm("by_buckets");
    const PreparedGraph graph(generate("kron:12,weights=1..255"));
    const AlgorithmResult first = run(by_buckets, graph);
    EXPECT_FALSE(has_pulled(first));
    const AlgorithmResult second = run(by_buckets, graph);
    EXPECT_EQ(has_pulled(second), GetParam().pulls);
    EXPECT_TRUE(same(first.tensor("dist"), second.tensor("dist")));
}

INSTANTIATE_TEST_SUITE_P(Sums, AlgorithmPull, testing::ValuesIn(forms),
                         [](const auto& one) { return std::string(one.param.name); });

} // namespace
} // namespace tropic
