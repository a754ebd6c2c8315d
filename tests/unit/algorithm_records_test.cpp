// Records and lanes that several members change at the same time: never half of one and half of
// another, and nothing is lost.
#include <gtest/gtest.h>

#include "tropic/algorithm.h"
#include "tropic/error.h"
#include "tropic/generate.h"

namespace tropic {
namespace {

AlgorithmResult run(const std::string& text, const PreparedGraph& graph, int threads) {
    return Algorithm::from_text(text, {.cache = false})
        .run({{"A", graph}}, Context({.threads = threads}));
}

/// A graph of which everybody's neighbours are mostly the same few.
const PreparedGraph& crowded() {
    static const PreparedGraph graph(generate("kron:13"));
    return graph;
}

TEST(AlgorithmRecords, AreGatheredAtOthersByAnOperationOfTheProgram) {
    const std::string text = R"(
record Best { key: double; who: vertex; }
monoid better(a, b) = a.key < b.key | (a.key == b.key & a.who < b.who) ? a : b
    identity Best(infinity, none);
def f(A: graph) -> who: vector<vertex>, same: bool {
    best: vector<Best>;
    best[j] = Best(infinity, none);
    each i in vertices(A) { for j in A[i] best[j] better= Best((i * 7919) % 1009, i); }
    who[j] = best[j].who;
    # The same by pulling.
    least: vector<double>;
    least[j] = min[i]((i * 7919) % 1009 : A[i, j]);
    expected: vector<vertex>;
    expected[j] = min[i](i : A[i, j] & (i * 7919) % 1009 == least[j]);
    same = count[j](in_degree(A, j) > 0 & who[j] != expected[j]) == 0;
})";
    for (const int threads : {1, 2, 4}) {
        SCOPED_TRACE(threads);
        EXPECT_EQ(run(text, crowded(), threads).integer("same"), 1);
    }
}

TEST(AlgorithmRecords, FieldsOfOthersAreChangedOneByOne) {
    const std::string text = R"(
record Seen { first: int; last: vertex; weight: double; }
def f(A: graph) -> total: int64, weight: double, least: int64, last: int64 {
    x: vector<Seen>;
    x[i] = Seen(0, -1, 1.5);
    each i in vertices(A) {
        for j in A[i] {
            x[j].first += 1;
            x[j].last = j;
            x[j].weight max= 2.5;
        }
    }
    total = sum[i](x[i].first);
    weight = sum[i](x[i].weight : in_degree(A, i) > 0) / count[i](in_degree(A, i) > 0);
    least = min[i](x[i].first - in_degree(A, i));
    last = count[i](in_degree(A, i) > 0 & x[i].last != i);
})";
    for (const int threads : {1, 2, 4}) {
        SCOPED_TRACE(threads);
        const AlgorithmResult result = run(text, crowded(), threads);
        EXPECT_EQ(result.integer("total"), crowded().graph().entries());
        EXPECT_EQ(result.number("weight"), 2.5);
        EXPECT_EQ(result.integer("least"), 0);
        EXPECT_EQ(result.integer("last"), 0);
    }
}

TEST(AlgorithmRecords, AreNeverReadOrWrittenByHalves) {
    const std::string text = R"(
record Twice { a: int; b: double; c: int64; d: vertex; }
def f(A: graph) -> broken: int64, left: int64 {
    x: vector<Twice>;
    x[i] = Twice(int(i), i, i, i);
    each i in vertices(A) {
        for j in A[i] {
            x[j] = Twice(int(i), i, i, i);
            seen = x[j];
            broken += seen.a != seen.b | seen.a != seen.c | seen.a != int(seen.d) ? 1 : 0;
        }
    }
    left = count[i](x[i].a != x[i].b | x[i].a != x[i].c | x[i].a != int(x[i].d));
})";
    for (const int threads : {1, 2, 4}) {
        SCOPED_TRACE(threads);
        const AlgorithmResult result = run(text, crowded(), threads);
        EXPECT_EQ(result.integer("broken"), 0);
        EXPECT_EQ(result.integer("left"), 0);
    }
}

