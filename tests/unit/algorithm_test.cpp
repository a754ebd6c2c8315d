// Algorithms through the public interface, compiled and run.
#include <cmath>
#include <fstream>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "temporary_folder.h"
#include "tropic/algorithm.h"
#include "tropic/coordinates.h"
#include "tropic/error.h"
#include "tropic/generate.h"

namespace tropic {

namespace {

constexpr const char* search = R"(# How far vertices are.
def search(A: graph,             # where
           source: vertex,       # from
           most: int = 1000      # not farther than this
          ) -> level: vector<int>, depth: int, reached: set {
    level[i] = -1;
    level[source] = 0;
    front = {source};
    reached = {source};
    depth = 0;
    while (front) {
        if (depth == most) break;
        depth += 1;
        front[j]<level[j] < 0> = front[i] @(any, pair) A[i, j];
        level[j]<front> = depth;
        reached |= front;
    }
}
)";

struct AlgorithmTest : ::testing::Test {
    AlgorithmTest() { options.cache_directory = folder.file("cache"); }

    Algorithm make(const char* text) const { return Algorithm::from_text(text, options); }

    test::TemporaryFolder folder;
    AlgorithmOptions options;
};

/// The error of a call that must fail.
template <class Call> Diagnostic failure_of(const Call& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.diagnostic();
    }
    ADD_FAILURE() << "nothing went wrong";
    return {};
}

Tensor vector_of(const std::vector<double>& values) {
    return {{static_cast<Index>(values.size())},
            Format::dense_vector(),
            std::vector<Level>(1),
            Array::copy_of<double>(values, {}, "a vector"),
            true,
            true};
}

TEST_F(AlgorithmTest, SaysWhatItTakesAndGives) {
    const Algorithm algorithm = make(search);
    EXPECT_EQ(algorithm.name(), "search");
    ASSERT_EQ(algorithm.parameters().size(), 3u);
    const AlgorithmVariable& graph = algorithm.parameter("A");
    EXPECT_EQ(graph.kind, AlgorithmVariable::Kind::graph);
    EXPECT_TRUE(graph.required);
    EXPECT_TRUE(algorithm.parameter("source").vertex);
    const AlgorithmVariable& most = algorithm.parameter("most");
    EXPECT_FALSE(most.required);
    EXPECT_EQ(most.initial, "1000");
    ASSERT_EQ(algorithm.results().size(), 3u);
    EXPECT_EQ(algorithm.results()[0].type, "vector<int>");
    EXPECT_EQ(algorithm.results()[2].type, "set");
    EXPECT_EQ(failure_of([&] { algorithm.parameter("sorce"); }).hint, "did you mean source?");
    EXPECT_TRUE(Algorithm::is_algorithm(search));
    EXPECT_FALSE(Algorithm::is_algorithm("def main() { var x = 1; print(x); }"));
}

TEST_F(AlgorithmTest, RunsAndGivesTensorsAndNumbers) {
    const Algorithm algorithm = make(search);
    const PreparedGraph graph(generate("path:6"));
    for (const int threads : {1, 2}) {
        const Context context(ContextOptions{.threads = threads});
        const AlgorithmResult result = algorithm.run({{"A", graph}, {"source", 1}}, context);
        EXPECT_THAT(result.values<std::int32_t>("level"), ::testing::ElementsAre(1, 0, 1, 2, 3, 4));
        EXPECT_EQ(result.integer("depth"), 5);
        const Tensor& reached = result.tensor("reached");
        EXPECT_EQ(reached.format(), Format::sparse_vector());
        EXPECT_EQ(reached.entries(), 6);
        reached.check();
    }
    const AlgorithmResult near = algorithm.run({{"A", graph}, {"source", 1}, {"most", 2}});
    EXPECT_THAT(near.values<std::int32_t>("level"), ::testing::ElementsAre(1, 0, 1, 2, -1, -1));
    EXPECT_EQ(near.tensor("reached").entries(), 4);
}

TEST_F(AlgorithmTest, EmptyAndOneVertexGraphs) {
    const Algorithm algorithm = make(search);
    const AlgorithmResult one = algorithm.run({{"A", generate("path:1")}, {"source", 0}});
    EXPECT_THAT(one.values<std::int32_t>("level"), ::testing::ElementsAre(0));
    const Tensor none = matrix_from_edges(0, 0, Array::allocate(ElementType::int32, 0, {}, ""),
                                          Array::allocate(ElementType::int32, 0, {}, ""), {});
    const Diagnostic problem = failure_of([&] { algorithm.run({{"A", none}, {"source", 0}}); });
    EXPECT_EQ(problem.code, ErrorCode::range);
    EXPECT_EQ(problem.hint, "the graph has no vertices");
}

