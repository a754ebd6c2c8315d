// Graphs derived from a graph, against the same said entry by entry.
#include <map>
#include <set>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include "graph/derived/graph_cache.h"
#include "graph/derived/padded.h"
#include "tropic/algorithm.h"
#include "tropic/coordinates.h"
#include "tropic/error.h"
#include "tropic/generate.h"
#include "tropic/transform.h"

namespace tropic::derived {

namespace {

using Entries = std::multimap<std::pair<Index, Index>, double>;

Entries entries_of(const Tensor& matrix) {
    Entries entries;
    const CoordinateList list = coordinates_of(matrix);
    for (const CoordinateBlock& block : list.blocks) {
        for (Index e = 0; e < block.size(); ++e) {
            entries.emplace(
                std::pair(block.coordinates[0].index_at(e), block.coordinates[1].index_at(e)),
                block.values.value_at(e));
        }
    }
    return entries;
}

std::set<std::pair<Index, Index>> pattern_of(const Tensor& matrix) {
    std::set<std::pair<Index, Index>> pattern;
    for (const auto& [at, value] : entries_of(matrix)) pattern.insert(at);
    return pattern;
}

std::shared_ptr<GraphCache> cache_of(const std::string& expression) {
    return std::make_shared<GraphCache>(generate(expression));
}

/// Directed, with loops, duplicates and values.
std::shared_ptr<GraphCache> tangled() {
    Graph graph;
    graph.name = "tangled";
    const std::vector<std::int32_t> from = {0, 0, 1, 2, 2, 2, 3, 4, 4};
    const std::vector<std::int32_t> to = {1, 1, 0, 2, 3, 0, 2, 0, 3};
    const std::vector<double> weights = {5, 6, 7, 1, 2, 3, 9, 4, 8};
    graph.tensor = matrix_from_edges(5, 5, Array::copy_of<std::int32_t>(from, {}, ""),
                                     Array::copy_of<std::int32_t>(to, {}, ""),
                                     Array::copy_of<double>(weights, {}, ""));
    graph.ids.resize(2);
    return std::make_shared<GraphCache>(std::move(graph));
}

TEST(DerivedGraphs, TransposeExchangesRowsAndColumns) {
    const auto graph = tangled();
    const auto turned = graph->derived("transpose", {});
    Entries expected;
    for (const auto& [at, value] : entries_of(graph->graph().tensor)) {
        expected.emplace(std::pair(at.second, at.first), value);
    }
    auto got = entries_of(turned->graph().tensor);
    EXPECT_EQ(std::multiset(got.begin(), got.end()),
              std::multiset(expected.begin(), expected.end()));
    EXPECT_EQ(graph->derived("transpose", {}), turned);
    const auto undirected = cache_of("kron:6");
    EXPECT_EQ(undirected->derived("transpose", {}), undirected);
}

TEST(DerivedGraphs, TrianglesKeepTheirSide) {
    const auto graph = tangled();
    const std::map<std::string, bool (*)(Index, Index)> rules = {
        {"lower", [](Index i, Index j) { return i >= j; }},
        {"upper", [](Index i, Index j) { return i <= j; }},
        {"strict_lower", [](Index i, Index j) { return i > j; }},
        {"strict_upper", [](Index i, Index j) { return i < j; }},
    };
    for (const auto& [name, keep] : rules) {
        Entries expected;
        for (const auto& [at, value] : entries_of(graph->graph().tensor)) {
            if (keep(at.first, at.second)) expected.emplace(at, value);
        }
        EXPECT_EQ(entries_of(graph->derived(name, {})->graph().tensor), expected) << name;
    }
}

TEST(DerivedGraphs, SimpleIsUndirectedWithoutLoopsAndDuplicates) {
    const auto graph = tangled();
    std::set<std::pair<Index, Index>> expected;
    for (const auto& [i, j] : pattern_of(graph->graph().tensor)) {
        if (i == j) continue;
        expected.emplace(i, j);
        expected.emplace(j, i);
    }
    const auto simple = graph->derived("simple", {});
    EXPECT_EQ(pattern_of(simple->graph().tensor), expected);
    EXPECT_EQ(simple->graph().entries(), static_cast<Index>(expected.size()));
    EXPECT_EQ(simple->derived("simple", {}), simple);
    EXPECT_TRUE(simple->symmetric(true, {}));
    const auto kron = cache_of("kron:7");
    EXPECT_EQ(kron->derived("simple", {}), kron);
}

TEST(DerivedGraphs, OrientedKeepsEachEdgeOnceTowardsTheHigherDegree) {
    for (const char* const expression : {"kron:8", "grid:9x7", "path:2"}) {
        const auto graph = cache_of(expression);
        const auto oriented = graph->derived("oriented", {});
        const Array& old_of = oriented->old_of();
        std::map<Index, Index> degree;
        for (const auto& [i, j] : pattern_of(graph->graph().tensor)) ++degree[i];
        std::set<std::pair<Index, Index>> both;
        for (const auto& [i, j] : pattern_of(oriented->graph().tensor)) {
            const Index a = old_of.index_at(i);
            const Index b = old_of.index_at(j);
            EXPECT_LE(degree[a], degree[b]);
            EXPECT_LT(j, i);
            both.emplace(a, b);
            both.emplace(b, a);
        }
        EXPECT_EQ(both, pattern_of(graph->graph().tensor)) << expression;
        oriented->graph().tensor.check();
    }
}

TEST(DerivedGraphs, ByDegreeRenumbersAndSaysHow) {
    const auto graph = cache_of("kron:7");
    const auto sorted = graph->derived("by_degree", {});
    std::set<std::pair<Index, Index>> back;
    for (const auto& [i, j] : pattern_of(sorted->graph().tensor)) {
        back.emplace(sorted->old_of().index_at(i), sorted->old_of().index_at(j));
    }
    EXPECT_EQ(back, pattern_of(graph->graph().tensor));
    const Array& pos = sorted->side(false, true, {}).pos;
    for (Index v = 1; v < sorted->graph().vertices(); ++v) {
        EXPECT_LE(pos.index_at(v + 1) - pos.index_at(v), pos.index_at(v) - pos.index_at(v - 1));
    }
}

TEST(DerivedGraphs, ByDegreeCountsBothDirectionsAndKeepsEqualOnesInOrder) {
    // Outgoing and incoming: 2 + 3, 1 + 2, 3 + 2, 1 + 2, 2 + 0.
    const auto sorted = tangled()->derived("by_degree", {});
    const std::vector<Index> expected = {0, 2, 1, 3, 4};
    for (Index v = 0; v < 5; ++v) EXPECT_EQ(sorted->old_of().index_at(v), expected[v]) << v;
}

TEST(DerivedGraphs, SubgraphsAndFiltersLeaveEntriesOut) {
    const auto graph = tangled();
    const std::uint64_t members = 0b01101;
    Entries expected;
    for (const auto& [at, value] : entries_of(graph->graph().tensor)) {
        if ((members >> at.first & 1) != 0 && (members >> at.second & 1) != 0) {
            expected.emplace(at, value);
        }
    }
    EXPECT_EQ(entries_of(graph->subgraph(&members, {})->graph().tensor), expected);
    const std::vector<std::uint8_t> kept = {1, 0, 0, 0, 0, 0, 0, 0, 1};
    EXPECT_EQ(entries_of(graph->filter(kept.data(), {})->graph().tensor),
              (Entries{{{0, 1}, 5}, {{4, 3}, 8}}));
}

TEST(DerivedGraphs, SidesHaveTheWidthAndTheValuesAskedFor) {
    const auto graph = tangled();
    for (const bool wide : {false, true}) {
        const auto in = graph->side(true, wide, {});
        EXPECT_EQ(in.crd.type(), wide ? ElementType::int64 : ElementType::int32);
        EXPECT_EQ(in.pos.type(), in.crd.type());
        const Array values = graph->values(true, ElementType::int64, {});
        const Array numbers = graph->edge_numbers(wide, {});
        const Array out_values = graph->values(false, ElementType::float32, {});
        for (Index column = 0; column < 5; ++column) {
            for (Index p = in.pos.index_at(column); p < in.pos.index_at(column + 1); ++p) {
                EXPECT_EQ(values.value_at(p), out_values.value_at(numbers.index_at(p)));
            }
        }
    }
    const auto undirected = cache_of("kron:6");
    EXPECT_EQ(undirected->side(true, false, {}).crd.data(),
              undirected->side(false, false, {}).crd.data());
    EXPECT_EQ(undirected->values(false, ElementType::int32, {}).value_at(3), 1);
}

TEST(DerivedGraphs, EntriesStoredMoreOftenOneWayHaveSidesThatDiffer) {
    Graph graph;
    graph.name = "lopsided";
    const std::vector<std::int32_t> from = {0, 0, 1};
    const std::vector<std::int32_t> to = {1, 1, 0};
    const std::vector<double> weights = {5, 7, 1};
    graph.tensor = matrix_from_edges(2, 2, Array::copy_of<std::int32_t>(from, {}, ""),
                                     Array::copy_of<std::int32_t>(to, {}, ""),
                                     Array::copy_of<double>(weights, {}, ""));
    graph.ids.resize(2);
    GraphCache cache(std::move(graph));
    EXPECT_FALSE(cache.symmetric(false, {}));
    const auto in = cache.side(true, false, {});
    EXPECT_EQ(in.pos.index_at(1), 1);
    EXPECT_EQ(in.pos.index_at(2), 3);
    const Array values = cache.values(true, ElementType::int32, {});
    EXPECT_EQ(values.value_at(0), 1);
    EXPECT_EQ(values.value_at(1) + values.value_at(2), 12);
}

TEST(DerivedGraphs, ValuesThatDoNotFitAreRefusedEveryTime) {
    const auto graph = cache_of("path:10,weights=300..400");
    EXPECT_THROW(graph->values(false, ElementType::int8, {}), Error);
    EXPECT_THROW(graph->values(false, ElementType::int8, {}), Error);
}

// A guess by some rows, for those who ask for memory in time; also where there are none.
TEST(DerivedGraphs, KnowWhetherNumbersOfNeighboursAreClose) {
    const auto close = [](const std::string& expression) {
        return cache_of(expression)->numbered_closely(Context());
    };
    for (const char* const expression :
         {"path:2", "path:50000", "grid:300x300,remove=0.3", "road:20000"}) {
        EXPECT_TRUE(close(expression)) << expression;
    }
    for (const char* const expression :
         {"path:1", "star:1000", "urand:14", "kron:14", "bipartite:3000x5000,0.001"}) {
        EXPECT_FALSE(close(expression)) << expression;
    }
    const std::vector<std::int32_t> from = {0, 0};
    const std::vector<std::int32_t> to = {0, 1};
    Graph wide;
    wide.tensor = matrix_from_edges(1, 3, Array::copy_of<std::int32_t>(from, {}, ""),
                                    Array::copy_of<std::int32_t>(to, {}, ""), Array());
    wide.ids.resize(2);
    EXPECT_FALSE(std::make_shared<GraphCache>(std::move(wide))->numbered_closely(Context()));
}

TEST(DerivedGraphs, ForgettingFrees) {
    const auto graph = tangled();
    EXPECT_EQ(graph->derived_bytes(), 0u);
    graph->derived("simple", {});
    graph->side(true, true, {});
    EXPECT_GT(graph->derived_bytes(), 0u);
    graph->forget();
    EXPECT_EQ(graph->derived_bytes(), 0u);
}

TEST(DerivedGraphs, WhatIsTooMuchIsNotKept) {
    const auto graph = cache_of("kron:10");
    const Context tight(ContextOptions{.memory_limit = 600'000});
    graph->derived("strict_lower", tight);
    EXPECT_LE(graph->derived_bytes(), 300'000u);
}

TEST(DerivedGraphs, ThreadsShareWhatIsMade) {
    const auto graph = tangled();
    std::vector<std::shared_ptr<GraphCache>> found(8);
    std::vector<std::thread> threads;
    for (auto& each : found) {
        threads.emplace_back([&each, &graph] {
            each = graph->derived("simple", {});
            static_cast<void>(graph->side(true, false, {}));
        });
    }
    for (std::thread& thread : threads) thread.join();
    for (const auto& each : found) EXPECT_EQ(each, found[0]);
}

TEST(DerivedGraphs, ArraysOfOthersAreCopiedWhereNothingCanBeReadBehindThem) {
    const Array own = Array::allocate(ElementType::int32, 1024, {}, "");
    EXPECT_TRUE(is_padded(own));
    // Two pages, of which the second is there, then not to be read, then gone.
    void* const pages =
        mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(pages, MAP_FAILED);
    void* const second = static_cast<char*>(pages) + 4096;
    for (int state = 0; state < 3; ++state) {
        if (state == 1) mprotect(second, 4096, PROT_NONE);
        if (state == 2) munmap(second, 4096);
        for (const Index elements : {1024, 1020, 1009}) {
            const Array borrowed = Array::borrow(ElementType::int32, pages, elements);
            EXPECT_FALSE(is_padded(borrowed)) << state << ' ' << elements;
            EXPECT_NE(padded(borrowed, {}).data(), borrowed.data());
        }
        EXPECT_TRUE(is_padded(Array::borrow(ElementType::int32, pages, 1008)));
    }
    munmap(pages, 4096);
}

TEST(DerivedGraphs, OnlyMatricesAreGraphs) {
    const auto vector = std::make_shared<GraphCache>(Graph{});
    EXPECT_THROW(vector->side(false, false, {}), Error);
    const Tensor three({3}, Format::dense_vector(), {Level{}},
                       Array::zeros(ElementType::int32, 3, {}, "a test"), true, true);
    for (const PreparedGraph& graph : {PreparedGraph(), PreparedGraph(three)}) {
        EXPECT_THAT(
            [&] { static_cast<void>(graph.is_symmetric()); },
            ::testing::Throws<Error>(::testing::Property(&Error::code, ErrorCode::unsupported)));
    }
}

} // namespace

} // namespace tropic::derived