TEST(AlgorithmRecords, LanesOfOthersAreCombinedByAnOperationOfTheProgram) {
    const std::string text = R"(
monoid shorter(a, b) = sum(a) < sum(b) ? a : b identity lanes(infinity, infinity, infinity);
def f(A: graph) -> broken: int64, wrong: int64, same: bool {
    x: vector<double[3]>;
    x[j] = infinity;
    each i in vertices(A) {
        for j in A[i] {
            x[j] shorter= lanes(0.0 + i, 2.0 * i, 3.0 * i);
        }
    }
    least: vector<double>;
    least[j] = min[i](0.0 + i : A[i, j]);
    wrong = count[j](in_degree(A, j) > 0 & sum(x[j]) != 6 * least[j]);
    y: vector<int[3]>;
    each i in vertices(A) { for j in A[i] y[j] = int(i); }
    broken = count[j](max(y[j]) != min(y[j]));
    same = wrong == 0;
})";
    for (const int threads : {1, 2, 4}) {
        SCOPED_TRACE(threads);
        const AlgorithmResult result = run(text, crowded(), threads);
        EXPECT_EQ(result.integer("wrong"), 0);
        EXPECT_EQ(result.integer("broken"), 0);
    }
}

TEST(AlgorithmRecords, AreGatheredInBuckets) {
    const std::string text = R"(
record Best { key: int; who: vertex; }
monoid better(a, b) = a.key > b.key | (a.key == b.key & a.who > b.who) ? a : b
    identity Best(-1, none);
monoid shorter(a, b) = sum(a) < sum(b) ? a : b identity lanes(infinity, infinity);
def f(A: graph<int>, s: vertex) -> same: bool, low: double, wrong: int64, own: int64 {
    d: vector<int>;
    d[i] = infinity;
    d[s] = 0;
    best = Best(-1, none);
    least = lanes(1e9, 1e9);
    x: vector<double[2]>;
    x[i] = infinity;
    y: vector<int[3]>;
    for i in buckets(d, 1, {s}) {
        best better= Best(d[i], i);
        least shorter= lanes(1.0 * i, 3.0 * i);
        x[i] shorter= lanes(1.0 * d[i], 2.0 * d[i]);
        y[i] = d[i];
        for j, w in A[i] d[j] min= d[i] + w;
    }
    far = max[i](d[i] : d[i] < infinity);
    same = best.key == far & best.who == max[i](i : d[i] == far);
    low = sum(least) - 4 * min[i](i : d[i] < infinity);
    wrong = count[i](d[i] < infinity & sum(x[i]) != 3.0 * d[i]);
    own = count[i](max(y[i]) != min(y[i]));
})";
    // Unit values: everybody's distance is settled when its bucket comes.
    const PreparedGraph graph(generate("kron:12,weights=1..1"));
    for (const int threads : {1, 2, 4}) {
        SCOPED_TRACE(threads);
        const AlgorithmResult result =
            Algorithm::from_text(text, {.cache = false})
                .run({{"A", graph}, {"s", 7}}, Context({.threads = threads}));
        EXPECT_EQ(result.integer("same"), 1);
        EXPECT_EQ(result.number("low"), 0);
        EXPECT_EQ(result.integer("wrong"), 0);
        EXPECT_EQ(result.integer("own"), 0);
    }
}

TEST(AlgorithmRecords, WhatFailsInTheOperationEndsTheRunAndKeepsNobodyWaiting) {
    const std::string text = R"(
record Part { a: int; b: int; }
monoid over(a, b) = Part(a.a / b.b, a.b) identity Part(1, 1);
def f(A: graph) -> n: int {
    x: vector<Part>;
    x[i] = Part(100, 1);
    each i in vertices(A) { for j in A[i] x[j] over= Part(1, degree(A, i) == 1 ? 0 : 1); }
    n = x[0].a;
})";
    for (int round = 0; round < 3; ++round) {
        EXPECT_THROW(run(text, crowded(), 4), Error);
        EXPECT_NO_THROW(run("def f(A: graph) -> n: int { n = 1; }", crowded(), 4));
    }
}

} // namespace
} // namespace tropic
