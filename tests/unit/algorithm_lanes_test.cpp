// Types with a name that have lanes: as many as the text says, or whoever calls it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tropic/algorithm.h"
#include "tropic/algorithms/matrices.h"
#include "tropic/error.h"
#include "tropic/generate.h"

namespace tropic {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* numbered = R"(
type some = float[5];
def f(A: graph) -> n: int64, x: vector<some>, y: vector<double>, same: bool, whole: int64 {
    n = size(some);
    x[i] = i + lanes(some);
    y[i] = sum(double(x[i]));
    many = random(7, 10 + lanes(some));
    same = true;
    for k in range(0, size(some)) same &= sum(lanes(some) == k ? many : 0.0) == random(7, 10 + k);
    whole = sum(random_int(3, lanes(some), 1000));
    for k in range(0, size(some)) whole -= random_int(3, k, 1000);
})";

AlgorithmResult run_numbered(const std::map<std::string, std::string>& types) {
    return Algorithm::from_text(numbered, {.types = types, .cache = false})
        .run({{"A", "path:3"}}, Context({.threads = 2}));
}

std::string failure(const std::string& text, const std::map<std::string, std::string>& types = {}) {
    try {
        static_cast<void>(Algorithm::from_text(text, {.types = types, .cache = false}));
    } catch (const Error& error) {
        return error.what();
    }
    return "nothing failed";
}

TEST(AlgorithmLanes, AreAsManyAsTheirTypeSays) {
    const AlgorithmResult result = run_numbered({});
    EXPECT_EQ(result.integer("n"), 5);
    EXPECT_EQ(result.tensor("x").dim(1), 5);
    EXPECT_THAT(result.values<double>("y"), ElementsAre(10, 15, 20));
}

TEST(AlgorithmLanes, AreAsManyAsTheCallerSays) {
    for (const int lanes : {2, 3, 16, 20, 64}) {
        SCOPED_TRACE(lanes);
        const AlgorithmResult result =
            run_numbered({{"some", "float[" + std::to_string(lanes) + "]"}});
        const int sum = lanes * (lanes - 1) / 2;
        EXPECT_EQ(result.integer("n"), lanes);
        EXPECT_THAT(result.values<double>("y"), ElementsAre(sum, sum + lanes, sum + 2 * lanes));
    }
}

TEST(AlgorithmLanes, HaveTheRandomNumbersThatSingleOnesHave) {
    const AlgorithmResult result = run_numbered({{"some", "double[7]"}});
    EXPECT_EQ(result.integer("same"), 1);
    EXPECT_EQ(result.integer("whole"), 0);
}

TEST(AlgorithmLanes, AreRefusedWhereTheyMeanNothing) {
    for (const char* given : {"float[1]", "float[65]", "float[", "float[]", "float[4", "float[4]]",
                              "float[-4]", "float[4x]", "vertex[4]", "[4]"}) {
        EXPECT_THAT(failure(numbered, {{"some", given}}), HasSubstr("stands for a type of numbers"))
            << given;
    }
    EXPECT_THAT(failure("type t = float[4];\ndef f(A: graph) -> x: vector<t[2]> { x[i] = 0; }"),
                HasSubstr("lanes themselves"));
    EXPECT_THAT(failure("def f(A: graph) -> x: vector<int> { y = lanes(A); x[i] = 0; }"),
                HasSubstr("numbers the lanes of a type"));
    EXPECT_THAT(failure("type t = float[4];\ndef f(A: graph) -> x: vector<float> {\n"
                        "    v: float[3] = 0; x[i] = sum(t(v)); }"),
                HasSubstr("has 4 lanes"));
}

TEST(AlgorithmLanes, AreTheFactorsAndTopicsOfTheLibrary) {
    const PreparedGraph ratings(generate("bipartite:6x4,weights=1..5"));
    const Index rows = ratings.graph().tensor.dim(0);
    EXPECT_EQ(collaborative_filtering(ratings, {.factors = 3}).user.size(), rows * 3);
    EXPECT_EQ(lda(ratings, {.topics = 20}).topic.size(), 20);
    EXPECT_THROW(collaborative_filtering(ratings, {.factors = 1}), Error);
    EXPECT_THROW(lda(ratings, {.topics = most_factors + 1}), Error);
}

} // namespace
} // namespace tropic
