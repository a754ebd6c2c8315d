// Validation of the trees of Graph500: a right one passes, and none that breaks a rule.
#include <limits>

#include <gtest/gtest.h>

#include "library/graph500.h"
#include "tropic/error.h"

namespace tropic::library {
namespace {

template <class T> Array array_of(const std::vector<T>& elements) {
    return Array::copy_of(std::span<const T>(elements), {}, "a test");
}

// 0 - 1 (0.5), 1 - 2 (0.25), 0 - 2 (1), 3 - 4 (0.5); searched from 0.
class Graph500Tree : public testing::Test {
  protected:
    static constexpr float far = std::numeric_limits<float>::infinity();

    std::string complaint(const std::vector<std::int32_t>& parent,
                          const std::vector<float>& distance) const {
        Index edges = 0;
        return validate_tree(tuples, 5, 0, array_of(parent),
                             distance.empty() ? Array() : array_of(distance), edges, {});
    }

    EdgeTuples tuples = {array_of(std::vector<std::int32_t>{0, 1, 2, 3}),
                         array_of(std::vector<std::int32_t>{1, 2, 0, 4}),
                         array_of(std::vector<float>{0.5F, 0.25F, 1, 0.5F})};
};

TEST_F(Graph500Tree, OfLevels) {
    EXPECT_EQ(complaint({0, 0, 0, -1, -1}, {}), "");
    EXPECT_NE(complaint({1, 0, 0, -1, -1}, {}), "");
    EXPECT_NE(complaint({0, 2, 1, -1, -1}, {}), "");
    EXPECT_NE(complaint({0, 0, -1, -1, -1}, {}), "");
    EXPECT_NE(complaint({0, 0, 0, 0, -1}, {}), "");
}

TEST_F(Graph500Tree, OfShortestPaths) {
    const std::vector<std::int32_t> parent = {0, 0, 1, -1, -1};
    EXPECT_EQ(complaint(parent, {0, 0.5F, 0.75F, far, far}), "");
    EXPECT_EQ(complaint(parent, {5, 5.5F, 5.75F, far, far}),
              "rule 2: the root is not at distance 0");
    EXPECT_EQ(complaint(parent, {0, 0.5F, 0.75F, 3, 3.5F}),
              "rule 4: 3 is not in the tree, and its distance is 3");
    EXPECT_NE(complaint(parent, {0, 0.5F, far, far, far}), "");
    EXPECT_NE(complaint(parent, {0, 0.5F, 0.8F, far, far}), "");
    EXPECT_NE(complaint({0, 0, 0, -1, -1}, {0, 0.5F, 1, far, far}), "");
    EXPECT_NE(complaint(parent, {0, 0.5F, 0.75F, far}), "");
}

TEST(Graph500, ValuesStayBelowOne) {
    const std::vector<double> reals = {0, 0.1, 0.5, 1 - 0x1p-25, 1 - 0x1p-53};
    const Array values = in_single_precision(array_of(reals), {});
    const std::span<const float> found = values.as<float>();
    EXPECT_EQ(std::vector<float>(found.begin(), found.end()),
              (std::vector<float>{0, 0.1F, 0.5F, 1 - 0x1p-24F, 1 - 0x1p-24F}));
}

TEST(Graph500, NeedsAnEdge) {
    Graph500Options options = {.scale = 1, .edge_factor = 1};
    int refused = 0;
    for (options.seed = 1; options.seed <= 32; ++options.seed) {
        try {
            EXPECT_FALSE(run_graph500(options).bfs.empty());
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::range);
            ++refused;
        }
    }
    EXPECT_GT(refused, 0);
}

} // namespace
} // namespace tropic::library
