// What lies outside of a vector, a set or a graph ends the run with its number, whichever way it is
// asked for and however wide the index is.
#include <gtest/gtest.h>

#include "tropic/algorithm.h"
#include "tropic/error.h"
#include "tropic/generate.h"

namespace tropic {
namespace {

struct Case {
    const char* name;
    const char* body; ///< of f(A: graph) -> n: int64, x: vector<int>, s: set, on a ring of 10
    const char* message;
};

const std::vector<Case> cases = {
    {"member_of_none", "p: vector<vertex> = none; each i in vertices(A) if (s[p[i]]) n += 1;",
     "index -1 is outside s"},
    {"member_far_away", "p: vector<vertex> = 100000000; each i in vertices(A) if (s[p[i]]) n += 1;",
     "index 100000000 is outside s"},
    {"member_in_a_fold", "p: vector<vertex> = none; n = count[i](s[p[i]]);",
     "index -1 is outside s"},
    {"member_in_a_mask", "p: vector<vertex> = 11; x[i]<s[p[i]]> = 1;", "index 11 is outside s"},
    {"member_of_the_program", "k = 10; if (s[k]) n = 1;", "index 10 is outside s"},
    {"neighbour_marked",
     "p: vector<vertex> = 10; each i in vertices(A) { with near = A[i] { if (near[p[i]]) n += 1; } "
     "}",
     "index 10 is outside near"},
    {"wide_constant", "n = x[4294967297];", "index 4294967297 is outside x"},
    {"wide_number", "b: int64 = 4294967296; n = x[b + 2];", "index 4294967298 is outside x"},
    {"wide_in_each", "b: int64 = 4294967297; each i in vertices(A) x[b] += 1;",
     "index 4294967297 is outside x"},
    {"wide_unsigned", "b: uint32 = 4294967295; n = x[b];", "index 4294967295 is outside x"},
    {"wide_member", "b: int64 = 4294967299; if (s[b]) n = 1;", "index 4294967299 is outside s"},
    {"wide_insert", "b: int64 = 4294967299; insert(s, b);",
     "index 4294967299 is outside the vertices of A"},
    {"wide_insert_of_a_vertex", "b: int64 = 4294967299; insert(s, vertex(b));",
     "index 4294967299 is outside the vertices of A"},
    {"wide_degree", "b: int64 = 4294967297; n = degree(A, b);",
     "index 4294967297 is outside the vertices of A"},
    {"wide_in_braces", "b: int64 = 4294967297; s = {b};",
     "index 4294967297 is outside the vertices of A"},
    {"wide_and_kept", "b: int64 = 4294967297; p: vector<vertex>; p[i] = vertex(b); n = x[p[0]];",
     "index 2147483647 is outside x"},
    {"edge_outside", "e: vector<int, edges(A)>; n = e[20];", "index 20 is outside e"},
    {"edge_of_a_set", "e: set<edges(A)>; insert(e, 20);", "index 20 is outside the edges of A"},
    {"copy_of_a_vector", "p: vector<int> = 10; x[i] = x[p[i]];", "index 10 is outside x"},
    {"counted", "c: set<4>; k = 4; insert(c, k);", "index 4 is outside 0 up to 4"},
    {"counted_in_each", "c: set<4>; k = 4; each i in vertices(A) insert(c, k);",
     "index 4 is outside 0 up to 4"},
    {"column_of_an_edge", "k = 10; n = A[0, k];", "index 10 is outside the vertices of A"},
    {"column_of_no_vertex", "p: vector<vertex> = none; x[i]<A[i, p[i]]> = 1;",
     "index -1 is outside the vertices of A"},
    {"column_in_each", "each i in vertices(A) n += A[i, vertex(i + 1)];",
     "index 10 is outside the vertices of A"},
    {"elements_that_nobody_reads", "t: table<int, 3>; k = 5; t[i, k] = 2;", "index 5 is outside t"},
    {"values_that_nobody_reads", "y: vector<int>; k = 10; y[i] = x[k];", "index 10 is outside x"},
};

class AlgorithmBounds : public ::testing::TestWithParam<Case> {};

TEST_P(AlgorithmBounds, AreSaid) {
    const PreparedGraph graph(generate("ring:10"));
    const std::string text =
        std::string("def f(A: graph) -> n: int64, x: vector<int>, s: set {\n") + GetParam().body +
        "\n}\n";
    for (const bool check : {false, true}) {
        const Algorithm algorithm = Algorithm::from_text(text, {.check = check, .cache = false});
        for (const int threads : {1, 2}) {
            try {
                algorithm.run({{"A", graph}}, Context({.threads = threads}));
                ADD_FAILURE() << "nothing went wrong";
            } catch (const Error& error) {
                EXPECT_EQ(error.diagnostic().message, GetParam().message);
                EXPECT_EQ(error.diagnostic().line, 2);
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Constructs, AlgorithmBounds, ::testing::ValuesIn(cases),
                         [](const auto& one) { return std::string(one.param.name); });

/// What is right stays right when everything is compared: workspaces know how long they are.
TEST(AlgorithmBounds, NothingIsWrongWithWhatIsRight) {
    const PreparedGraph graph(generate("ring:10"));
    const Algorithm part = Algorithm::from_text(
        "def f(A: graph) -> D: graph<bool, 2, 2>, n: int64 {\n"
        "D[i, j] = A[i + 1, j + 1];\n"
        "each i in vertices(A) { with v: sparse<int, 100> { for j in A[i] v[j * 10] += 1;\n"
        "n += count(v); } }\n}\n",
        {.check = true, .cache = false});
    for (const int threads : {1, 2}) {
        const AlgorithmResult result = part.run({{"A", graph}}, Context({.threads = threads}));
        EXPECT_EQ(result.tensor("D").entries(), 2);
        EXPECT_EQ(result.integer("n"), 20);
    }
}

/// What is right is not compared, and lanes of edges stay.
TEST(AlgorithmBounds, LabelsAndNeighboursAreNotCompared) {
    const Algorithm algorithm = Algorithm::from_text(
        "def f(A: graph, s: set) -> n: int64 {\n"
        "each i in vertices(A) { for j in A[i] if (s[j] & s[i]) n += 1; }\n}\n",
        {.cache = false});
    EXPECT_EQ(algorithm.show(AlgorithmStage::algorithm).find('?'), std::string::npos)
        << algorithm.show(AlgorithmStage::algorithm);
}

} // namespace
} // namespace tropic
