// Verifiers: right results pass, and results with any one element changed do not.
#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "tropic/error.h"
#include "tropic/formats.h"
#include "tropic/transform.h"
#include "tropic/verify.h"

namespace tropic {
namespace {

// A triangle 0 1 2 with a tail 3 4, and 5 alone.
Graph lollipop() {
    return read_graph_from_memory("%%MatrixMarket matrix coordinate integer symmetric\n6 6 5\n"
                                  "2 1 4\n3 2 3\n3 1 9\n4 3 2\n5 4 7\n",
                                  "lollipop.mtx");
}

// A circle 0 1 2 that leads to 3, which leads to 4.
Graph arrows() {
    return read_graph_from_memory("%%MatrixMarket matrix coordinate integer general\n5 5 5\n"
                                  "1 2 1\n2 3 -1\n3 1 2\n3 4 5\n4 5 -2\n",
                                  "arrows.mtx");
}

template <class T> Array array_of(const std::vector<T>& elements) {
    return Array::copy_of(std::span<const T>(elements), {}, "a test");
}

/// `check` passes `right`, and not one of the arrays that differ from it by `change` in one place.
template <class T, class Check>
void expect_exact(const std::vector<T>& right, T change, const Check& check) {
    const Verdict verdict = check(array_of(right));
    EXPECT_TRUE(verdict.correct()) << verdict.complaint;
    EXPECT_FALSE(verdict.method.empty());
    for (std::size_t i = 0; i < right.size(); ++i) {
        std::vector<T> wrong = right;
        wrong[i] = static_cast<T>(wrong[i] + change);
        EXPECT_FALSE(check(array_of(wrong)).correct()) << "element " << i;
        if constexpr (std::is_floating_point_v<T>) {
            constexpr T infinity = std::numeric_limits<T>::infinity();
            for (const T odd : {infinity, -infinity, std::numeric_limits<T>::quiet_NaN()}) {
                wrong[i] = odd;
                EXPECT_FALSE(check(array_of(wrong)).correct()) << odd << " as element " << i;
            }
        }
    }
    std::vector<T> shorter(right.begin(), right.end() - 1);
    EXPECT_FALSE(check(array_of(shorter)).correct());
}

using Integers = std::vector<std::int32_t>;
using Reals = std::vector<double>;
constexpr std::int32_t none = std::numeric_limits<std::int32_t>::max();

TEST(Verify, SearchesByLevel) {
    const Graph graph = lollipop();
    expect_exact<std::int32_t>({0, 1, 1, 2, 3, -1}, 1,
                               [&](const Array& a) { return verify::bfs_levels(graph, 0, a); });
    expect_exact<std::int32_t>({0, 0, 0, 2, 3, -1}, 1,
                               [&](const Array& a) { return verify::bfs_parents(graph, 0, a); });
    expect_exact<std::int32_t>({1, 1, 1, 1, 1, 0}, 1, [&](const Array& a) {
        Verdict verdict = verify::path_counts(graph, 0, a);
        return verdict;
    });
    const std::vector<std::uint8_t> reached{1, 1, 1, 1, 1, 0};
    EXPECT_TRUE(verify::reachability(graph, 0, array_of(reached)).correct());
    const std::vector<std::uint8_t> wrong{1, 1, 1, 1, 1, 1};
    EXPECT_EQ(verify::reachability(graph, 0, array_of(wrong)).complaint,
              "vertex 6 cannot be reached");
}

TEST(Verify, ParentsNeedEdges) {
    // 1 is a neighbour of 2, but not on a shortest path from 0 to it.
    EXPECT_FALSE(
        verify::bfs_parents(lollipop(), 0, array_of(Integers{0, 0, 1, 2, 3, -1})).correct());
    EXPECT_FALSE(
        verify::bfs_parents(lollipop(), 0, array_of(Integers{0, 0, 0, 1, 3, -1})).correct());
}

TEST(Verify, ShortestPaths) {
    const Graph graph = lollipop();
    const Integers right{0, 4, 7, 9, 16, none};
    EXPECT_TRUE(verify::shortest_paths(graph, 0, array_of(right)).correct());
    for (std::size_t i = 0; i < right.size(); ++i) {
        Integers wrong = right;
        wrong[i] -= 1;
        EXPECT_FALSE(verify::shortest_paths(graph, 0, array_of(wrong)).correct()) << i;
    }
}

TEST(Verify, ShortestPathsWithNegativeValues) {
    const Graph graph = arrows();
    expect_exact<double>({0, 1, 0, 5, 3}, 0.5,
                         [&](const Array& a) { return verify::shortest_paths(graph, 0, a); });
    // Nothing leads from 3 back to the circle.
    constexpr double never = std::numeric_limits<double>::infinity();
    EXPECT_TRUE(
        verify::shortest_paths(graph, 3, array_of(Reals{never, never, never, 0, -2})).correct());
    EXPECT_FALSE(
        verify::shortest_paths(graph, 3, array_of(Reals{never, 7, never, 0, -2})).correct());
    // No edge can be relaxed, but no path is that short.
    EXPECT_FALSE(verify::shortest_paths(graph, 3, array_of(Reals{-9, -8, -9, 0, -2})).correct());
}

TEST(Verify, WholeLengthsBeyondDoubles) {
    using Longs = std::vector<std::int64_t>;
    constexpr std::int64_t far = std::int64_t{1} << 53;
    const Graph graph =
        read_graph_from_memory("0 1 9007199254740992\n1 2 1\n0 2 9007199254740994\n", "far.wel");
    expect_exact<std::int64_t>({0, far, far + 1}, 1,
                               [&](const Array& a) { return verify::shortest_paths(graph, 0, a); });
    const Graph negative = read_graph_from_memory("0 1 9007199254740994\n1 2 -1\n", "negative.wel");
    expect_exact<std::int64_t>({0, far + 2, far + 1}, 1, [&](const Array& a) {
        return verify::shortest_paths(negative, 0, a);
    });
    constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
    expect_exact<std::int64_t>(
        {0, far, far + 1, never, 0, 1, never, never, 0}, -1,
        [&](const Array& a) { return verify::all_shortest_paths(graph, a); });
    EXPECT_THAT(verify::shortest_paths(graph, 0, array_of(Longs{0, far, never})).complaint,
                testing::HasSubstr("vertex 2 is at distance inf, but its distance is "
                                   "9007199254740993"));
}

TEST(Verify, SpanningTreesOfWholeNumbers) {
    // 0 and 1 are joined by two ways that no double tells apart.
    const Graph graph = symmetrise(
        read_graph_from_memory("0 1 9007199254740993\n0 2 9007199254740992\n1 2 1\n", "far.wel"));
    const auto check = [&](const Integers& from, const Integers& to) {
        return verify::spanning_forest(graph, array_of(from), array_of(to), 9007199254740992.0 + 1);
    };
    EXPECT_TRUE(check({-1, 1, 2}, {-1, 2, 0}).correct());
    EXPECT_FALSE(check({-1, 1, 0}, {-1, 2, 1}).correct());
    // Sums of both signs lose nothing.
    const Graph both = symmetrise(read_graph_from_memory(
        "0 1 4611686018427387905\n1 2 -4611686018427387904\n2 3 7\n0 3 9000000000000000000\n",
        "both.wel"));
    const auto ends = [](int a, int b, int c) { return array_of(Integers{-1, a, b, c}); };
    EXPECT_TRUE(verify::spanning_forest(both, ends(0, 1, 2), ends(1, 2, 3), 8).correct());
    EXPECT_FALSE(verify::spanning_forest(both, ends(0, 1, 0), ends(1, 2, 3), 8).correct());
    // A total that is off by one is wrong.
    const Graph near = symmetrise(read_graph_from_memory("0 1 50000000\n", "near.wel"));
    const Array from = array_of(Integers{-1, 1});
    const Array to = array_of(Integers{-1, 0});
    EXPECT_TRUE(verify::spanning_forest(near, from, to, 50000000).correct());
    EXPECT_FALSE(verify::spanning_forest(near, from, to, 50000001).correct());
}

TEST(Verify, Components) {
    expect_exact<std::int32_t>({0, 0, 0, 0, 0, 5}, 1,
                               [&](const Array& a) { return verify::components(lollipop(), a); });
    expect_exact<std::int32_t>(
        {0, 0, 0, 3, 4}, 1, [&](const Array& a) { return verify::strong_components(arrows(), a); });
}

TEST(Verify, Neighbours) {
    const Graph graph = lollipop();
    EXPECT_TRUE(verify::triangles(graph, 1).correct());
    EXPECT_FALSE(verify::triangles(graph, 2).correct());
    expect_exact<std::int32_t>({2, 2, 2, 1, 1, 0}, 1,
                               [&](const Array& a) { return verify::core_numbers(graph, a); });
    expect_exact<double>({1, 1, 1.0 / 3, 0, 0, 0}, 0.1,
                         [&](const Array& a) { return verify::clustering(graph, a); });
    // Entries in the order of rows: 01 02 10 12 20 21 23 32 34 43.
    expect_exact<std::int32_t>({1, 1, 1, 1, 1, 1, -1, -1, -1, -1}, 1,
                               [&](const Array& a) { return verify::truss(graph, 3, a); });
    expect_exact<double>({1.0 / 3, 0.25, 1.0 / 3, 0.25, 0.25, 0.25, 0, 0, 0, 0}, 0.1,
                         [&](const Array& a) { return verify::jaccard(graph, a); });
}

TEST(Verify, Centrality) {
    const Graph graph = lollipop();
    const std::vector<Index> all{0, 1, 2, 3, 4, 5};
    expect_exact<double>({0, 0, 8, 6, 0, 0}, 0.5,
                         [&](const Array& a) { return verify::betweenness(graph, all, 1, a); });
    expect_exact<double>({16 / 35.0, 16 / 35.0, 0.64, 16 / 30.0, 16 / 45.0, 0}, 0.01,
                         [&](const Array& a) { return verify::closeness(graph, a); });
    // Half of the time jumps: solved by hand on 0 -> 1, where 1 leads nowhere.
    const Graph two = read_graph_from_memory("0 1\n", "two.el");
    expect_exact<double>({0.4, 0.6}, 0.01,
                         [&](const Array& a) { return verify::pagerank(two, a, 0.5, -1, 1e-9); });
    expect_exact<double>({2.0 / 3, 1.0 / 3}, 0.01,
                         [&](const Array& a) { return verify::pagerank(two, a, 0.5, 0, 1e-9); });
    EXPECT_TRUE(verify::hits(two, array_of(Reals{1, 0}), array_of(Reals{0, 1}), 1e-9).correct());
    EXPECT_FALSE(
        verify::hits(two, array_of(Reals{0.5, 0.5}), array_of(Reals{0, 1}), 1e-9).correct());
    EXPECT_FALSE(verify::hits(two, array_of(Reals{0, 0}), array_of(Reals{0, 0}), 1e-9).correct());
    const double length = std::sqrt(1 + 1.5 * 1.5);
    EXPECT_FALSE(
        verify::katz(two, array_of(Reals{-1 / length, -1.5 / length}), 0.5, 1e-9).correct());
    expect_exact<double>({1 / length, 1.5 / length}, 0.01,
                         [&](const Array& a) { return verify::katz(two, a, 0.5, 1e-9); });
}

TEST(Verify, Choices) {
    const Graph graph = lollipop();
    expect_exact<std::int32_t>({0, 1, 0, 1, 0, 1}, 1, [&](const Array& a) {
        // Truths: anything but 0 is one, so only zeros can be changed.
        std::vector<std::uint8_t> truths;
        for (Index i = 0; i < a.size(); ++i) truths.push_back(a.value_at(i) == 1 ? 1 : 0);
        return verify::independent_set(graph, array_of(truths));
    });
    expect_exact<std::int32_t>({0, 1, 2, 0, 1, 0}, 7,
                               [&](const Array& a) { return verify::colouring(graph, a); });
    EXPECT_FALSE(verify::colouring(graph, array_of(Integers{0, 1, 1, 0, 1, 0})).correct());
    expect_exact<std::int32_t>({1, 0, 3, 2, -1, -1}, 1,
                               [&](const Array& a) { return verify::matching(graph, a); });
    EXPECT_FALSE(verify::matching(graph, array_of(Integers{1, 0, -1, -1, -1, -1})).correct());
}

TEST(Verify, LabelPropagation) {
    // Of equally frequent labels the least: see the rounds on paper.
    expect_exact<std::int32_t>({1, 0, 0, 2, 3, 5}, 1, [&](const Array& a) {
        return verify::label_propagation(lollipop(), 1, false, a);
    });
}

TEST(Verify, Communities) {
    // Weights 4, 3, 9 in the triangle, 2 and 7 in the tail: 2 of 25 lie between the two groups.
    const Graph graph = lollipop();
    const double modularity = 1 - 4 / 50.0 - (34 * 34 + 16 * 16) / 2500.0;
    expect_exact<std::int32_t>({0, 0, 0, 3, 3, 5}, 1, [&](const Array& a) {
        return verify::communities(graph, a, modularity);
    });
    const Array right = array_of(Integers{0, 0, 0, 3, 3, 5});
    EXPECT_FALSE(verify::communities(graph, right, modularity + 1e-6).correct());
    // A label that is not the least of its group, and one of another component.
    EXPECT_FALSE(
        verify::communities(graph, array_of(Integers{1, 1, 1, 3, 3, 5}), modularity).correct());
    EXPECT_FALSE(
        verify::communities(graph, array_of(Integers{0, 0, 0, 3, 3, 3}), modularity).correct());
    // Right in all but that vertices on their own are better.
    const Graph ends = read_graph_from_memory("0 1\n1 0\n1 2\n2 1\n0 0\n2 2\n", "ends.el");
    EXPECT_TRUE(
        verify::communities(ends, array_of(Integers{0, 0, 2}), 1 - 2 / 8.0 - (25 + 9) / 64.0)
            .correct());
    EXPECT_FALSE(verify::communities(ends, array_of(Integers{0, 0, 0}), 0).correct());
}

TEST(Verify, SpanningForest) {
    const Graph graph = lollipop();
    const Integers from{-1, 1, 2, 3, 4, -1};
    const Integers to{-1, 0, 1, 2, 3, -1};
    EXPECT_TRUE(verify::spanning_forest(graph, array_of(from), array_of(to), 16).correct());
    EXPECT_FALSE(verify::spanning_forest(graph, array_of(from), array_of(to), 15).correct());
    const Integers dearer{-1, 0, 0, 2, 3, -1}; // takes the edge of value 9
    EXPECT_FALSE(verify::spanning_forest(graph, array_of(from), array_of(dearer), 22).correct());
    const Integers missing{-1, -1, 2, 3, 4, -1};
    EXPECT_FALSE(verify::spanning_forest(graph, array_of(missing), array_of(to), 12).correct());
}

TEST(Verify, TopologicalOrder) {
    const Graph graph = read_graph_from_memory("0 2\n2 1\n", "dag.el");
    EXPECT_TRUE(verify::topological_order(graph, array_of(Integers{0, 2, 1})).correct());
    EXPECT_FALSE(verify::topological_order(graph, array_of(Integers{0, 1, 2})).correct());
    EXPECT_FALSE(verify::topological_order(graph, array_of(Integers{0, 2, 2})).correct());
}

TEST(Verify, Products) {
    const Graph graph = arrows();
    expect_exact<double>({1, -1, 7, -2, 0}, 0.5,
                         [&](const Array& a) { return verify::product(graph, {}, a); });
    const Tensor& a = graph.tensor;
    EXPECT_FALSE(verify::product(a, a, a).correct());
    const Graph ones = read_graph_from_memory("0 1\n1 0\n", "ones.el");
    const Graph identity = read_graph_from_memory("0 0\n1 1\n", "identity.el");
    EXPECT_TRUE(verify::product(ones.tensor, ones.tensor, identity.tensor).correct());
    const Array users = array_of(Reals{1, 2});
    EXPECT_TRUE(verify::factors(ones, users, users, 1, 1).correct());
    EXPECT_FALSE(verify::factors(ones, users, users, 1, 0.5).correct());
    EXPECT_TRUE(verify::topics(ones, array_of(Reals{1, 0, 0, 1}), array_of(Reals{0, 1, 1, 0}),
                               array_of(Reals{1, 1}), 2)
                    .correct());
    EXPECT_FALSE(verify::topics(ones, array_of(Reals{1, 0, 1, 1}), array_of(Reals{0, 1, 1, 0}),
                                array_of(Reals{1, 1}), 2)
                     .correct());
    const Array start = array_of(Reals{1, 0, 0, 0, 1, 0});
    EXPECT_TRUE(verify::mesh_update(ones, start, 1, array_of(Reals{0.8, 0.2, 0, 0.2, 0.8, 0}),
                                    array_of(Reals{0, 0}))
                    .correct());
    EXPECT_FALSE(verify::mesh_update(ones, start, 1, start, array_of(Reals{0, 0})).correct());
}

Graph real_matrix(std::string_view body) {
    return read_graph_from_memory("%%MatrixMarket matrix coordinate real " + std::string(body),
                                  "m.mtx");
}

TEST(Verify, KnowsNoAbsoluteSmallness) {
    const Graph triangle = real_matrix("symmetric\n3 3 3\n2 1 1e-12\n3 2 2e-12\n3 1 9e-12\n");
    const Array from = array_of(Integers{-1, 0, 1});
    const Array to = array_of(Integers{-1, 1, 2});
    EXPECT_TRUE(verify::spanning_forest(triangle, from, to, 3e-12).correct());
    EXPECT_FALSE(verify::spanning_forest(triangle, from, to, 3.1e-12).correct());
    const Array dearer = array_of(Integers{-1, 0, 0}); // takes the edge of 9e-12
    EXPECT_FALSE(verify::spanning_forest(triangle, dearer, to, 10e-12).correct());
    // A dearer edge that a sum of all would not show.
    const Graph uneven = real_matrix("symmetric\n4 4 4\n2 1 1e9\n3 2 0.25\n4 3 0.5\n4 2 0.375\n");
    const Array ends = array_of(Integers{-1, 1, 2, 3});
    EXPECT_TRUE(verify::spanning_forest(uneven, array_of(Integers{-1, 0, 1, 1}), ends, 1e9 + 0.625)
                    .correct());
    EXPECT_FALSE(verify::spanning_forest(uneven, array_of(Integers{-1, 0, 1, 2}), ends, 1e9 + 0.75)
                     .correct());
    const Graph below = real_matrix("general\n3 3 3\n1 2 -1e-12\n2 3 2e-12\n1 3 9e-12\n");
    expect_exact<double>({0, -1e-12, 1e-12}, 1e-15,
                         [&](const Array& a) { return verify::shortest_paths(below, 0, a); });
    const Graph rating = real_matrix("general\n1 1 1\n1 1 1e-7\n");
    const Array zeros = array_of(Reals{0, 0});
    EXPECT_TRUE(verify::factors(rating, zeros, zeros, 2, 1e-7).correct());
    EXPECT_FALSE(verify::factors(rating, zeros, zeros, 2, 0).correct());
    EXPECT_FALSE(verify::topics(rating, zeros, zeros, zeros, 2).correct());
}

TEST(Verify, ManyPathsToTheLast) {
    // 45 diamonds in a row, with 2^45 shortest paths through all of them.
    constexpr int diamonds = 45;
    std::string edges;
    Reals paths{1};
    for (int k = 0; k < diamonds; ++k) {
        const int first = 3 * k;
        for (const int between : {first + 1, first + 2}) {
            edges += fmt::format("{} {}\n{} {}\n", first, between, between, first + 3);
            paths.push_back(std::ldexp(1.0, k));
        }
        paths.push_back(std::ldexp(1.0, k + 1));
    }
    const Graph graph = read_graph_from_memory(edges, "diamonds.el");
    expect_exact<double>(paths, 1,
                         [&](const Array& a) { return verify::path_counts(graph, 0, a); });
}

TEST(Verify, Infinities) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (const char* value : {"1", "-1"}) {
        const Graph apart = real_matrix(fmt::format("general\n3 3 1\n1 2 {}\n", value));
        const double length = std::stod(value);
        EXPECT_TRUE(
            verify::shortest_paths(apart, 0, array_of(Reals{0, length, infinity})).correct());
        EXPECT_FALSE(
            verify::shortest_paths(apart, 0, array_of(Reals{0, length, -infinity})).correct());
    }
    const Graph endless = real_matrix("general\n3 3 2\n1 2 -inf\n2 3 1\n");
    const Array right = array_of(Reals{0, -infinity, -infinity});
    EXPECT_TRUE(verify::shortest_paths(endless, 0, right).correct());
    EXPECT_FALSE(
        verify::shortest_paths(endless, 0, array_of(Reals{0, infinity, infinity})).correct());
    const Graph both = real_matrix("general\n1 2 2\n1 1 inf\n1 2 -inf\n");
    EXPECT_TRUE(verify::product(both, {}, array_of(Reals{std::nan("")})).correct());
    EXPECT_FALSE(verify::product(both, {}, array_of(Reals{0})).correct());
    const Graph one = real_matrix("general\n1 1 1\n1 1 inf\n");
    const Graph empty = real_matrix("general\n1 1 0\n");
    EXPECT_TRUE(verify::product(one.tensor, one.tensor, one.tensor).correct());
    EXPECT_FALSE(verify::product(one.tensor, one.tensor, empty.tensor).correct());
}

TEST(Verify, HubsNeedEdges) {
    const Graph graph = real_matrix("general\n2 2 0\n");
    const Array zeros = array_of(Reals{0, 0});
    expect_exact<double>({0, 0}, 1,
                         [&](const Array& a) { return verify::hits(graph, a, zeros, 1e-9); });
    expect_exact<double>({0, 0}, 1,
                         [&](const Array& a) { return verify::hits(graph, zeros, a, 1e-9); });
}

TEST(Verify, MeshesOfSinglePrecision) {
    using Floats = std::vector<float>;
    const Graph graph = real_matrix("symmetric\n2 2 1\n2 1 0.5\n");
    const Array start = array_of(Floats(6, 0.5F));
    const Array nodes = array_of(Floats(6, 0.45F));
    const Array edges = array_of(Floats(2, 0.125F));
    expect_exact<float>(Floats(6, 0.45F), 1e-5F, [&](const Array& a) {
        return verify::mesh_update(graph, start, 1, a, edges);
    });
    expect_exact<float>(Floats(2, 0.125F), 1e-5F, [&](const Array& a) {
        return verify::mesh_update(graph, start, 1, nodes, a);
    });
}

TEST(Verify, OneLinkOfMany) {
    // 2000 neighbours that are all neighbours but for two of them.
    std::string edges;
    for (int i = 0; i < 2001; ++i) {
        for (int j = i + 1; j < 2001; ++j) {
            if (i != 1 || j != 2) edges += fmt::format("{} {}\n", i, j);
        }
    }
    const Graph graph = read_graph_from_memory(edges, "nearly.el");
    const double pairs = 2000 * 1999 / 2.0;
    Reals right(2001, (pairs - 1) / pairs);
    right[1] = right[2] = 1;
    EXPECT_TRUE(verify::clustering(graph, array_of(right)).correct());
    right[0] = 1;
    EXPECT_FALSE(verify::clustering(graph, array_of(right)).correct());
}

TEST(Verify, LabelsAreIds) {
    const Graph graph = read_graph_from_memory("10 20\n20 30\n", "ids.el");
    EXPECT_EQ(verify::components(graph, array_of(Integers{0, 0, 2})).complaint,
              "vertex 30 has the label 30, but the least of its component is vertex 10");
    EXPECT_EQ(verify::label_propagation(graph, 1, true, array_of(Integers{1, 2, 1})).complaint,
              "vertex 20 has the label 10, not 30");
}

TEST(Verify, TakesArraysOfAnyType) {
    const Graph graph = lollipop();
    EXPECT_TRUE(verify::components(graph, array_of(Reals{0, 0, 0, 0, 0, 5})).correct());
    EXPECT_TRUE(
        verify::bfs_parents(graph, 0, array_of(std::vector<std::int16_t>{0, 0, 0, 2, 3, -1}))
            .correct());
    EXPECT_TRUE(verify::core_numbers(graph, array_of(std::vector<std::uint32_t>{2, 2, 2, 1, 1, 0}))
                    .correct());
    EXPECT_EQ(verify::bfs_levels(graph, 0, array_of(Reals{0, 1, 1.5, 2, 3, -1})).complaint,
              "level holds 1.5, which is no whole number");
    EXPECT_FALSE(verify::components(graph, array_of(Reals{0, 0, 0, 0, 0, std::nan("")})).correct());
}

TEST(Verify, RefusesWhatIsNotThere) {
    const Graph graph = lollipop();
    const Array six = array_of(Integers{0, 0, 0, 0, 0, 0});
    for (const Index source : {-1, 6, 1'000'000'000}) {
        EXPECT_THROW(verify::bfs_levels(graph, source, six), Error);
        EXPECT_THROW(verify::bfs_parents(graph, source, six), Error);
        EXPECT_THROW(verify::reachability(graph, source, six), Error);
        EXPECT_THROW(verify::path_counts(graph, source, six), Error);
        EXPECT_THROW(verify::shortest_paths(graph, source, six), Error);
        EXPECT_THROW(verify::betweenness(graph, std::vector<Index>{source}, 1, six), Error);
    }
    EXPECT_THROW(verify::pagerank(graph, six, 0.85, 6, 1e-3), Error);
    const Graph wide = read_graph_from_memory(
        "%%MatrixMarket matrix coordinate pattern general\n2 2000 1\n1 2000\n", "wide.mtx");
    const Array two = array_of(Integers{0, 0});
    EXPECT_THROW(verify::bfs_levels(wide, 0, two), Error);
    EXPECT_THROW(verify::triangles(wide, 0), Error);
    EXPECT_THROW(verify::closeness(wide, two), Error);
    EXPECT_THROW(verify::components(wide, two), Error);
    EXPECT_FALSE(verify::product(wide, two, two).correct());
    EXPECT_FALSE(verify::product(wide.tensor, wide.tensor, wide.tensor).correct());
}

TEST(Verify, KnowsLoopsDuplicatesAndNothing) {
    const Graph messy = read_graph_from_memory("0 0\n0 1\n0 1\n1 2\n2 0\n", "messy.el");
    EXPECT_TRUE(verify::triangles(messy, 1).correct());
    EXPECT_TRUE(verify::core_numbers(messy, array_of(Integers{2, 2, 2})).correct());
    Graph empty = read_graph_from_memory(
        "%%MatrixMarket matrix coordinate pattern general\n0 0 0\n", "empty.mtx");
    EXPECT_TRUE(verify::components(empty, array_of(Integers{})).correct());
    EXPECT_TRUE(verify::core_numbers(empty, array_of(Integers{})).correct());
    EXPECT_TRUE(verify::triangles(empty, 0).correct());
}

} // namespace
} // namespace tropic
