// A row may have an edge twice: what is done for the first is seen by the second, also where edges
// are looked at a vector at a time.
#include <gtest/gtest.h>

#include "tropic/algorithm.h"

namespace tropic {
namespace {

constexpr std::int32_t vertices = 64;

/// A graph of which only vertex 0 has edges, these.
Tensor star(const std::vector<std::int32_t>& ends, const std::vector<std::int32_t>& values,
            bool unique) {
    std::vector<Level> levels(2);
    levels[1].kind = LevelKind::compressed;
    std::vector<std::int32_t> pos(vertices + 1, static_cast<std::int32_t>(ends.size()));
    pos[0] = 0;
    levels[1].pos = Array::copy_of<std::int32_t>(pos, {}, "positions");
    levels[1].crd = Array::copy_of<std::int32_t>(ends, {}, "coordinates");
    return {{vertices, vertices},
            Format::csr(),
            std::move(levels),
            Array::copy_of<std::int32_t>(values, {}, "values"),
            unique,
            true};
}

/// Vertex 0 has 32 edges to each of 1 and 2, with values 0, 1, 2... in turn.
Tensor many_edges() {
    std::vector<std::int32_t> ends(64);
    std::vector<std::int32_t> values(64);
    for (std::size_t k = 0; k < 64; ++k) {
        ends[k] = k < 32 ? 1 : 2;
        values[k] = static_cast<std::int32_t>(k % 32);
    }
    return star(ends, values, false);
}

struct Case {
    const char* name;
    const char* body;
    double expected; ///< of x[1]
};

const std::vector<Case> cases = {
    {"counts_up", "if (x[j] == w) x[j] = w + 1;", 32},
    {"counts_up_by_adding", "if (x[j] == w) x[j] += 1;", 32},
    {"through_a_local", "next = w + 1; if (x[j] + 1 == next) x[j] = next;", 32},
    {"both_ways", "if (x[j] < w) x[j] = w; ", 31},
    {"swaps", "if (x[j] == w & w < 20) { if (swap(x[j], w, w + 1)) n += 1; }", 20},
    {"first_only", "if (x[j] == 0) x[j] = w + 7;", 7},
    {"greatest", "x[j] max= w;", 31},
    {"steps_of_itself", "x[j] max= x[j] + 1;", 32},
    {"members", "if (!seen[j]) { insert(seen, j); x[j] = w + 3; }", 3},
    {"once_a_member", "if (seen[j] | w == 0) { insert(seen, j); x[j] += 1; }", 32},
};

class AlgorithmDuplicates : public testing::TestWithParam<Case> {};

TEST_P(AlgorithmDuplicates, AreDoneOneAfterTheOther) {
    const PreparedGraph graph(many_edges());
    const std::string text =
        std::string("def f(A: graph<int>) -> x: vector<int>, n: int64 {\nseen: set = {};\n"
                    "x[i] = 0;\neach i in vertices(A) {\nfor j, w in A[i] {\n") +
        GetParam().body + "\n}\n}\n}\n";
    const Algorithm algorithm = Algorithm::from_text(text, {.cache = false});
    for (const int threads : {1, 2}) {
        const AlgorithmResult result = algorithm.run({{"A", graph}}, Context({.threads = threads}));
        EXPECT_EQ(result.values<std::int32_t>("x")[1], GetParam().expected)
            << algorithm.show(AlgorithmStage::algorithm);
        EXPECT_EQ(result.values<std::int32_t>("x")[2], GetParam().expected);
    }
}

INSTANTIATE_TEST_SUITE_P(Updates, AlgorithmDuplicates, testing::ValuesIn(cases),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(AlgorithmLoops, AnEdgeToItselfChangesWhatTheNextOnesRead) {
    std::vector<std::int32_t> ends(40);
    std::vector<std::int32_t> values(40);
    for (std::size_t k = 0; k < 40; ++k) ends[k] = static_cast<std::int32_t>(k);
    values[0] = -1;
    const PreparedGraph graph(star(ends, values, true));
    const Algorithm algorithm = Algorithm::from_text(
        "def f(A: graph<int>) -> x: vector<int> {\nx[i] = 0;\neach i in vertices(A) {\n"
        "for j, w in A[i] x[j] min= x[i] + w;\n}\n}\n",
        {.cache = false});
    for (const int threads : {1, 2}) {
        const AlgorithmResult result = algorithm.run({{"A", graph}}, Context({.threads = threads}));
        for (std::size_t v = 0; v < 40; ++v) {
            EXPECT_EQ(result.values<std::int32_t>("x")[v], -1) << v;
        }
        EXPECT_EQ(result.values<std::int32_t>("x")[40], 0);
    }
}

TEST(AlgorithmDuplicates, CountAsTheFirstInStatementsThatMakeGraphs) {
    const PreparedGraph graph(many_edges());
    const Algorithm algorithm = Algorithm::from_text(R"(
        def f(A: graph<int>) -> n: int64 {
            C[i, j]<(A[i, j] > 3)> = A[i, j];
            C[i, j]<(A[i, j] > 3), keep> = 1;
            D[i, j] = A[i, j];
            D[i, j] += A[i, j] + 1;
            D[i, j] max= A[i, j];
            E[i, j] = D[i, j] - A[i, j];
            n = 100 * count(C) + 10 * sum[i, j](D[i, j]) + sum[i, j](E[i, j]);
        })",
                                                     {.cache = false});
    for (const int threads : {1, 2}) {
        const AlgorithmResult result = algorithm.run({{"A", graph}}, Context({.threads = threads}));
        EXPECT_EQ(result.integer("n"), 22);
    }
}

TEST(AlgorithmDuplicates, HaveNumbersOfTheirOwn) {
    const PreparedGraph graph(many_edges());
    const Algorithm algorithm = Algorithm::from_text(R"(
        def f(A: graph<int>) -> n: int64 {
            third: vector<bool, edges(A)>;
            x: vector<int>;
            third[e] = e % 3 == 0;
            each i in vertices(A) {
                for j, w, e in A[i] {
                    if (x[j] == 0 & third[e]) n += 1;
                }
            }
        })",
                                                     {.cache = false});
    EXPECT_EQ(algorithm.run({{"A", graph}}).integer("n"), 22);
}

} // namespace
} // namespace tropic
