// What the checker makes of whole algorithms.
#include <gtest/gtest.h>

#include "algorithm_text.h"
#include "language/algorithm/parser.h"

namespace tropic::language::algorithm {
namespace {

TEST(Algorithm, BreadthFirstSearchIsAChoiceBetweenPushingAndPulling) {
    EXPECT_EQ(checked(R"(
def bfs(A: graph, source: vertex) -> level: vector<int> {
    level[i] = -1;
    level[source] = 0;
    front = {source};
    depth = 0;
    while (front) {
        depth += 1;
        front[j]<level[j] < 0> = front[i] @(any, pair) A[i, j];
        level[j]<front> = depth;
    }
})"),
              R"(  create level: vector<int32>
  create front: set
  create next_front: set
  each i in vertices(A)
    own level[i] = -1:int32
  level[source]? = 0:int32
  front = {vertex(source)}
  depth = 0:int64
  while (count(front) != 0:int64)
    depth += 1:int64
    choose 0 from front along out A early
      push
        each i.2 in front along out A rebuilds next_front
          for j in out A[i.2]
            if (level[j] < 0:int32)
              insert(next_front, j)
      pull
        each j in vertices(A) if (own level[j] < 0:int32) along in A rebuilds next_front
          if any[i.2 in in A[j] if (i.2 in front)](true)
            own insert(next_front, j)
    swap front, next_front
    each j.2 in front
      own level[j.2] = int32(depth)
)");
}

TEST(Algorithm, ShortestPathsReadOldDistancesOfTheFrontOnly) {
    EXPECT_EQ(checked(R"(
def sssp(A: graph<int>, source: vertex) -> dist: vector<int> {
    dist[i] = infinity;
    dist[source] = 0;
    front = {source};
    while (front) dist[j] min= min[i](dist[i] + A[i, j] : front[i]) -> front;
})"),
              R"(  create dist: vector<int32>
  create front: set
  create old_dist: vector<int32>
  create next_front: set
  each i in vertices(A)
    own dist[i] = infinity:int32
  dist[source]? = 0:int32
  front = {vertex(source)}
  while (count(front) != 0:int64)
    each i.3 in front
      own old_dist[i.3] = own dist[i.3]
    choose 0 from front along out A
      push
        each i.2 in front along out A rebuilds next_front
          for j, weight A_value in out A[i.2]
            if improve(dist[j] min= (own old_dist[i.2] + A_value))
              insert(next_front, j)
      pull
        each j in vertices(A) along in A rebuilds next_front
          now = own dist[j]
          now min= min[i.2, weight A_value in in A[j] if (i.2 in front)]((old_dist[i.2] + A_value))
          if (own dist[j] != now)
            own dist[j] = now
            own insert(next_front, j)
    swap front, next_front
)");
}

TEST(Algorithm, SumsOfRealsArePulled) {
    EXPECT_EQ(checked(R"(
def spmv(A: graph<double>, x: vector<double>) -> y: vector<double> {
    y[j] = x[i] @(+, *) A[i, j];
})"),
              R"(  create y: vector<float64>
  each j in vertices(A) along in A
    own y[j] = +[i, weight A_value in in A[j]]((x[i] * A_value))
)");
}

TEST(Algorithm, ElementsThatOthersWriteAreNobodysOwn) {
    EXPECT_EQ(checked(R"(
def join(A: graph) -> label: vector<vertex> {
    label[i] = i;
    each i in vertices(A) { for j in A[i] label[j] min= label[i]; }
})"),
              R"(  create label: vector<vertex>
  each i in vertices(A)
    own label[i] = i
  each i.2 in vertices(A) along out A
    for j in out A[i.2]
      label[j] min= label[i.2]
)");
}

TEST(Algorithm, TypesOfVariablesGrowWithWhatTheyHold) {
    EXPECT_EQ(checked(R"(
def f(A: graph) -> y: double {
    x = 1;
    x = x / 2.0;
    v[i] = 0;
    v[i] = 0.5;
    y = x;
})"),
              R"(  create v: vector<float64>
  x = 1:float64
  x = (x / 2:float64)
  each i in vertices(A)
    own v[i] = 0:float64
  each i.2 in vertices(A)
    own v[i.2] = 0.5:float64
  y = x
)");
}

// Vertices are shown by their ids, and -1 as none; what is worked out from them is not.
TEST(Algorithm, WhatIsWorkedOutFromVerticesIsANumber) {
    const std::string text = checked(R"(
def f(A: graph, s: vertex) -> x: vector<int> {
    a[i] = i - 3;
    b[i] = max[j](j - i : A[i, j]);
    c[i] = -i;
    d[i] = i % 2;
    e[i] = min(i, s);
    g[i] = max[j](j : A[i, j]);
    x[i] = a[i] + b[i] + c[i] + d[i] + e[i] + g[i];
})");
    for (const char* const number : {"a", "b", "c", "d"}) {
        EXPECT_NE(text.find(std::string("create ") + number + ": vector<int"), std::string::npos)
            << number << " in " << text;
    }
    for (const char* const vertex : {"e", "g"}) {
        EXPECT_NE(text.find(std::string("create ") + vertex + ": vector<vertex>"),
                  std::string::npos)
            << vertex << " in " << text;
    }
}

TEST(Algorithm, BracketsAndBlocksAreALevelEach) {
    const auto nested = [](int levels, const std::string& open, const std::string& core,
                           const std::string& close) {
        std::string body = core;
        for (int i = 0; i < levels; ++i) body.append(close).insert(0, open);
        return body;
    };
    const auto verdict = [](const std::string& body) {
        const std::string text =
            checked("operator f(x) = x + 1;\n"
                    "def p(A: graph, x: vector<int>, v: vertex) -> n: int64 { n = 1; " +
                    body + " }");
        return text.ends_with("nested more than 200 levels deep\n") ? "too deep"
               : text.find("n = ") != std::string::npos             ? "fine"
                                                                    : text;
    };
    // The block of the function is a level, too.
    for (const auto& [open, close] : {std::pair<std::string, std::string>{"(", ")"},
                                      {"2 + 3 * (v - ", ")"},
                                      {"abs(", ")"},
                                      {"min(v, ", ")"},
                                      {"f(", ")"},
                                      {"x[", "]"}}) {
        EXPECT_EQ(verdict("n = " + nested(199, open, "v", close) + ";"), "fine") << open;
        EXPECT_EQ(verdict("n = " + nested(200, open, "v", close) + ";"), "too deep") << open;
    }
    EXPECT_EQ(verdict(nested(199, "if (v > 0) { ", "n = 2;", " }")), "fine");
    EXPECT_EQ(verdict(nested(200, "if (v > 0) { ", "n = 2;", " }")), "too deep");
}

TEST(Algorithm, NothingIsNestedTooDeepForTheStack) {
    // Every way from an expression, a type or a statement into another.
    using Texts = std::vector<std::string>;
    for (const auto& [before, openings] :
         {std::pair<std::string, Texts>{"n = ",
                                        {"(", "{", "-", "!", "f(", "x[", "sum[i](",
                                         "{i : ", "v ? 1 : ", "v ? ", "1||1&&1|1^1&1==1+1*(",
                                         "improve(x[0] min= ", "x @(min, +) ("}},
          {"y: ", {"pair<", "vector<int, x["}},
          {"", {"if (v) ", "if (v) { ", "with s = x { ", "do { ", "for i in x { "}}}) {
        for (const std::string& opening : openings) {
            std::string text = "def p(A: graph, x: vector<int>, v: vertex) -> n: int64 { " + before;
            for (int i = 0; i < 20'000; ++i) text += opening;
            EXPECT_NE(checked(text).find("levels"), std::string::npos) << opening;
        }
    }
}

TEST(Algorithm, IsTypedAndTensorProgramsAreNot) {
    const auto is = [](std::string text) { return is_algorithm(Source(std::move(text), "x")); };
    EXPECT_TRUE(is("def f(A: graph) { }"));
    EXPECT_TRUE(is("def f() -> x: int { x = 1; }"));
    EXPECT_TRUE(is("operator f(x) = x;"));
    EXPECT_FALSE(is("def main() { print(1); }"));
    EXPECT_FALSE(is("def f(a, b) { } def main() { f(1, 2); }"));
}

} // namespace
} // namespace tropic::language::algorithm
