// What becomes of checked algorithms when loops are joined and copies dropped.
#include <gtest/gtest.h>

#include "algorithm_text.h"

namespace tropic::language::algorithm {
namespace {

std::string optimised(const std::string& text) {
    return checked(text, true);
}

TEST(AlgorithmOptimise, WhatIsDoneWithNewMembersIsDoneWhereTheyAreFound) {
    const std::string text = optimised(R"(
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
})");
    EXPECT_NE(text.find(R"(              if insert(next_front, j)
                level[j] = int32(depth)
)"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find(R"(            own insert(next_front, j)
            own level[j] = int32(depth)
    swap front, next_front
)"),
              std::string::npos)
        << text;
}

TEST(AlgorithmOptimise, WhatAGraphRemembersIsNotGathered) {
    const std::string text = optimised(R"(
def f(A: graph<int>) -> n: int64 {
    largest = max[i, j](A[i, j]);
    n = largest + sum[i, j](A[i, j]);
})");
    EXPECT_NE(text.find("largest = max"), std::string::npos) << text;
    EXPECT_EQ(text.find("largest max="), std::string::npos) << text;
}

TEST(AlgorithmOptimise, APageRankRoundIsTwoLoopsAndAnExchange) {
    EXPECT_EQ(optimised(R"(
def pagerank(A: graph, tolerance: double = 1e-4) -> rank: vector<double> {
    n = size(A);
    rank[i] = 1.0 / n;
    change = 1.0;
    while (change > tolerance) {
        idle = sum[i](rank[i] : degree(A, i) == 0);
        share[i] = rank[i] / degree(A, i);
        base = (0.15 + 0.85 * idle) / n;
        next[j] = base + 0.85 * sum[i](share[i] : A[i, j]);
        change = sum[i](abs(next[i] - rank[i]));
        rank = next;
    }
})"),
              R"(  create rank: vector<float64> of anything
  create share: vector<float64>
  create next: vector<float64>
  n = size(vertices(A))
  each i in vertices(A)
    own rank[i] = (1:float64 / float64(n))
  change = 1:float64
  while (tolerance < change)
    change = 0:float64
    idle = 0:float64
    each i.2 in vertices(A) gathers idle
      if (degree(out A, i.2) == 0:int64)
        idle += own rank[i.2]
      own share[i.2] = (own rank[i.2] / float64(degree(out A, i.2)))
    base = ((0.15:float64 + (0.85:float64 * idle)) / float64(n))
    each j in vertices(A) along in A gathers change
      own next[j] = (base + (0.85:float64 * +[i.4 in in A[j]](share[i.4])))
      change += abs((own next[j] - own rank[j]))
    swap rank, next
)");
}

TEST(AlgorithmOptimise, LoopsThatReadOthersElementsStayApart) {
    EXPECT_EQ(optimised(R"(
def f(A: graph) -> y: vector<double> {
    x[i] = i * 2.0;
    y[i] = x[i] + sum[j](x[j] : A[i, j]);
})"),
              R"(  create y: vector<float64> of anything
  create x: vector<float64> of anything
  each i in vertices(A)
    own x[i] = (float64(i) * 2:float64)
  each i.2 in vertices(A) along out A
    own y[i.2] = (own x[i.2] + +[j in out A[i.2]](x[j]))
)");
}

TEST(AlgorithmOptimise, VectorsOfOneLoopLiveInRegisters) {
    EXPECT_EQ(optimised(R"(
def f(A: graph) -> y: vector<double> {
    x[i] = i * 2.0;
    y[i] = x[i] * x[i];
})"),
              R"(  create y: vector<float64> of anything
  each i in vertices(A)
    x.2 = (float64(i) * 2:float64)
    own y[i] = (x.2 * x.2)
)");
}

TEST(AlgorithmOptimise, ACopyThatIsReadAgainStaysACopy) {
    const std::string text = optimised(R"(
def f(A: graph, n: int) -> y: vector<double> {
    x[i] = 1.0;
    for k in range(n) {
        y = x;
        x[i] += y[i];
    }
})");
    EXPECT_NE(text.find("copy y = x"), std::string::npos) << text;
}

TEST(AlgorithmOptimise, WhatOneArmNeedsIsMadeThere) {
    EXPECT_EQ(optimised(R"(
def f(A: graph, s: vertex, n: int) -> y: vector<double> {
    if (n > 3) {
        x: vector<double>;
        x[s] = 1;
        y[i] = x[i];
    } else {
        z: vector<double>;
        if (n > 2) w[i] = sum[j](z[j] : A[i, j]);
        y[i] = z[i] + w[i];
    }
})"),
              R"(  create y: vector<float64>
  if (3:int32 < n)
    create x: vector<float64> of anything
    each i in vertices(A)
      own x[i] = 0:float64
    x[s]? = 1:float64
    each i.2 in vertices(A)
      own y[i.2] = own x[i.2]
  else
    create z: vector<float64> of anything
    create w: vector<float64>
    each i.3 in vertices(A)
      own z[i.3] = 0:float64
    if (2:int32 < n)
      each i.4 in vertices(A) along out A
        own w[i.4] = +[j in out A[i.4]](z[j])
    each i.5 in vertices(A)
      own y[i.5] = (own z[i.5] + own w[i.5])
)");
}

TEST(AlgorithmOptimise, OnlyWhatIsFilledAtOnceStartsAsAnything) {
    const std::string text = optimised(R"(
def f(A: graph, s: vertex)
        -> y: vector<double>, z: vector<double>, v: vector<double>, n: double {
    y[i] = 1.0;
    x[i]<(i > 3)> = 2.0;
    each i in vertices(A) {
        if (degree(A, i) == 0) return;
        z[i] = 1.0;
    }
    each i in vertices(A) v[i] = sum[j](v[j] : A[i, j]);
    n = sum[i](x[i] + z[i] + v[i]);
    require(n > 0, "none");
    u[i] = n;
    n += u[s];
})");
    for (const char* name : {"x", "z", "v", "u"}) {
        const std::string line = std::string("create ") + name + ": vector<";
        const std::size_t at = text.find(line);
        ASSERT_NE(at, std::string::npos) << name << text;
        EXPECT_EQ(text.substr(at, text.find('\n', at) - at).find("anything"), std::string::npos)
            << name << text;
    }
    EXPECT_NE(text.find("create y: vector<float64> of anything"), std::string::npos) << text;
}

TEST(AlgorithmOptimise, WhatDoesNotChangeInALoopIsDoneBefore) {
    EXPECT_EQ(optimised(R"(
def f(A: graph, n: int) -> y: vector<double> {
    for k in range(n) {
        w[i] = 1.0 / degree(A, i);
        y[i] += w[i];
        z[i] = sum[j](y[j] * w[j] : A[i, j]);
        y[i] = z[i];
    }
})"),
              R"(  create y: vector<float64>
  create w: vector<float64> of anything
  create z: vector<float64>
  each i in vertices(A)
    own w[i] = (1:float64 / float64(degree(out A, i)))
  for k from 0:int64 to int64(n) by 1:int64
    each i.2 in vertices(A)
      own y[i.2] += own w[i.2]
    each i.3 in vertices(A) along out A
      own z[i.3] = +[j in out A[i.3]]((y[j] * w[j]))
    each i.4 in vertices(A)
      own y[i.4] = own z[i.4]
)");
}

} // namespace
} // namespace tropic::language::algorithm