TEST_F(AlgorithmTest, IsCompiledOnceAndFoundAgain) {
    const Graph graph = generate("path:4");
    const auto run = [&](const AlgorithmOptions& with) {
        const Algorithm algorithm = Algorithm::from_text(search, with);
        algorithm.run({{"A", graph}, {"source", 0}});
        return algorithm.explanation().at(0);
    };
    EXPECT_THAT(run(options), ::testing::StartsWith("compiled and kept"));
    EXPECT_THAT(run(options), ::testing::StartsWith("compiled program found"));
    AlgorithmOptions wide = options;
    wide.wide = true;
    EXPECT_THAT(run(wide), ::testing::StartsWith("compiled and kept"));
    AlgorithmOptions uncached = options;
    uncached.cache = false;
    EXPECT_EQ(run(uncached), "compiled and not kept");
}

TEST_F(AlgorithmTest, WhatIsWrongWithArgumentsIsSaid) {
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

TEST_F(AlgorithmTest, GraphsHaveTheSameVertices) {
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

TEST_F(AlgorithmTest, MembersThatASetCannotHaveAreSaid) {
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

TEST_F(AlgorithmTest, MembersOfASetAreWhereSomethingIsNotZero) {
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

TEST_F(AlgorithmTest, SizesBelowZeroAreSaid) {
    const Algorithm algorithm =
        make("def f(A: graph, k: int) -> n: int64 { x: vector<int, k>; n = sum[i](x[i]); }");
    const PreparedGraph graph(generate("path:6"));
    EXPECT_EQ(algorithm.run({{"A", graph}, {"k", 0}}).integer("n"), 0);
    EXPECT_EQ(failure_of([&] { algorithm.run({{"A", graph}, {"k", -4}}); }).message,
              "x would have -4 elements");
}

TEST_F(AlgorithmTest, SizesAreAskedForWhereSomethingIsDeclared) {
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

TEST_F(AlgorithmTest, SizesOfArgumentsBelowZeroAreSaid) {
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

TEST_F(AlgorithmTest, AnArgumentIsGivenOnce) {
    const Diagnostic twice =
        failure_of([] { const Arguments wrong{{"a", 1}, {"b", 2}, {"a", 3}}; });
    EXPECT_EQ(twice.code, ErrorCode::usage);
    EXPECT_EQ(twice.message, "parameter a is given twice");
    const Algorithm algorithm = make("def f(a: int) -> n: int { n = a; }");
    EXPECT_EQ(algorithm.run(Arguments{{"a", 1}}.set("a", 3)).integer("n"), 3);
}

TEST_F(AlgorithmTest, ValuesAreConvertedAndPatternsAreOnesWithANote) {
    const Algorithm algorithm =
        make("def total(A: graph<double>) -> s: double { s = sum[i, j](A[i, j]); }");
    const AlgorithmResult ones = algorithm.run({{"A", generate("path:4")}});
    EXPECT_EQ(ones.number("s"), 6);
    EXPECT_THAT(ones.notes, ::testing::ElementsAre(::testing::HasSubstr("counts as 1")));
    const AlgorithmResult weighted = algorithm.run({{"A", generate("path:4,weights=5..5")}});
    EXPECT_EQ(weighted.number("s"), 30);
    EXPECT_TRUE(weighted.notes.empty());
}

TEST_F(AlgorithmTest, VectorsGoInAndOut) {
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

TEST_F(AlgorithmTest, ResultsAreNeverTheCallersOwnMemory) {
    const Algorithm algorithm = make(R"(
def same(A: graph, x: vector<double>) -> y: vector<double> {
    y = x;
}
)");
    const Tensor x = vector_of({1, 2, 3});
    const AlgorithmResult result = algorithm.run({{"A", generate("path:3")}, {"x", x}});
    EXPECT_THAT(result.values<double>("y"), ::testing::ElementsAre(1, 2, 3));
    EXPECT_NE(result.tensor("y").values().data(), x.values().data());
}

TEST_F(AlgorithmTest, FailuresNameTheirPlace) {
    const Algorithm algorithm = make(R"(
def strict(A: graph, k: int) -> s: int {
    require(k > 2, "k must be more than two");
    s = k;
}
)");
    const Graph graph = generate("path:3");
    EXPECT_EQ(algorithm.run({{"A", graph}, {"k", 3}}).integer("s"), 3);
    const Diagnostic problem = failure_of([&] { algorithm.run({{"A", graph}, {"k", 2}}); });
    EXPECT_EQ(problem.message, "k must be more than two");
    EXPECT_EQ(problem.line, 3);
}

TEST_F(AlgorithmTest, ALoopThatDoesNotEndIsEnded) {
    const Algorithm algorithm = make(R"(
def forever(A: graph) -> s: int {
    s = 0;
    while (size(A) > 0) s = 1 - s;
}
)");
    const Graph graph = generate("path:3");
    EXPECT_EQ(failure_of([&] { algorithm.run({{"A", graph}}, {}, {.timeout = 0.05}); }).code,
              ErrorCode::cancelled);
    const auto flag = std::make_shared<std::atomic<bool>>(false);
    std::thread later([flag] {
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        *flag = true;
    });
    EXPECT_EQ(failure_of([&] {
                  algorithm.run({{"A", graph}}, Context(ContextOptions{.cancelled = flag}));
              }).code,
              ErrorCode::cancelled);
    later.join();
}

TEST_F(AlgorithmTest, TellsHowFarItIs) {
    // Rounds that each check the clock, long enough to be reported several times.
    const Algorithm algorithm = make(R"(
def slow(A: graph, rounds: int) -> s: int {
    s = 0;
    for k in range(10, 10 + rounds) {
        m = 0;
        while (m < 100000) m += 1;
        s += m;
    }
}
)");
    std::vector<Progress> heard;
    const Context context(
        ContextOptions{.progress = [&](const Progress& step) { heard.push_back(step); }});
    constexpr int rounds = 200;
    algorithm.run({{"A", generate("path:3")}, {"rounds", rounds}}, context);
    ASSERT_GT(heard.size(), 1U);
    std::uint64_t last = 0;
    for (const Progress& step : heard) {
        EXPECT_GE(step.done, last);
        EXPECT_LT(step.done, static_cast<std::uint64_t>(rounds));
        EXPECT_EQ(step.total, static_cast<std::uint64_t>(rounds));
        last = step.done;
    }
    EXPECT_GT(last, 0U);
}

TEST_F(AlgorithmTest, MembersThatDoNotEndAreEndedToo) {
    const Algorithm algorithm = make(R"(
def forever(A: graph) -> x: vector<int> {
    each i in vertices(A) {
        k = 0;
        while (k >= 0) k = 1 - k;
        x[i] = k;
    }
}
)");
    EXPECT_EQ(
        failure_of([&] { algorithm.run({{"A", generate("path:3")}}, {}, {.timeout = 0.05}); }).code,
        ErrorCode::cancelled);
}

TEST_F(AlgorithmTest, LoopsInsideLoopsAreEndedToo) {
    const std::vector<const char*> bodies = {
        "x[i] = sum[j, k, l]((i * j + k * l) % 7);",
        "n = sum[i](sum[j](sum[k](sum[l](i * j + k * l % 7))));",
        "each i in vertices(A) { for k in range(0, limit) x[i] += 1; }",
        "each i in vertices(A) { for k in range(limit, 0, -1) n += x[i] * k; }",
        "all = {i : i >= 0}; x[i] = sum[j](sum[k](sum[l](k * l : all[l]) : all[k]) : all[j]);",
        ("each i in vertices(A) { for j in A[i] for k in A[j] for l in range(0, size(A) * size(A))"
         " for m in A[k] n += l; }")};
    const PreparedGraph graph(generate("complete:2000"));
    for (const char* body : bodies) {
        const Algorithm algorithm =
            make((std::string("def f(A: graph, limit: int64) -> n: int64, x: vector<int64> { ") +
                  body + " }")
                     .c_str());
        for (const int threads : {1, 2}) {
            const auto began = std::chrono::steady_clock::now();
            EXPECT_EQ(failure_of([&] {
                          algorithm.run({{"A", graph}, {"limit", std::int64_t{1} << 60}},
                                        Context({.threads = threads}), {.timeout = 0.05});
                      }).code,
                      ErrorCode::cancelled)
                << body;
            EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(20)) << body;
        }
    }
}

TEST_F(AlgorithmTest, TimesThatAreNoneAreRefused) {
    const Algorithm algorithm = make("def f(A: graph) -> n: int64 { n = size(A); }");
    const Graph graph = generate("path:3");
    for (const double timeout : {-1.0, std::nan("")}) {
        EXPECT_EQ(failure_of([&] { algorithm.run({{"A", graph}}, {}, {.timeout = timeout}); }).code,
                  ErrorCode::usage);
    }
    EXPECT_EQ(algorithm.run({{"A", graph}}, {}, {.timeout = INFINITY}).integer("n"), 3);
}

TEST_F(AlgorithmTest, NumbersThatDoNotFitAreRefused) {
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

TEST_F(AlgorithmTest, TypesThatTheTextDoesNotHaveAreSaid) {
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

TEST_F(AlgorithmTest, TablesAndCountedVectorsGoIn) {
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

TEST_F(AlgorithmTest, ResultsThatNothingIsAssignedToAreNoted) {
    const Algorithm algorithm = make("def f(A: graph) -> n: int64, x: vector<int>, y: vector<int> {"
                                     " n = size(A); y[0] += 1; }");
    EXPECT_THAT(algorithm.run({{"A", generate("path:3")}}).notes,
                ::testing::ElementsAre("nothing is assigned to the result x of f"));
}

TEST_F(AlgorithmTest, RandomNumbersOfNothingAreSaid) {
    const Algorithm algorithm =
        make("def f(A: graph, n: int) -> x: vector<int64> { x[i] = random_int(1, i, n); }");
    const PreparedGraph graph(generate("path:3"));
    EXPECT_THAT(algorithm.run({{"A", graph}, {"n", 1}}).values<std::int64_t>("x"),
                ::testing::Each(0));
    for (const int n : {0, -5}) {
        EXPECT_EQ(failure_of([&] { algorithm.run({{"A", graph}, {"n", n}}); }).message,
                  "random_int(seed, i, n) wants an n of at least 1");
    }
}

TEST_F(AlgorithmTest, MemoryIsLimited) {
    const Algorithm algorithm = make(search);
    const PreparedGraph graph(generate("path:200000"));
    const Diagnostic problem = failure_of([&] {
        algorithm.run({{"A", graph}, {"source", 0}},
                      Context(ContextOptions{.memory_limit = 500'000}));
    });
    EXPECT_EQ(problem.code, ErrorCode::out_of_memory);
}

TEST_F(AlgorithmTest, RoundsAndTimesAreRecordedIfAsked) {
    const Algorithm algorithm = make(search);
    const PreparedGraph graph(generate("kron:10"));
    const AlgorithmResult silent = algorithm.run({{"A", graph}, {"source", 3}});
    EXPECT_TRUE(silent.rounds.empty());
    EXPECT_TRUE(silent.times.empty());
    const AlgorithmResult result = algorithm.run({{"A", graph}, {"source", 3}}, {},
                                                 {.time_statements = true, .record_rounds = true});
    ASSERT_FALSE(result.rounds.empty());
    EXPECT_EQ(result.rounds[0].frontier, 1);
    EXPECT_EQ(result.rounds[0].iteration, 0);
    EXPECT_GE(result.rounds[0].edges, 0);
    EXPECT_FALSE(result.times.empty());
    EXPECT_THAT(result.values<std::int32_t>("level"),
                ::testing::ElementsAreArray(silent.values<std::int32_t>("level")));
}

TEST_F(AlgorithmTest, SeveralThreadsShareOneAlgorithmAndOneGraph) {
    const Algorithm algorithm = make(search);
    const PreparedGraph graph(generate("kron:9"));
    const AlgorithmResult expected = algorithm.run({{"A", graph}, {"source", 1}});
    std::vector<std::thread> threads;
    for (int number = 0; number < 6; ++number) {
        threads.emplace_back([&] {
            const Context context(ContextOptions{.threads = 2});
            for (int round = 0; round < 5; ++round) {
                const AlgorithmResult result =
                    algorithm.run({{"A", graph}, {"source", 1}}, context);
                EXPECT_THAT(result.values<std::int32_t>("level"),
                            ::testing::ElementsAreArray(expected.values<std::int32_t>("level")));
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
}

TEST_F(AlgorithmTest, WhatItPrintsIsCollectedOrHandedOn) {
    const Algorithm algorithm = make("def say(A: graph) -> n: int { n = size(A); print(n); }");
    EXPECT_EQ(algorithm.run({{"A", generate("path:7")}}).printed, "7\n");
    std::string heard;
    const AlgorithmResult result = algorithm.run(
        {{"A", generate("path:7")}}, {}, {.print = [&](std::string_view text) { heard += text; }});
    EXPECT_EQ(heard, "7\n");
    EXPECT_EQ(result.printed, "");
}

TEST_F(AlgorithmTest, StagesAreShown) {
    const Algorithm algorithm = make(search);
    EXPECT_FALSE(algorithm.show(AlgorithmStage::syntax_tree).empty());
    EXPECT_THAT(algorithm.show(AlgorithmStage::algorithm), ::testing::HasSubstr("each"));
    EXPECT_THAT(algorithm.show(AlgorithmStage::llvm), ::testing::HasSubstr("define"));
    EXPECT_FALSE(algorithm.show(AlgorithmStage::assembly).empty());
    algorithm.write_shared_object(folder.file("search.so"));
    EXPECT_GT(std::ifstream(folder.file("search.so"), std::ios::ate).tellg(), 1000);
}

TEST_F(AlgorithmTest, TheLibraryIsFound) {
    EXPECT_THAT(Algorithm::library(), ::testing::Contains("bfs"));
    EXPECT_EQ(failure_of([] { Algorithm::from_library("bsf"); }).hint, "did you mean bfs?");
    EXPECT_EQ(failure_of([] { Algorithm::from_library("../library/bfs"); }).code,
              ErrorCode::not_found);
}

} // namespace

} // namespace tropic
