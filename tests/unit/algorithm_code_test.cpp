// Compiled algorithms compute what they say: every kind of value, loop and change, on one thread
// and on two, with narrow and with wide indices.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/generators/random.h"
#include "tropic/algorithm.h"
#include "tropic/error.h"
#include "tropic/generate.h"

namespace tropic {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct How {
    int threads;
    bool wide;
};

class AlgorithmCode : public testing::TestWithParam<How> {
  protected:
    AlgorithmResult run(const std::string& text, const Arguments& arguments = {}) const {
        const Algorithm algorithm =
            Algorithm::from_text(text, {.wide = GetParam().wide, .cache = false});
        return algorithm.run(arguments, Context({.threads = GetParam().threads}));
    }

    std::string failure(const std::string& text, const Arguments& arguments = {}) const {
        try {
            run(text, arguments);
        } catch (const Error& error) {
            return error.what();
        }
        return "nothing failed";
    }

    /// Elements of vertices, of whichever width.
    static std::vector<std::int64_t> vertices(const AlgorithmResult& result,
                                              const std::string& name) {
        std::vector<std::int64_t> all;
        if (GetParam().wide) {
            const auto found = result.values<std::int64_t>(name);
            all.assign(found.begin(), found.end());
        } else {
            const auto found = result.values<std::int32_t>(name);
            all.assign(found.begin(), found.end());
        }
        return all;
    }
};

INSTANTIATE_TEST_SUITE_P(, AlgorithmCode,
                         testing::Values(How{1, false}, How{2, false}, How{2, true}),
                         [](const auto& info) {
                             return std::string(info.param.threads == 1 ? "one" : "two") +
                                    (info.param.wide ? "_wide" : "_narrow");
                         });

TEST_P(AlgorithmCode, ComputesScalars) {
    const AlgorithmResult result = run(R"(
        def f(n: int) -> a: int64, b: double, c: int64, d: int64, e: double {
            a = 0;
            k = 0;
            while (true) {
                k += 1;
                if (k > n) break;
                if (k % 2 == 0) continue;
                a += k * k;
            }
            b = sqrt(double(a)) + abs(-1.5) + floor(2.7) + ceil(2.2) + pow(2.0, 10.0);
            c = 0;
            for j in range(10, 0, -3) c = c * 100 + j;
            d = n > 5 ? min(n, 7) : max(n, 7);
            e = exp(log(5.0));
        })",
                                       {{"n", 9}});
    EXPECT_EQ(result.integer("a"), 1 + 9 + 25 + 49 + 81);
    EXPECT_DOUBLE_EQ(result.number("b"), std::sqrt(165.0) + 1.5 + 2 + 3 + 1024);
    EXPECT_EQ(result.integer("c"), 10070401);
    EXPECT_EQ(result.integer("d"), 7);
    EXPECT_NEAR(result.number("e"), 5, 1e-12);
}

TEST_P(AlgorithmCode, FailsWhereItMust) {
    EXPECT_THAT(failure("def f(n: int) -> a: int { a = 1 / n; }", {{"n", 0}}), HasSubstr("zero"));
    EXPECT_THAT(failure("def f(n: int) -> a: int { a = 7; a = a % n; }", {{"n", 0}}),
                HasSubstr("zero"));
    EXPECT_THAT(failure("def f(A: graph, v: int) -> x: vector<int> { x[i] = 1; x[v] = 2; }",
                        {{"A", "path:4"}, {"v", 4}}),
                HasSubstr("4"));
    EXPECT_THAT(failure("def f(n: int) -> a: int { a = n; require(n > 3, \"n is too small\"); }",
                        {{"n", 3}}),
                HasSubstr("n is too small"));
}

TEST_P(AlgorithmCode, DividesTheLeastNumberByMinusOne) {
    const AlgorithmResult result =
        run(R"(
        def f(n: int64, m: int64) -> a: int64, b: int64 { a = n / m; b = n % m; })",
            {{"n", std::numeric_limits<std::int64_t>::min()}, {"m", -1}});
    EXPECT_EQ(result.integer("a"), std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(result.integer("b"), 0);
}

