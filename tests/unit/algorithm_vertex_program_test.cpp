// Vertex programs against the same rounds done by hand: those whose `reduce` is a formula of their
// own, those whose messages are truths, and those that end when little changes.
#include <functional>
#include <limits>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tropic/algorithm.h"
#include "tropic/coordinates.h"

namespace tropic {
namespace {

/// 0 -> 1 (2), 0 -> 2 (5), 1 -> 2 (1), 2 -> 3 (4), 3 -> 1 (7), 4 -> 0 (3); 5 stands alone.
const std::vector<std::int32_t> from = {0, 0, 1, 2, 3, 4};
const std::vector<std::int32_t> to = {1, 2, 2, 3, 1, 0};
const std::vector<std::int32_t> value = {2, 5, 1, 4, 7, 3};

Tensor graph() {
    const auto list = [](const std::vector<std::int32_t>& of) {
        return Array::copy_of<std::int32_t>(of, {}, "a list");
    };
    return matrix_from_edges(6, 6, list(from), list(to), list(value));
}

using Join = std::int32_t (*)(std::int32_t, std::int32_t);

/// Rounds in which those whose number changed send it, times the value of the edge.
std::vector<std::int32_t> by_hand(Join join, int rounds, bool all, bool backwards) {
    std::vector<std::int32_t> x(6, 1);
    std::vector<bool> active(6, true);
    for (int round = 0; round < rounds; ++round) {
        std::vector<std::int32_t> joined(6);
        std::vector<bool> any(6, false);
        for (std::size_t sender = 0; sender < 6; ++sender) { // in the order of the senders
            if (!active[sender] && !all) continue;
            for (std::size_t e = 0; e < from.size(); ++e) {
                const auto begin = static_cast<std::size_t>(backwards ? to[e] : from[e]);
                const auto end = static_cast<std::size_t>(backwards ? from[e] : to[e]);
                if (begin != sender) continue;
                const std::int32_t message = x[sender] * value[e] % 1009;
                joined[end] = any[end] ? join(joined[end], message) : message;
                any[end] = true;
            }
        }
        for (std::size_t v = 0; v < 6; ++v) {
            active[v] = any[v] && joined[v] != x[v];
            if (any[v]) x[v] = joined[v];
        }
    }
    return x;
}

struct Case {
    const char* name;
    const char* reduce;
    Join join;
    bool all = false;
    bool backwards = false;
};

const std::vector<Case> cases = {
    {"one_more", "a + b + 1", [](std::int32_t a, std::int32_t b) { return a + b + 1; }},
    {"in_order", "(a * 31 + b) % 1009",
     [](std::int32_t a, std::int32_t b) { return (a * 31 + b) % 1009; }},
    {"chosen", "a < b ? a : b", [](std::int32_t a, std::int32_t b) { return a < b ? a : b; }},
    {"by_all", "a + 2 * b", [](std::int32_t a, std::int32_t b) { return a + 2 * b; }, true},
    {"backwards", "a + 2 * b", [](std::int32_t a, std::int32_t b) { return a + 2 * b; }, false,
     true},
};

class VertexProgram : public ::testing::TestWithParam<Case> {};

TEST_P(VertexProgram, JoinsByAFormulaOfItsOwn) {
    const Case& one = GetParam();
    const std::string text =
        std::string("program p(A: graph<int>) -> x: vector<int> {\n    vertex x: int = 1;\n") +
        (one.all ? "all;" : "") + (one.backwards ? "edges in;" : "") +
        "send(v) = v.x; process(m, w) = m * w % 1009; reduce(a, b) = " + one.reduce +
        "; apply(v, r) { v.x = r; } until 3 rounds; }";
    const Algorithm algorithm = Algorithm::from_text(text, {.cache = false});
    for (const int threads : {1, 2}) {
        const AlgorithmResult result =
            algorithm.run({{"A", graph()}}, Context({.threads = threads}));
        EXPECT_THAT(result.values<std::int32_t>("x"),
                    ::testing::ElementsAreArray(by_hand(one.join, 3, one.all, one.backwards)));
    }
}

INSTANTIATE_TEST_SUITE_P(Reduces, VertexProgram, ::testing::ValuesIn(cases),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(VertexProgram, DataMayBeARecord) {
    const Algorithm algorithm = Algorithm::from_text(R"(
record Near { who: vertex; far: int; }
program p(A: graph<int>, s: vertex) -> x: vector<Near>, dist: vector<int> {
    vertex x: Near = Near(none, 1000);
    vertex dist: int = 1000;
    start { x[s] = Near(s, 0); dist[s] = 0; active = {s}; }
    send(v) = v.x;
    process(m, w) = Near(m.who, m.far + w);
    reduce(a, b) = a.far < b.far ? a : b;
    apply(v, r) { if (r.far < v.x.far) { v.x = r; v.dist = r.far; } }
}
)",
                                                     {.cache = false});
    const AlgorithmResult result = algorithm.run({{"A", graph()}, {"s", 0}});
    EXPECT_THAT(result.values<std::int32_t>("dist"),
                ::testing::ElementsAre(0, 2, 3, 7, 1000, 1000));
}

TEST(VertexProgram, DataMayHaveLanes) {
    const Algorithm algorithm = Algorithm::from_text(R"(
program p(A: graph<int>) -> x: vector<int[2]>, n: vector<int> {
    vertex x: int[2] = 0;
    vertex n: int = 0;
    start { x[0] = lanes(1, 0); x[4] = lanes(0, 1); }
    send(v) = v.x;
    reduce(a, b) = max(a, b);
    apply(v, r) { v.x = max(v.x, r); v.n = v.x[0] * 10 + v.x[1]; }
}
)",
                                                     {.cache = false});
    const AlgorithmResult result = algorithm.run({{"A", graph()}});
    EXPECT_THAT(result.values<std::int32_t>("n"), ::testing::ElementsAre(11, 11, 11, 11, 0, 0));
}

/// What comes to everybody in one round in which all send that they are not 0.
std::vector<std::int32_t> truths_by_hand(const std::function<bool(bool, bool)>& join, bool nothing,
                                         bool all, bool both) {
    std::vector<std::int32_t> seen(6, 0);
    for (std::int32_t v = 0; v < 6; ++v) {
        bool any = false;
        bool joined = nothing;
        const auto take = [&](std::int32_t sender) {
            joined = any ? join(joined, sender != 0) : sender != 0;
            any = true;
        };
        for (std::size_t e = 0; e < from.size(); ++e) {
            if (to[e] == v) take(from[e]);
            if (both && from[e] == v) take(to[e]);
        }
        if (any || all) seen[static_cast<std::size_t>(v)] = joined ? 1 : 2;
    }
    return seen;
}

TEST(VertexProgram, MessagesThatAreFalseComeAsWell) {
    struct Truths {
        const char* reduce;
        std::function<bool(bool, bool)> join;
        bool nothing;
    };
    const std::vector<Truths> all_truths = {
        {"a || b", std::logical_or<>(), false},    {"a | b", std::logical_or<>(), false},
        {"max(a, b)", std::logical_or<>(), false}, {"a && b", std::logical_and<>(), true},
        {"a & b", std::logical_and<>(), true},     {"min(b, a)", std::logical_and<>(), true}};
    for (const Truths& one : all_truths) {
        for (const bool all : {false, true}) {
            for (const bool both : {false, true}) {
                const std::string text =
                    std::string("program p(A: graph<int>) -> seen: vector<int> {\n") +
                    "    vertex seen: int;\n" + (all ? "all;" : "") + (both ? "edges both;" : "") +
                    "send(v) = v != 0; reduce(a, b) = " + one.reduce +
                    "; apply(v, r) { v.seen = r ? 1 : 2; } until 1 rounds; }";
                for (const bool optimise : {false, true}) {
                    const Algorithm algorithm =
                        Algorithm::from_text(text, {.optimise = optimise, .cache = false});
                    const AlgorithmResult result = algorithm.run({{"A", graph()}});
                    EXPECT_THAT(result.values<std::int32_t>("seen"),
                                ::testing::ElementsAreArray(
                                    truths_by_hand(one.join, one.nothing, all, both)))
                        << text;
                }
            }
        }
    }
}

TEST(VertexProgram, WithoutMessagesAProductIsOne) {
    const Algorithm algorithm = Algorithm::from_text(R"(
program p(A: graph<int>) -> x: vector<int> {
    vertex x: int = 5;
    start { few = {0, 2}; }
    all;
    send(v) = v.x if few[v];
    reduce(a, b) = a * b;
    apply(v, r) { v.x = r; }
    until 1 rounds;
}
)",
                                                     {.cache = false});
    const AlgorithmResult result = algorithm.run({{"A", graph()}});
    EXPECT_THAT(result.values<std::int32_t>("x"), ::testing::ElementsAre(1, 5, 5, 5, 1, 1));
}

