// What algorithms are given: graphs, vectors, sets, numbers, and what is wrong with them.
#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "algorithm_fixture.h"
#include "tropic/coordinates.h"
#include "tropic/generate.h"

namespace tropic {

namespace {

using test::failure_of;
using test::search;
using test::vector_of;
using AlgorithmArguments = test::AlgorithmFixture;

TEST_F(AlgorithmArguments, WhatIsWrongWithArgumentsIsSaid) {
    const Algorithm algorithm = make(search);
    const PreparedGraph graph(generate("path:6"));
    const auto fails = [&](const Arguments& arguments) {
        return failure_of([&] { algorithm.run(arguments); });
    };
    EXPECT_EQ(fails({{"A", graph}}).message, "parameter source of search is not given");
    EXPECT_EQ(fails({{"A", graph}, {"source", 6}}).message,
              "source is 6, and there is no such vertex");
    EXPECT_EQ(fails({{"A", graph}, {"source", -1}}).code, ErrorCode::range);
    EXPECT_EQ(fails({{"A", graph}, {"source", 0}, {"mots", 3}}).hint, "did you mean most?");
    EXPECT_EQ(fails({{"A", graph}, {"source", 0}, {"most", 2.5}}).code, ErrorCode::usage);
    EXPECT_EQ(fails({{"A", 3}, {"source", 0}}).code, ErrorCode::usage);
    const std::vector<std::int32_t> ends = {0, 2};
    const Array list = Array::copy_of<std::int32_t>(ends, {}, "ends");
    const Tensor rectangular = matrix_from_edges(3, 4, list, list, {});
    EXPECT_EQ(fails({{"A", rectangular}, {"source", 0}}).code, ErrorCode::inconsistent);
    EXPECT_EQ(fails({{"A", graph}, {"source", 0}, {"most", std::int64_t{1} << 40}}).code,
              ErrorCode::range);
}

TEST_F(AlgorithmArguments, GraphsHaveTheSameVertices) {
    const Algorithm two = make(R"(
def two(A: graph, B: graph) -> x: vector<int> {
    x[i] = degree(A, i) + 10 * degree(B, i);
}
)");
    const PreparedGraph small(generate("path:4"));
    const PreparedGraph large(generate("ring:3000"));
    EXPECT_THAT(two.run({{"A", small}, {"B", generate("ring:4")}}).values<std::int32_t>("x"),
                ::testing::ElementsAre(21, 22, 22, 21));
    EXPECT_EQ(failure_of([&] { two.run({{"A", small}, {"B", large}}); }).message,
              "A has 4 vertices and B has 3000");
    EXPECT_EQ(failure_of([&] { two.run({{"A", large}, {"B", small}}); }).code,
              ErrorCode::inconsistent);
    // A graph whose columns have a name of their own has rows of its own as well.
    const Algorithm apart = make(R"(
def apart(A: graph, B: graph) -> x: vector<int>, y: vector<int, columns(B)> {
    x[i] = degree(A, i);
    y[j] = sum[i](B[i, j]);
}
)");
    EXPECT_EQ(apart.run({{"A", small}, {"B", large}}).values<std::int32_t>("y").size(), 3000U);
}

TEST_F(AlgorithmArguments, MembersThatASetCannotHaveAreSaid) {
    const Algorithm algorithm = make("def f(A: graph, s: set) -> n: int64 { n = count(s); }");
    const auto set = [](std::int32_t member) {
        std::vector<Level> levels(1);
        levels[0].kind = LevelKind::compressed;
        levels[0].pos = Array::copy_of<std::int32_t>(std::vector<std::int32_t>{0, 1}, {}, "ends");
        levels[0].crd = Array::copy_of<std::int32_t>(std::vector<std::int32_t>{member}, {}, "set");
        return Tensor({6}, Format::sparse_vector(), std::move(levels),
                      Array::copy_of<std::int32_t>(std::vector<std::int32_t>{1}, {}, "ones"), true,
                      true);
    };
    const PreparedGraph graph(generate("path:6"));
    EXPECT_EQ(algorithm.run({{"A", graph}, {"s", set(5)}}).integer("n"), 1);
    for (const std::int32_t member : {6, -1, 100000000}) {
        EXPECT_EQ(failure_of([&] { algorithm.run({{"A", graph}, {"s", set(member)}}); }).code,
                  ErrorCode::range)
            << member;
    }
}

TEST_F(AlgorithmArguments, MembersOfASetAreWhereSomethingIsNotZero) {
    const Algorithm algorithm =
        make("def f(A: graph, s: set) -> n: int64 { n = sum[i](1 + i : s[i]); }");
    const PreparedGraph graph(generate("path:4"));
    const auto dense = [](Array values) {
        return Tensor({4}, Format::dense(1), std::vector<Level>(1), std::move(values), true, true);
    };
    const auto run = [&](const Tensor& set) {
        return algorithm.run({{"A", graph}, {"s", set}}).integer("n");
    };
    EXPECT_EQ(run(dense(Array::copy_of<std::int32_t>(std::vector<std::int32_t>{1, 0, 2, 0}, {},
                                                     "numbers"))),
              4);
    EXPECT_EQ(run(dense(Array::copy_of<double>(std::vector<double>{0, 0.5, 0, -1}, {}, "reals"))),
              6);
    std::vector<Level> levels(1);
    levels[0].kind = LevelKind::compressed;
    levels[0].pos = Array::copy_of<std::int32_t>(std::vector<std::int32_t>{0, 2}, {}, "ends");
    levels[0].crd = Array::copy_of<std::int32_t>(std::vector<std::int32_t>{1, 3}, {}, "set");
    const auto sparse = [&](Array values) {
        return Tensor({4}, Format::sparse_vector(), levels, std::move(values), true, true);
    };
    EXPECT_EQ(run(sparse(Array::copy_of<std::int32_t>(std::vector<std::int32_t>{5, 0}, {}, ""))),
              2);
    EXPECT_EQ(run(sparse(Array::allocate(ElementType::pattern, 2, {}, ""))), 6);
}

TEST_F(AlgorithmArguments, SizesBelowZeroAreSaid) {
    const Algorithm algorithm =
        make("def f(A: graph, k: int) -> n: int64 { x: vector<int, k>; n = sum[i](x[i]); }");
    const PreparedGraph graph(generate("path:6"));
    EXPECT_EQ(algorithm.run({{"A", graph}, {"k", 0}}).integer("n"), 0);
    EXPECT_EQ(failure_of([&] { algorithm.run({{"A", graph}, {"k", -4}}); }).message,
              "x would have -4 elements");
}

TEST_F(AlgorithmArguments, SizesAreAskedForWhereSomethingIsDeclared) {
    // Whoever does not come to a declaration is not asked; with -4 nobody comes to it.
    const std::vector<std::pair<const char*, int>> cases = {
        {"if (k != -4) { x: vector<int, k>; x[i] = 2; n = sum[i](x[i]); }", 8},
        {"if (k != -4) { x: vector<int, k>; x[i] = 2; } if (k != -4) n = sum[i](x[i]);", 8},
        {"r = 0; while (r < 3) { r += 1; if (k != -4) { x: vector<int, k>; x[0] += r; "
         "n += sum[i](x[i]); } }",
         6},
        {"if (k != -4) { t: table<int, k, k>; t[1, 2] = 5; n = t[1, 2] + t[2, 1]; }", 5},
        {"if (k != -4) { t: sparse<int, k>; t[2] = 5; n = t[2] + count(t); }", 6},
        {"if (k != -4) { s: set<k>; insert(s, 3); n = count(s); }", 1},
        {"if (k != -4) { x: vector<int, k>; x[i] = 2; y[i]<x[i] > 1> = x[i]; n = sum[i](y[i]); }",
         8},
        {"if (k == -4) return; x: vector<int, k>; x[1] += 2; n = sum[i](x[i]);", 2},
        {"require(k != -4, \"one\"); x: vector<int, k>; x[1] += 2; n = sum[i](x[i]);", 2},
        {"r = 0; while (r < 2) { r += 1; n += g(k); }", 6}};
    const PreparedGraph graph(generate("path:6"));
    for (const char* const type : {"int", "int64"}) {
        for (const auto& [body, expected] : cases) {
            for (const bool optimise : {true, false}) {
                options.optimise = optimise;
                const std::string text =
                    fmt::format("def f(A: graph, k: {0}) -> n: int64 {{ {1} }}\n"
                                "def g(k: {0}) -> n: int64 {{ if (k == -4) return; "
                                "y: vector<int, k>; y[0] += 3; n = sum[i](y[i]); }}\n",
                                type, body);
                const Algorithm algorithm = make(text.c_str());
                EXPECT_EQ(algorithm.run({{"A", graph}, {"k", 4}}).integer("n"), expected) << text;
                const Diagnostic asked =
                    failure_of([&] { algorithm.run({{"A", graph}, {"k", -5}}); });
                EXPECT_THAT(asked.message, testing::HasSubstr(" would have -5 ")) << text;
                if (std::string_view(body).starts_with("require")) continue;
                EXPECT_EQ(algorithm.run({{"A", graph}, {"k", -4}}).integer("n"), 0) << text;
            }
        }
    }
}

TEST_F(AlgorithmArguments, SizesOfArgumentsBelowZeroAreSaid) {
    const PreparedGraph graph(generate("path:6"));
    const Algorithm algorithm = make("def f(A: graph, k: int,\n"
                                     "x: vector<double, k - 1>) -> n: int64 { n = size(x); }");
    EXPECT_EQ(algorithm.run({{"A", graph}, {"k", 3}, {"x", vector_of({1, 2})}}).integer("n"), 2);
    const Diagnostic wrong =
        failure_of([&] { algorithm.run({{"A", graph}, {"k", -4}, {"x", vector_of({1, 2})}}); });
    EXPECT_EQ(wrong.code, ErrorCode::range);
    EXPECT_EQ(wrong.message, "x would have -5 elements");
    EXPECT_EQ(wrong.line, 2);
    const Algorithm members =
        make("def f(A: graph, k: int, s: set<k>) -> n: int64 { n = size(s); }");
    EXPECT_EQ(failure_of([&] {
                  members.run({{"A", graph}, {"k", -4}, {"s", vector_of({1, 2})}});
              }).message,
              "s would have -4 elements");
}

TEST_F(AlgorithmArguments, AnArgumentIsGivenOnce) {
    const Diagnostic twice =
        failure_of([] { const Arguments wrong{{"a", 1}, {"b", 2}, {"a", 3}}; });
    EXPECT_EQ(twice.code, ErrorCode::usage);
    EXPECT_EQ(twice.message, "parameter a is given twice");
    const Algorithm algorithm = make("def f(a: int) -> n: int { n = a; }");
    EXPECT_EQ(algorithm.run(Arguments{{"a", 1}}.set("a", 3)).integer("n"), 3);
}

TEST_F(AlgorithmArguments, ValuesAreConvertedAndPatternsAreOnesWithANote) {
    const Algorithm algorithm =
        make("def total(A: graph<double>) -> s: double { s = sum[i, j](A[i, j]); }");
    const AlgorithmResult ones = algorithm.run({{"A", generate("path:4")}});
    EXPECT_EQ(ones.number("s"), 6);
    EXPECT_THAT(ones.notes, ::testing::ElementsAre(::testing::HasSubstr("counts as 1")));
    const AlgorithmResult weighted = algorithm.run({{"A", generate("path:4,weights=5..5")}});
    EXPECT_EQ(weighted.number("s"), 30);
    EXPECT_TRUE(weighted.notes.empty());
}

TEST_F(AlgorithmArguments, VectorsGoInAndOut) {
    const Algorithm algorithm = make(R"(
def multiply(A: graph<double>, x: vector<double>) -> y: vector<double> {
    y[i] = A[i, j] @(+, *) x[j];
}
)");
    const Tensor x = vector_of({1, 10, 100, 1000});
    const AlgorithmResult result = algorithm.run({{"A", generate("path:4")}, {"x", x}});
    EXPECT_THAT(result.values<double>("y"), ::testing::ElementsAre(10, 101, 1010, 100));
    EXPECT_EQ(x.values().value_at(0), 1);
    EXPECT_EQ(failure_of([&] { algorithm.run({{"A", generate("path:3")}, {"x", x}}); }).code,
              ErrorCode::inconsistent);
}

TEST_F(AlgorithmArguments, NumbersThatDoNotFitAreRefused) {
    const Algorithm algorithm =
        make("def f(A: graph, a: int8 = 0, b: uint64 = 0) -> n: uint64 { n = b + uint64(a); }");
    const PreparedGraph graph(generate("path:3"));
    const auto code = [&](const char* name, const Argument& value) {
        return failure_of([&] { algorithm.run({{"A", graph}, {name, value}}); }).code;
    };
    EXPECT_EQ(code("a", 128), ErrorCode::range);
    EXPECT_EQ(code("a", -129), ErrorCode::range);
    EXPECT_EQ(code("b", -1), ErrorCode::range);
    EXPECT_EQ(code("a", UINT64_MAX), ErrorCode::range);
    EXPECT_EQ(code("b", 18446744073709551616.0), ErrorCode::range);
    EXPECT_EQ(code("b", std::nan("")), ErrorCode::usage);
    EXPECT_EQ(code("a", INFINITY), ErrorCode::range);
    const auto result = [&](const Argument& value) {
        return static_cast<std::uint64_t>(algorithm.run({{"A", graph}, {"b", value}}).integer("n"));
    };
    EXPECT_EQ(result(std::uint64_t{INT64_MAX}), std::uint64_t{INT64_MAX});
    EXPECT_EQ(result(UINT64_MAX), UINT64_MAX);
    EXPECT_EQ(result(std::uint64_t{1} << 63), std::uint64_t{1} << 63);
    EXPECT_EQ(result(9223372036854775808.0), std::uint64_t{1} << 63);
    EXPECT_EQ(Argument(UINT64_MAX).number(), 18446744073709551616.0);
    EXPECT_FALSE(Argument(graph).number().has_value());
    // The largest of a type as its default.
    const Algorithm most = make("def f(A: graph, b: uint64 = infinity) -> n: uint64 { n = b; }");
    EXPECT_EQ(most.parameter("b").initial, "18446744073709551615");
    EXPECT_EQ(static_cast<std::uint64_t>(most.run({{"A", graph}}).integer("n")), UINT64_MAX);
}

TEST_F(AlgorithmArguments, TypesThatTheTextDoesNotHaveAreSaid) {
    AlgorithmOptions wrong = options;
    wrong.types = {{"wieght", "double"}};
    const Diagnostic problem = failure_of([&] {
        Algorithm::from_text("type weight = int;\n"
                             "def f(A: graph<weight>) -> n: weight { n = sum[i, j](A[i, j]); }",
                             wrong);
    });
    EXPECT_EQ(problem.code, ErrorCode::usage);
    EXPECT_EQ(problem.accepted, "weight");
}

TEST_F(AlgorithmArguments, TablesAndCountedVectorsGoIn) {
    const Algorithm algorithm =
        make("def f(A: graph, n: int, t: table<float, 2>, x: vector<double, n>,"
             " u: table<int, n + 1, size(A)>) -> s: double {"
             " s = sum[i, c](t[i, c] * (c + 1)) + sum[i](x[i]) + sum[i, c](u[i, c]); }");
    const auto table_of = [](Index rows, Index columns, const std::vector<double>& values) {
        return Tensor({rows, columns}, Format::dense(2), std::vector<Level>(2),
                      Array::copy_of<double>(values, {}, "a table"), true, true);
    };
    const PreparedGraph graph(generate("path:3"));
    const Tensor t = table_of(3, 2, {1, 2, 3, 4, 5, 6});
    const Tensor u = table_of(3, 3, {1, 1, 1, 1, 1, 1, 1, 1, 1});
    const Tensor x = vector_of({10, 20});
    EXPECT_EQ(algorithm.run({{"A", graph}, {"n", 2}, {"t", t}, {"x", x}, {"u", u}}).number("s"),
              1 + 3 + 5 + 2 * (2 + 4 + 6) + 30 + 9);
    EXPECT_EQ(failure_of([&] {
                  algorithm.run({{"A", graph}, {"n", 3}, {"t", t}, {"x", x}, {"u", u}});
              }).message,
              "x has 2 elements, and its space has 3");
    EXPECT_EQ(failure_of([&] {
                  algorithm.run({{"A", graph}, {"n", 2}, {"t", u}, {"x", x}, {"u", u}});
              }).message,
              "t has 3 elements, and its space has 2");
}

} // namespace

} // namespace tropic
