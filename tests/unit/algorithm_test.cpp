// Algorithms through the public interface, compiled and run.
#include <cmath>
#include <fstream>
#include <thread>

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
using AlgorithmTest = test::AlgorithmFixture;

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