TEST_P(AlgorithmCode, FoldsOverSpacesAndNeighbours) {
    // A path 0 - 1 - ... - 99999, both ways.
    const AlgorithmResult result = run(R"(
        def f(A: graph) -> total: int64, most: int64, where: vertex, around: vector<int64>,
                           edges: int64, real: double {
            n = size(A);
            x[i] = (i * 7919) % n;
            total = sum[i](x[i]);
            most = max[i](x[i] : x[i] < n / 2);
            where = argmax[i](x[i]);
            around[i] = sum[j](x[j] : A[i, j]);
            edges = count(A);
            real = sum[i](1.0 / (1 + i));
        })",
                                       {{"A", "path:100000"}});
    std::vector<std::int64_t> x(100000);
    for (std::int64_t i = 0; i < 100000; ++i) x[i] = i * 7919 % 100000;
    EXPECT_EQ(result.integer("total"), std::accumulate(x.begin(), x.end(), std::int64_t{0}));
    EXPECT_EQ(result.integer("most"), 49999);
    EXPECT_EQ(result.integer("where"), std::ranges::max_element(x) - x.begin());
    EXPECT_EQ(result.integer("edges"), 199998);
    const auto around = result.values<std::int64_t>("around");
    EXPECT_EQ(around[0], x[1]);
    EXPECT_EQ(around[500], x[499] + x[501]);
    EXPECT_NEAR(result.number("real"), std::log(100000.0) + 0.5772156649, 1e-4);
}

TEST_P(AlgorithmCode, GathersScalarsOfAllPieces) {
    const AlgorithmResult result = run(R"(
        def f(A: graph) -> odd: int64, least: int, some: bool, all: bool {
            odd = 5;
            least = 1000;
            some = false;
            all = true;
            each i in vertices(A) {
                if (i % 2 == 1) odd += 1;
                least min= int(size(A)) - i;
                some |= i == 77777;
                all &= i < size(A);
            }
        })",
                                       {{"A", "path:100000"}});
    EXPECT_EQ(result.integer("odd"), 50005);
    EXPECT_EQ(result.integer("least"), 1);
    EXPECT_EQ(result.integer("some"), 1);
    EXPECT_EQ(result.integer("all"), 1);
}

TEST_P(AlgorithmCode, ChangesElementsOfOthers) {
    // Everybody changes the element of vertex i % 10.
    const AlgorithmResult result = run(R"(
        def f(A: graph) -> count: vector<int>, real: vector<double>, least: vector<int64>,
                           taken: vector<vertex>, wins: int64, lane: vector<float[2]> {
            least[i] = infinity;
            taken[i] = none;
            wins = 0;
            each i in vertices(A) {
                k = i % 10;
                count[k] += 1;
                real[k] += 0.5;
                least[k] min= i + 100;
                if (swap(taken[k], none, i)) wins += 1;
                lane[k] += lanes(float(1), float(2));
            }
        })",
                                       {{"A", "path:200000"}});
    for (int k = 0; k < 10; ++k) {
        EXPECT_EQ(result.values<std::int32_t>("count")[k], 20000);
        EXPECT_EQ(result.values<double>("real")[k], 10000);
        EXPECT_EQ(result.values<std::int64_t>("least")[k], k + 100);
        EXPECT_EQ(vertices(result, "taken")[k] % 10, k);
        EXPECT_EQ(result.values<float>("lane")[2 * k], 20000);
        EXPECT_EQ(result.values<float>("lane")[2 * k + 1], 40000);
    }
    EXPECT_EQ(result.integer("wins"), 10);
}

TEST_P(AlgorithmCode, InsertsIntoSets) {
    const AlgorithmResult result = run(R"(
        def f(A: graph) -> a: int64, b: int64, c: int64, fresh: int64, sum: int64 {
            threes = {i : i % 3 == 0};
            a = count(threes);
            halves: set = {};
            fresh = 0;
            each i in vertices(A) { if (insert(halves, i / 2)) fresh += 1; }
            b = count(halves);
            both = threes & halves;
            c = count(both);
            sum = sum[i](i : both[i]);
        })",
                                       {{"A", "path:100000"}});
    EXPECT_EQ(result.integer("a"), 33334);
    EXPECT_EQ(result.integer("b"), 50000);
    EXPECT_EQ(result.integer("fresh"), 50000);
    EXPECT_EQ(result.integer("c"), 16667);
    EXPECT_EQ(result.integer("sum"), 3LL * 16666 * 16667 / 2);
}

