// Matrices with far more rows and columns than entries. A small matrix is the oracle of the same
// one with its ids spread far apart in the same order.
#include <gtest/gtest.h>

#include "naive_tensor.h"
#include "tropic/error.h"
#include "tropic/statistics.h"
#include "tropic/transform.h"

namespace tropic {
namespace {

using naive::Entries;
using naive::Entry;

constexpr Index vast = 1'000'000'000'000'000;

/// Ascending, and far apart.
Index spread(Index id) {
    return id * 1'000'000'007 + 5;
}

Entries spread(Entries entries) {
    for (Entry& e : entries) e.at = {spread(e.at[0]), spread(e.at[1])};
    return entries;
}

Graph graph_of(const std::vector<Index>& shape, const Entries& entries, ElementType type,
               const Format& format) {
    Graph graph;
    graph.name = "test";
    graph.tensor = build(naive::list_of(shape, entries, ElementType::int64, type, 7), format,
                         Duplicates::keep);
    graph.ids = {VertexIds(1), VertexIds(1)};
    return graph;
}

Entries stored(const Graph& graph) {
    graph.tensor.check();
    return naive::sorted(naive::entries_of(graph.tensor), {0, 1});
}

struct Pair {
    Graph small;
    Graph vast;
};

/// Random graphs with the same entries, one with its ids spread.
template <class Test> void for_pairs(bool square, const Test& test) {
    std::mt19937_64 random(7);
    const std::vector<Format> formats = {Format::dcsr(), Format::dcsc(), Format::coo()};
    for (int round = 0; round < 60; ++round) {
        const Format& format = formats[random() % formats.size()];
        const Index rows = 1 + static_cast<Index>(random() % 30);
        const Index cols = square ? rows : 1 + static_cast<Index>(random() % 30);
        const ElementType type = random() % 2 == 0 ? ElementType::pattern : ElementType::int32;
        const auto entries = naive::random_entries({rows, cols}, static_cast<Index>(random() % 60),
                                                   type == ElementType::pattern, random);
        SCOPED_TRACE(testing::Message() << "round " << round << " " << format.name());
        test(Pair{graph_of({rows, cols}, entries, type, Format::csr()),
                  graph_of({vast, square ? vast : vast / 2}, spread(entries), type, format)});
    }
}

template <class Change> void expect_same_change(bool square, const Change& change) {
    for_pairs(square, [&](const Pair& pair) {
        const Graph small = change(pair.small);
        const Graph large = change(pair.vast);
        EXPECT_TRUE(stored(large) == spread(stored(small)));
        EXPECT_EQ(large.tensor.shape(), pair.vast.tensor.shape());
        EXPECT_EQ(large.tensor.format(), pair.vast.tensor.format());
        EXPECT_EQ(large.steps.back().counts, small.steps.back().counts);
    });
}

TEST(Hypersparse, Symmetrises) {
    expect_same_change(true, [](const Graph& g) { return symmetrise(g, Duplicates::max); });
}

TEST(Hypersparse, DropsSelfLoops) {
    expect_same_change(true, [](const Graph& g) { return drop_self_loops(g); });
}

TEST(Hypersparse, HasTriangles) {
    for (const Triangle which : {Triangle::lower, Triangle::strictly_upper}) {
        expect_same_change(true, [&](const Graph& g) { return triangle(g, which); });
        expect_same_change(false, [&](const Graph& g) { return triangle(g, which); });
    }
}

TEST(Hypersparse, DropsIsolatedVertices) {
    for (const bool square : {true, false}) {
        for_pairs(square, [&](const Pair& pair) {
            const Graph small = drop_isolated(pair.small);
            const Graph large = drop_isolated(pair.vast);
            EXPECT_EQ(large.tensor.shape(), small.tensor.shape());
            EXPECT_TRUE(stored(large) == stored(small));
            for (std::size_t d = 0; d < 2; ++d) {
                for (Index v = 0; v < small.tensor.shape()[d]; ++v) {
                    ASSERT_EQ(large.ids[d][v], spread(small.ids[d][v] - 1) + 1);
                }
            }
            const auto& counts = large.steps.back().counts;
            EXPECT_EQ(counts[0].second, vast);
            EXPECT_EQ(counts[1].second, vast - small.tensor.dim(0));
        });
    }
}

TEST(Hypersparse, BipartiteStaysSo) {
    Graph graph =
        graph_of({vast, vast}, {{{3, 70}}, {{3, 80}}}, ElementType::pattern, Format::coo());
    graph.kind = EdgeKind::bipartite;
    const Graph dropped = drop_isolated(graph);
    EXPECT_EQ(dropped.tensor.shape(), (std::vector<Index>{1, 2}));
    EXPECT_EQ(dropped.ids[0][0], 4);
    EXPECT_EQ(dropped.ids[1][1], 81);
}

TEST(Hypersparse, IsPermutedWithoutItsIsolatedVertices) {
    const Graph graph = graph_of({vast, vast}, {{{5, 900}}, {{900, 7}}, {{900, 900}}},
                                 ElementType::pattern, Format::dcsr());
    for (const Order order : {Order::degree_descending, Order::random}) {
        try {
            permute(graph, order, 1);
            ADD_FAILURE() << "nothing was thrown";
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
            EXPECT_NE(error.diagnostic().hint.find("--drop-isolated"), std::string::npos);
        }
    }
    const Graph permuted = permute(drop_isolated(graph), Order::degree_descending, 1);
    EXPECT_EQ(permuted.ids[0][0], 901);
    EXPECT_EQ(permuted.vertices(), 3);
}

} // namespace
} // namespace tropic
