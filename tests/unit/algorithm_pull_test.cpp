// Keys of buckets that are pulled are those that pushing gives: shortest paths by buckets against
// Bellman and Ford's, for the graphs that can be pulled and those that cannot.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tropic/algorithm.h"
#include "tropic/generate.h"

namespace tropic {
namespace {

constexpr const char* text = R"(
def by_buckets(A: graph<VALUE>, source: vertex, width: TYPE) -> dist: vector<TYPE> {
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
    bool pulls;             ///< where the graph can be
    const char* value = ""; ///< the type of edge values, if it is another one
    int largest = 900000;   ///< that it has room for
};

const std::vector<Form> forms = {
    {"narrow", "int", "dist[i] + w", false, true},
    {"mirrored_sum", "int", "w + dist[i]", false, true},
    {"wide_keys", "int64", "dist[i] + w", false, true},
    {"wide_indices", "int", "dist[i] + w", true, true},
    {"all_wide", "int64", "dist[i] + w", true, true},
    {"reals", "double", "dist[i] + w", false, false},
    {"other_sum", "int", "dist[i] + (w + 0 * i)", false, false},
    {"bytes", "int", "dist[i] + w", false, true, "uint8", 255},
    {"bytes_mirrored", "int", "w + dist[i]", false, true, "uint8", 255},
    {"signed_bytes", "int", "dist[i] + w", false, true, "int8", 127},
    {"half_words", "int", "dist[i] + w", false, true, "int16", 255},
    {"unsigned_half_words", "int64", "dist[i] + w", false, true, "uint16", 255},
    {"bytes_wide_keys", "int64", "dist[i] + w", false, true, "uint8", 255},
    {"bytes_wide_indices", "int", "dist[i] + w", true, true, "uint8", 255},
    {"bytes_all_wide", "int64", "dist[i] + w", true, true, "uint8", 255},
    {"words_wide_keys", "int64", "dist[i] + w", false, true, "int"},
    {"bytes_to_reals", "double", "dist[i] + w", false, false, "uint8", 255},
    {"reals_to_integers", "int", "dist[i] + int(w)", false, false, "float"},
};

std::string replaced(std::string where, const std::string& what, const std::string& by) {
    for (std::size_t at = 0; (at = where.find(what, at)) != std::string::npos; at += by.size()) {
        where.replace(at, what.size(), by);
    }
    return where;
}

class AlgorithmPullOf : public testing::TestWithParam<Form> {
  protected:
    static Algorithm algorithm(const char* function) {
        const Form& form = GetParam();
        AlgorithmOptions options;
        options.function = function;
        options.wide = form.wide;
        const std::string value = *form.value == '\0' ? form.type : form.value;
        const std::string typed = replaced(replaced(text, "TYPE", form.type), "VALUE", value);
        return Algorithm::from_text(replaced(typed, "SUM", form.sum), options);
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

/// Pulling packs vectors.
bool can_pull() {
    const char* const named = std::getenv("TROPIC_PROCESSOR");
    if (named != nullptr && *named != '\0') return std::string_view(named) == "x86-64-v4";
#ifdef __x86_64__
    return __builtin_cpu_supports("avx512f") != 0;
#else
    return false;
#endif
}

bool has_pulled(const AlgorithmResult& result) {
    return std::ranges::any_of(result.rounds, &AlgorithmRound::pull);
}

TEST_P(AlgorithmPullOf, GivesShortestPaths) {
    const Algorithm by_buckets = algorithm("by_buckets");
    const Algorithm by_rounds = algorithm("by_rounds");
    bool pulled = false;
    struct Weighted {
        const char* graph;
        int least;
        int largest;
    };
    for (const Weighted& weighted :
         {Weighted{"kron:12", 1, 255}, Weighted{"kron:11", 0, 3}, Weighted{"urand:12", 1, 255},
          Weighted{"urand:12", 1, 127}, Weighted{"urand:11,40", 7, 9},
          Weighted{"complete:300", 1, 255}, Weighted{"kron:12,raw", 1, 99},
          Weighted{"urand:12", 100000, 900000}}) {
        if (weighted.largest > GetParam().largest) continue;
        const std::string expression =
            fmt::format("{},weights={}..{}", weighted.graph, weighted.least, weighted.largest);
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
    EXPECT_EQ(pulled, GetParam().pulls && can_pull());
}

TEST_P(AlgorithmPullOf, IsNotForGraphsThatAreNoMirrorsOfThemselves) {
    const Algorithm by_buckets = algorithm("by_buckets");
    const Algorithm by_rounds = algorithm("by_rounds");
    const PreparedGraph graph(generate("urand:12,directed,weights=1..127"));
    EXPECT_FALSE(graph.is_symmetric());
    const AlgorithmResult result = run(by_buckets, graph);
    EXPECT_FALSE(has_pulled(result));
    const auto wanted = by_rounds.run(Arguments{{"A", graph}}.set("source", 0)).tensor("dist");
    EXPECT_TRUE(same(result.tensor("dist"), wanted));
}

// To find out that a graph is its own mirror takes longer than one search.
TEST_P(AlgorithmPullOf, BeginsWithTheSecondSearch) {
    const Algorithm by_buckets = algorithm("by_buckets");
    const PreparedGraph graph(generate("kron:12,weights=1..127"));
    const AlgorithmResult first = run(by_buckets, graph);
    EXPECT_FALSE(has_pulled(first));
    const AlgorithmResult second = run(by_buckets, graph);
    EXPECT_EQ(has_pulled(second), GetParam().pulls && can_pull());
    EXPECT_TRUE(same(first.tensor("dist"), second.tensor("dist")));
}

INSTANTIATE_TEST_SUITE_P(Sums, AlgorithmPullOf, testing::ValuesIn(forms),
                         [](const auto& one) { return std::string(one.param.name); });

/// Several searches of one run, and how often they differ from the first one, which nobody pulls
/// in.
constexpr const char* searches = R"(
def search(A: graph<TYPE>, scale: TYPE, other: TYPE, width: TYPE) -> different: int64 {
    B[i, j] = A[i, j] * scale;
    first: vector<TYPE>;
    for k in range(4) {
        d: vector<TYPE>;
        d[i] = infinity;
        d[0] = 0;
        d[5] = other;
        for i in buckets(d, width, {0}) {
            for j, w in B[i] d[j] min= d[i] + w;
        }
        if (k == 0) first[i] = d[i];
        different += count[i](d[i] != first[i]);
    }
}
)";

struct Searches {
    const char* type = "int";
    std::int64_t scale = 1;
    std::int64_t other; ///< the key of a vertex that does not wait
    std::int64_t width = 1;
};

AlgorithmResult search(const PreparedGraph& graph, const Searches& given) {
    AlgorithmRunOptions options;
    options.record_rounds = true;
    return Algorithm::from_text(replaced(searches, "TYPE", given.type))
        .run(Arguments{{"A", graph}}
                 .set("scale", given.scale)
                 .set("other", given.other)
                 .set("width", given.width),
             Context({.threads = 1}), options);
}

constexpr std::int64_t far = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t farthest = std::numeric_limits<std::int64_t>::max();

// Whoever has a key and does not wait passes it on to nobody, also a key below all others.
TEST(AlgorithmPull, TakesNoKeyFromThoseWhoDoNotWait) {
    for (const char* const expression :
         {"urand:12,weights=1..255", "complete:300,weights=1..255"}) {
        const PreparedGraph graph(generate(expression));
        EXPECT_EQ(has_pulled(search(graph, {.other = far, .width = 8})), can_pull());
        for (const std::int64_t key : {-1, -50, -1'000'000, 1, 2'000'000'000}) {
            for (const std::int64_t width : {1, 8}) {
                const AlgorithmResult result = search(graph, {.other = key, .width = width});
                EXPECT_EQ(result.integers.at("different"), 0)
                    << expression << " with " << key << " by " << width;
            }
        }
    }
}

TEST(AlgorithmPull, KnowsBucketsFarAway) {
    const PreparedGraph graph(generate("urand:12,64,weights=1..2"));
    for (const std::int64_t scale : {std::int64_t{1}, std::int64_t{1'100'000'000'000'000}}) {
        const AlgorithmResult result =
            search(graph, {.type = "int64", .scale = scale, .other = farthest});
        EXPECT_EQ(has_pulled(result), can_pull()) << scale;
        EXPECT_EQ(result.integers.at("different"), 0) << scale;
    }
}

// Sums that do not fit are the same in every search, whatever they are.
TEST(AlgorithmPull, IsNotForSumsThatMayOverflow) {
    const PreparedGraph graph(generate("complete:300,weights=2000000000..2147483647"));
    const AlgorithmResult result = search(graph, {.other = far, .width = 100'000'000});
    EXPECT_FALSE(has_pulled(result));
    EXPECT_EQ(result.integers.at("different"), 0);
}

// What a loop over few vertices has found leaves room for one over many.
TEST(AlgorithmPull, LoopsOverDifferentSpacesFollowEachOther) {
    constexpr const char* program = R"(
def search(A: graph<int>, B: graph<int>) -> small: int64, large: int64 {
    d: vector<int>;
    d[i] = infinity;
    d[0] = 0;
    for i in buckets(d, 1, {0}) { for j, w in A[i] d[j] min= d[i] + w; }
    small = count[i](d[i] < infinity);
    y: vector<int, columns(B)>;
    C: graph<int, columns(B), columns(B)>;
    C[i, j] = int(B[k, i] @(+, *) B[k, j]);
    q: set<columns(B)>;
    y[i] = infinity;
    y[55] = 0;
    insert(q, 55);
    for i in buckets(y, 1, q) { for j, w in C[i] y[j] min= y[i] + w; }
    large = count[i](y[i] < infinity);
}
)";
    const PreparedGraph small(generate("complete:100,weights=1..9"));
    // 110 vertices fit where 100 and the room behind them lay, without any behind.
    for (const int columns : {60, 3000}) {
        const PreparedGraph large(
            generate("bipartite:50x" + std::to_string(columns) + ",0.2,directed,weights=1..9"));
        const AlgorithmResult result = Algorithm::from_text(program).run(
            {{"A", small}, {"B", large}}, Context({.threads = 1}));
        EXPECT_EQ(result.integers.at("small"), 100);
        EXPECT_EQ(result.integers.at("large"), columns);
    }
}

} // namespace
} // namespace tropic