TEST_P(AlgorithmCode, FollowsFrontiers) {
    const std::string text = R"(
        def f(A: graph, source: vertex) -> level: vector<int>, parent: vector<vertex> {
            level[i] = -1;
            level[source] = 0;
            parent[i] = none;
            parent[source] = source;
            front = {source};
            depth = 0;
            while (front) {
                depth += 1;
                parent[j]<parent[j] == none> = any[i](i : front[i] & A[i, j]) -> front;
                level[j]<front> = depth;
            }
        })";
    for (const char* graph : {"kron:10", "grid:40x40", "star:50", "path:300"}) {
        const AlgorithmResult result = run(text, {{"A", graph}, {"source", 1}});
        const auto level = result.values<std::int32_t>("level");
        const std::vector<std::int64_t> parent = vertices(result, "parent");
        for (std::size_t v = 0; v < level.size(); ++v) {
            ASSERT_EQ(level[v] < 0, parent[v] < 0) << graph << " " << v;
            if (level[v] > 0) ASSERT_EQ(level[parent[v]], level[v] - 1) << graph << " " << v;
        }
        EXPECT_EQ(level[1], 0);
        EXPECT_GT(std::ranges::max(level), 0);
    }
}

TEST_P(AlgorithmCode, TakesBucketsInOrder) {
    for (const int width : {1, 3, 16, 1000}) {
        const AlgorithmResult result =
            run(R"(
            def f(A: graph<int>, source: vertex, width: int) -> dist: vector<int>, wrong: int64 {
                dist[i] = infinity;
                dist[source] = 0;
                for i in buckets(dist, width, {source}) {
                    for j, w in A[i] { dist[j] min= dist[i] + w; }
                }
                wrong = sum[i](count[j](A[i, j] : dist[i] < infinity & dist[j] > dist[i] + A[i, j]));
            })",
                {{"A", "grid:60x60,weights=1..255"}, {"source", 5}, {"width", width}});
        EXPECT_EQ(result.integer("wrong"), 0) << width;
        EXPECT_EQ(result.values<std::int32_t>("dist")[5], 0);
        EXPECT_LT(std::ranges::max(result.values<std::int32_t>("dist")), 60 * 2 * 255);
    }
}

TEST_P(AlgorithmCode, MakesPostponedChangesOfBuckets) {
    // Rows that improve more than is put off at a time, short ones, and values of each width;
    // buckets whose members are found by their keys, of few and of many vertices.
    const std::string text = R"(
        def f(A: graph<TYPE>, source: vertex, width: TYPE)
            -> dist: vector<TYPE>, heaviest: vector<TYPE>, wrong: int64, reached: int64 {
            dist[i] = infinity;
            dist[source] = 0;
            for i in buckets(dist, width, {source}) {
                for j, w in A[i] { dist[j] min= dist[i] + w; }
            }
            again[i] = TYPE(0);
            heaviest[i] = TYPE(0);
            all = {i : again[i] == 0};
            for i in buckets(again, width, all) {
                for j, w in A[i] { heaviest[j] max= w; }
            }
            wrong = sum[i](count[j](A[i, j] : dist[i] < infinity & dist[j] > dist[i] + A[i, j]));
            wrong += sum[i](count[j](A[i, j] : heaviest[j] < A[i, j]));
            reached = count[i](dist[i] < infinity);
        })";
    for (const std::string type : {"int", "int64", "float", "double"}) {
        std::string typed = text;
        for (std::size_t at = 0; (at = typed.find("TYPE", at)) != std::string::npos;) {
            typed.replace(at, 4, type);
        }
        for (const std::string graph : {"star:2000", "kron:10", "complete:101", "urand:17,4"}) {
            const AlgorithmResult result =
                run(typed, {{"A", graph + ",weights=1..255"}, {"source", 0}, {"width", 4}});
            EXPECT_EQ(result.integer("wrong"), 0) << type << " " << graph;
            EXPECT_GT(result.integer("reached"), 1) << type << " " << graph;
        }
    }
}

TEST_P(AlgorithmCode, CountsWithMarksAndWorkspaces) {
    const AlgorithmResult result = run(R"(
        def f(A: graph) -> triangles: int64, distinct: vector<int64>, most: vector<int> {
            triangles = 0;
            each i in vertices(A) {
                with near = A[i] {
                    for k in A[i] {
                        if (k > i) continue;
                        triangles += count[j](A[k, j] : near[j] & j < k);
                    }
                }
                with seen: sparse<int> {
                    for j in A[i] { for k in A[j] seen[k] += 1; }
                    distinct[i] = count(seen);
                    most[i] = max[k](seen[k]);
                }
            }
        })",
                                       {{"A", "complete:30"}});
    EXPECT_EQ(result.integer("triangles"), 30 * 29 * 28 / 6);
    EXPECT_THAT(result.values<std::int64_t>("distinct"), testing::Each(30));
    EXPECT_THAT(result.values<std::int32_t>("most"), testing::Each(29));
}

