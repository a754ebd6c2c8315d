// Random algorithms compute the same as they are written and rearranged, on one thread and on two.
#include <gtest/gtest.h>

#include "random_algorithm.h"
#include "tropic/algorithm.h"

namespace tropic {
namespace {

/// What it prints, or how the run ends.
std::string printed_by(const Algorithm& algorithm, const std::string& graph, int threads) {
    try {
        return algorithm.run({{"A", graph}}, Context({.threads = threads}), {.timeout = 60})
            .printed;
    } catch (const Error& error) {
        return error.what();
    }
}

class AlgorithmRandom : public testing::TestWithParam<unsigned> {};

TEST_P(AlgorithmRandom, GivesTheSameRearranged) {
    constexpr unsigned programs = 8;
    for (unsigned seed = GetParam() * programs; seed < (GetParam() + 1) * programs; ++seed) {
        const std::string text = test::RandomAlgorithm(seed).text();
        const std::string graph =
            fmt::format("urand:{},{},seed={},weights=1..9", seed % 5, seed % 4 + 1, seed);
        const auto made = [&](bool optimise) {
            return Algorithm::from_text(text,
                                        {.function = "t", .optimise = optimise, .cache = false});
        };
        const Algorithm plain = made(false);
        const std::string expected = printed_by(plain, graph, 1);
        ASSERT_EQ(expected.find("error"), std::string::npos) << expected << text;
        const Algorithm rearranged = made(true);
        for (const int threads : {1, 2}) {
            ASSERT_EQ(printed_by(rearranged, graph, threads), expected)
                << "seed " << seed << ", " << graph << ", threads " << threads << "\n"
                << text;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Programs, AlgorithmRandom, testing::Range(0U, 6U));

} // namespace
} // namespace tropic