TEST(VertexProgram, WhatStaysInfiniteHasNotChanged) {
    const Algorithm algorithm = Algorithm::from_text(R"(
program p(A: graph<double>) -> x: vector<double> {
    vertex x: double = infinity;
    start { x[0] = 0; }
    send(v) = v.x;
    process(m, w) = m + w;
    reduce(a, b) = min(a, b);
    apply(v, r) { v.x = min(v.x, r); }
    until change < 0.001;
}
)",
                                                     {.cache = false});
    const double inf = std::numeric_limits<double>::infinity();
    const AlgorithmResult result = algorithm.run({{"A", graph()}});
    EXPECT_THAT(result.values<double>("x"), ::testing::ElementsAre(0, 2, 3, 7, inf, inf));
}

TEST(VertexProgram, UnsignedDataChangesByItsDifference) {
    // The first round changes four vertices by 4 each.
    const Algorithm algorithm = Algorithm::from_text(R"(
program p(A: graph<int>) -> x: vector<uint32> {
    vertex x: uint32 = 8;
    send(v) = v.x / 2;
    reduce(a, b) = max(a, b);
    apply(v, r) { v.x = r; }
    until change < 30;
}
)",
                                                     {.cache = false});
    const AlgorithmResult result = algorithm.run({{"A", graph()}});
    EXPECT_THAT(result.values<std::uint32_t>("x"), ::testing::ElementsAre(4, 4, 4, 4, 8, 8));
}