TEST_P(AlgorithmCode, KnowsLanesAndRecords) {
    const AlgorithmResult result = run(R"(
        record Best { key: double; who: vertex; }
        def f(A: graph) -> keys: vector<double>, who: vector<vertex>, lanes_sum: double,
                           biggest: vector<float> {
            best: vector<Best>;
            each i in vertices(A) best[i] = Best(double(i) * 0.5, i);
            keys[i] = best[i].key;
            who[i] = best[i].who;
            x: vector<float[4]>;
            each i in vertices(A) {
                x[i] = lanes(float(i), float(2 * i), float(1), float(-i));
                x[i] *= 2;
            }
            biggest[i] = max(x[i]);
            lanes_sum = sum[i](double(sum(x[i])));
        })",
                                       {{"A", "path:5"}});
    EXPECT_THAT(result.values<double>("keys"), ElementsAre(0, 0.5, 1, 1.5, 2));
    EXPECT_THAT(vertices(result, "who"), ElementsAre(0, 1, 2, 3, 4));
    EXPECT_THAT(result.values<float>("biggest"), ElementsAre(2, 4, 8, 12, 16));
    EXPECT_EQ(result.number("lanes_sum"), 2 * 2 * 10 + 2 * 5);
}

TEST_P(AlgorithmCode, UsesOwnMonoids) {
    const AlgorithmResult result = run(R"(
        monoid further(a, b) = abs(a) > abs(b) ? a : b identity 0;
        def f(A: graph) -> most: double, around: vector<double> {
            x[i] = (i % 2 == 0 ? 1.0 : -1.0) * i;
            most = further[i](x[i]);
            around[i] = further[j](x[j] : A[i, j]);
        })",
                                       {{"A", "path:6"}});
    EXPECT_EQ(result.number("most"), -5);
    EXPECT_THAT(result.values<double>("around"), ElementsAre(-1, 2, -3, 4, -5, 4));
}

TEST_P(AlgorithmCode, DrawsTheSameNumbersEverywhere) {
    const AlgorithmResult result = run(R"(
        def f(A: graph, seed: int) -> x: vector<double>, k: vector<int64> {
            x[i] = random(seed, i);
            k[i] = random_int(seed, i, 1000);
        })",
                                       {{"A", "path:100"}, {"seed", 42}});
    const generators::Random random(42, generators::Stream::algorithms);
    for (std::uint64_t i = 0; i < 100; ++i) {
        EXPECT_EQ(result.values<double>("x")[i], generators::unit_real(random.at(i)));
        EXPECT_EQ(result.values<std::int64_t>("k")[i],
                  static_cast<std::int64_t>(generators::below(random.at(i), 1000)));
    }
}

TEST_P(AlgorithmCode, FindsEdges) {
    const AlgorithmResult result = run(R"(
        def f(A: graph) -> number: vector<int64>, back: vector<vertex> {
            number[i] = edge(A, i, (i + 1) % size(A));
            back[i] = degree(A, i) > 0 ? neighbour(A, i, degree(A, i) - 1) : none;
        })",
                                       {{"A", "path:4"}});
    EXPECT_THAT(result.values<std::int64_t>("number"), ElementsAre(0, 2, 4, -1));
    EXPECT_THAT(vertices(result, "back"), ElementsAre(1, 2, 3, 2));
}

TEST(AlgorithmObject, NeedsNothingButItsRuntime) {
    const Algorithm algorithm = Algorithm::from_text(R"(
        def f(A: graph) -> x: vector<double> { x[i] = exp(random(1, i)); y[i] = 0; x[i] += y[i]; })",
                                                     {.cache = false});
    const std::string code = algorithm.show(AlgorithmStage::llvm);
    EXPECT_THAT(code, HasSubstr("tropic_algorithm"));
    EXPECT_THAT(code, testing::Not(HasSubstr("declare double")));
}

} // namespace
} // namespace tropic