TEST(VertexProgram, StartSaysWhoIsActiveByInserting) {
    for (const char* const start : {"active = {4};", "active |= {4};", "insert(active, 4);",
                                    "active[i] = i == 4;", "if (insert(active, 4)) x[5] = 1;"}) {
        const Algorithm algorithm = Algorithm::from_text(
            std::string(
                "program p(A: graph<int>) -> x: vector<int> { vertex x: int = 1; start { ") +
                start +
                " } send(v) = v.x; reduce(a, b) = a + b; apply(v, r) { v.x = r + 1; } "
                "until 1 rounds; }",
            {.cache = false});
        const AlgorithmResult result = algorithm.run({{"A", graph()}});
        EXPECT_THAT(result.values<std::int32_t>("x"), ::testing::ElementsAre(2, 1, 1, 1, 1, 1))
            << start;
    }
}

/// All are active, and most of them are nowhere: no sum leads on from there, whether `reduce` is
/// known to be a minimum or is a formula of the program's own.
template <class T> void sums_from_nowhere(const char* type, bool least, T nowhere) {
    const std::vector<const char*> reduces = least ? std::vector{"min(a, b)", "a < b ? a : b"}
                                                   : std::vector{"max(a, b)", "a > b ? a : b"};
    for (const char* const process :
         {"m + w", "w + m", "0 + w + m", "m - 1 + w + 1", "w - (1 - m) + 1", "w > 0 ? m + w : m",
          "plus(m, w)", "(m + w) * 1", "max(m + w, m + w)"}) {
        for (const char* const reduce : reduces) {
            const std::string text = fmt::format(
                "operator plus(a, b) = a + b;\nprogram f(A: graph<int>) -> x: vector<{0}> {{\n"
                "vertex x: {0} = {1}infinity;\nall;\nstart {{ x[1] = 0; }}\n"
                "send(v) = v.x;\nprocess(m, w) = {2};\nreduce(a, b) = {3};\n"
                "apply(v, r) {{ v.x {4}= r; }}\nuntil 2 rounds;\n}}\n",
                type, least ? "" : "-", process, reduce, least ? "min" : "max");
            for (const bool optimise : {false, true}) {
                const AlgorithmResult result =
                    Algorithm::from_text(text,
                                         {.function = "f", .optimise = optimise, .cache = false})
                        .run({{"A", graph()}});
                EXPECT_THAT(result.values<T>("x"),
                            testing::ElementsAre(nowhere, 0, 1, 5, nowhere, nowhere))
                    << text;
            }
        }
    }
}

TEST(VertexProgram, SumsFromNowhereLeadNowhere) {
    using Narrow = std::numeric_limits<std::int32_t>;
    using Wide = std::numeric_limits<std::int64_t>;
    const double infinity = std::numeric_limits<double>::infinity();
    sums_from_nowhere<std::int32_t>("int", true, Narrow::max());
    sums_from_nowhere<std::int32_t>("int", false, Narrow::min());
    sums_from_nowhere<std::int64_t>("int64", true, Wide::max());
    sums_from_nowhere<std::int64_t>("int64", false, Wide::min());
    sums_from_nowhere<double>("double", true, infinity);
    sums_from_nowhere<double>("double", false, -infinity);
}

TEST(VertexProgram, RecordsFromNowhereLeadNowhere) {
    const Algorithm algorithm = Algorithm::from_text(R"(
record Near { who: vertex; far: int; }
program p(A: graph<int>, s: vertex) -> x: vector<Near>, dist: vector<int> {
    vertex x: Near = Near(none, infinity);
    vertex dist: int = infinity;
    all;
    start { x[s] = Near(s, 0); dist[s] = 0; }
    send(v) = v.x;
    process(m, w) = Near(m.who, m.far + w);
    reduce(a, b) = a.far < b.far ? a : b;
    apply(v, r) { if (r.far < v.x.far) { v.x = r; v.dist = r.far; } }
    until 5 rounds;
}
)",
                                                     {.cache = false});
    const std::int32_t most = std::numeric_limits<std::int32_t>::max();
    const AlgorithmResult result = algorithm.run({{"A", graph()}, {"s", 1}});
    EXPECT_THAT(result.values<std::int32_t>("dist"),
                ::testing::ElementsAre(most, 0, 1, 5, most, most));
}

TEST(VertexProgram, WhatIsSentFromNowhereLeadsNowhere) {
    const Algorithm algorithm = Algorithm::from_text(R"(
program p(A: graph<int>) -> x: vector<int> {
    vertex x: int = infinity;
    start { x[1] = 0; }
    send(v) = v.x + 1;
    reduce(a, b) = min(a, b);
    apply(v, r) { v.x min= r; }
}
)",
                                                     {.cache = false});
    const std::int32_t most = std::numeric_limits<std::int32_t>::max();
    const AlgorithmResult result = algorithm.run({{"A", graph()}});
    EXPECT_THAT(result.values<std::int32_t>("x"),
                ::testing::ElementsAre(most, 0, 1, 2, most, most));
}

TEST(VertexProgram, WhatAFunctionGivesMayGoToWhatCame) {
    for (const char* const reduce : {"a + b", "a + b + 0"}) {
        const Algorithm algorithm = Algorithm::from_text(
            std::string("def both(r: int64) -> twice: int64, more: int64 "
                        "{ twice = 2 * r; more = r + 1; }\n"
                        "program p(A: graph<int>) -> x: vector<int> { vertex x: int = 1; "
                        "send(v) = v.x; reduce(a, b) = ") +
                reduce +
                "; apply(v, r) { r, q = both(r); v.x = int(10 * r + q); } until 1 rounds; }",
            {.function = "p", .cache = false});
        const AlgorithmResult result = algorithm.run({{"A", graph()}});
        EXPECT_THAT(result.values<std::int32_t>("x"), ::testing::ElementsAre(22, 43, 43, 22, 1, 1))
            << reduce;
    }
}

TEST(VertexProgram, WhatCameMayBeAssignedTo) {
    for (const char* const reduce : {"a + b", "a + b + 0"}) {
        for (const char* const all : {"", "all;"}) {
            const Algorithm algorithm = Algorithm::from_text(
                std::string("program p(A: graph<int>) -> x: vector<int> { vertex x: int = 1; ") +
                    all + "send(v) = v.x; reduce(a, b) = " + reduce +
                    "; apply(v, r) { r = r * 10; r += 3; v.x = r; } until 1 rounds; }",
                {.cache = false});
            const AlgorithmResult result = algorithm.run({{"A", graph()}});
            const bool everybody = *all != 0 && std::string_view(reduce) == "a + b";
            const std::int32_t rest = everybody ? 3 : 1;
            EXPECT_THAT(result.values<std::int32_t>("x"),
                        ::testing::ElementsAre(13, 23, 23, 13, rest, rest))
                << reduce << all;
        }
    }
}

} // namespace
} // namespace tropic
