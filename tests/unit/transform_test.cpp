#include "tropic/transform.h"

#include <map>
#include <numeric>

#include <gtest/gtest.h>

#include "naive_tensor.h"
#include "tropic/error.h"

namespace tropic {
namespace {

using naive::Entries;
using naive::Entry;

const std::vector<Format> formats = {Format::csr(),  Format::csc(), Format::dcsr(),
                                     Format::dcsc(), Format::coo(), Format::dense(2)};

/// A graph with ids 10, 11... and vertex weights and sizes that tell vertices apart.
Graph graph_of(const std::vector<Index>& shape, const Entries& entries, ElementType type,
               const Format& format) {
    Graph graph;
    graph.name = "test";
    graph.tensor = build(naive::list_of(shape, entries, ElementType::int32, type, 17), format,
                         Duplicates::keep);
    graph.ids = {VertexIds(10), VertexIds(10)};
    std::vector<std::int32_t> weights;
    std::vector<std::int64_t> sizes;
    for (Index v = 0; v < shape[0]; ++v) {
        weights.push_back(static_cast<std::int32_t>(v));
        weights.push_back(static_cast<std::int32_t>(100 * v));
        sizes.push_back(v * v);
    }
    graph.vertex_weights = Array::copy_of<std::int32_t>(weights, {}, "weights");
    graph.constraints = 2;
    graph.vertex_sizes = Array::copy_of<std::int64_t>(sizes, {}, "sizes");
    return graph;
}

/// What is stored, sorted by row and column, without the zeros of dense storage.
Entries stored(const Tensor& tensor) {
    Entries entries = naive::sorted(naive::entries_of(tensor), {0, 1});
    if (tensor.format() == Format::dense(2)) {
        std::erase_if(entries, [](const Entry& e) { return e.value == 0; });
    }
    return entries;
}

Entries transposed(Entries entries) {
    for (Entry& e : entries) std::swap(e.at[0], e.at[1]);
    return naive::sorted(entries, {0, 1});
}

Index count_of(const Graph& graph, const std::string& name) {
    for (const auto& [key, value] : graph.steps.back().counts) {
        if (key == name) return value;
    }
    ADD_FAILURE() << "no count " << name << " in step " << graph.steps.back().what;
    return -1;
}

/// Random graphs of every format, type and number of threads; dense ones without duplicates.
template <class Test> void for_random_graphs(int rounds, bool square, const Test& test) {
    std::mt19937_64 random(42);
    for (int round = 0; round < rounds; ++round) {
        const Format& format = formats[random() % formats.size()];
        const Index rows = 1 + static_cast<Index>(random() % 40);
        const Index cols = square ? rows : 1 + static_cast<Index>(random() % 40);
        const ElementType type =
            std::vector{ElementType::pattern, ElementType::int8, ElementType::float64,
                        ElementType::uint16}[random() % 4];
        Entries entries = naive::random_entries({rows, cols}, static_cast<Index>(random() % 150),
                                                type == ElementType::pattern, random);
        if (format == Format::dense(2) || random() % 2 == 0) {
            entries = naive::merged(naive::sorted(entries, {0, 1}), Duplicates::first);
        }
        const Graph graph = graph_of({rows, cols}, entries, type, format);
        const Context context({.threads = static_cast<int>(1 + random() % 3)});
        SCOPED_TRACE(testing::Message() << "round " << round << " " << format.name() << " " << rows
                                        << "x" << cols << " " << name_of(type));
        test(graph, naive::sorted(entries, {0, 1}), context, random);
        if (testing::Test::HasFailure()) return;
    }
}

/// The result is sound, in the format of the input, and the step was written down.
void expect_sound(const Graph& result, const Graph& input) {
    ASSERT_NO_THROW(result.tensor.check());
    EXPECT_EQ(result.tensor.format(), input.tensor.format());
    EXPECT_EQ(result.steps.size(), input.steps.size() + 1);
    EXPECT_EQ(result.ids.size(), 2u);
}

TEST(Transpose, ExchangesRowsAndColumns) {
    for_random_graphs(
        300, false, [](const Graph& graph, const Entries& entries, const Context& context, auto&) {
            const Graph result = transpose(graph, context);
            expect_sound(result, graph);
            EXPECT_EQ(result.tensor.shape(),
                      (std::vector<Index>{graph.tensor.dim(1), graph.tensor.dim(0)}));
            EXPECT_TRUE(stored(result.tensor) == transposed(entries));
            EXPECT_EQ(result.tensor.unique(), graph.tensor.unique());
            EXPECT_TRUE(stored(transpose(result.tensor, context)) == entries);
        });
}

TEST(Transpose, OfManyEntries) {
    std::mt19937_64 random(6);
    const auto entries = naive::random_entries({3000, 5000}, 200000, false, random);
    const Graph graph = graph_of({3000, 5000}, entries, ElementType::float32, Format::csr());
    for (const int threads : {1, 2}) {
        const Tensor result = transpose(graph.tensor, Context({.threads = threads}));
        result.check();
        EXPECT_TRUE(naive::entries_of(result) == transposed(naive::sorted(entries, {0, 1})));
    }
}

TEST(Transpose, OfUnsortedRowsIsSorted) {
    const std::vector<std::int32_t> pos = {0, 3, 4};
    const std::vector<std::int32_t> crd = {2, 0, 1, 0};
    std::vector<Level> levels(2);
    levels[1] = {LevelKind::compressed, Array::copy_of<std::int32_t>(pos, {}, ""),
                 Array::copy_of<std::int32_t>(crd, {}, "")};
    const Tensor unsorted({2, 3}, Format::csr(), levels,
                          Array::allocate(ElementType::pattern, 4, {}, ""), true, false);
    unsorted.check();
    const Tensor result = transpose(unsorted);
    result.check();
    EXPECT_TRUE(result.sorted());
    EXPECT_TRUE((naive::entries_of(result) == Entries{{{0, 0}}, {{0, 1}}, {{1, 0}}, {{2, 0}}}));
    EXPECT_TRUE((naive::entries_of(convert(unsorted, Format::coo())) ==
                 Entries{{{0, 0}}, {{0, 1}}, {{0, 2}}, {{1, 0}}}));
}

TEST(Symmetrise, MakesBothDirectionsAgree) {
    const std::vector<Duplicates> rules = {Duplicates::sum,   Duplicates::min,  Duplicates::max,
                                           Duplicates::first, Duplicates::last, Duplicates::keep};
    for_random_graphs(
        400, true,
        [&](const Graph& graph, const Entries& entries, const Context& context, auto& random) {
            const Duplicates rule = rules[random() % rules.size()];
            // The oracle: all copies of every pair, from the side of the lower-numbered vertex.
            std::map<std::pair<Index, Index>, std::pair<std::vector<double>, std::vector<double>>>
                pairs;
            for (const Entry& e : entries) {
                auto& pair = pairs[std::minmax(e.at[0], e.at[1])];
                (e.at[0] <= e.at[1] ? pair.first : pair.second).push_back(e.value);
            }
            Entries expected;
            Index conflicts = 0;
            for (const auto& [at, values] : pairs) {
                const auto& [forward, backward] = values;
                if (at.first == at.second) {
                    for (const double v : forward) expected.push_back({{at.first, at.first}, v});
                    continue;
                }
                for (std::size_t k = 0; k < std::max(forward.size(), backward.size()); ++k) {
                    const double a = k < forward.size() ? forward[k] : backward[k];
                    const double b = k < backward.size() ? backward[k] : forward[k];
                    double there = a;
                    double back = a;
                    if (a != b) {
                        ++conflicts;
                        there = rule == Duplicates::sum    ? a + b
                                : rule == Duplicates::min  ? std::min(a, b)
                                : rule == Duplicates::max  ? std::max(a, b)
                                : rule == Duplicates::last ? b
                                                           : a;
                        back = rule == Duplicates::keep ? b : there;
                    }
                    expected.push_back({{at.first, at.second}, there});
                    expected.push_back({{at.second, at.first}, back});
                }
            }
            const Graph result = symmetrise(graph, rule, context);
            expect_sound(result, graph);
            EXPECT_TRUE(stored(result.tensor) == naive::sorted(expected, {0, 1}));
            const bool differ = rule == Duplicates::keep && conflicts > 0;
            EXPECT_EQ(result.kind, differ ? EdgeKind::directed : EdgeKind::undirected);
            EXPECT_EQ(count_of(result, "conflicts"), conflicts);
            EXPECT_EQ(count_of(result, "added"),
                      static_cast<Index>(expected.size() - entries.size()));
            const Graph again = symmetrise(result, rule, context);
            EXPECT_EQ(count_of(again, "added"), 0);
        });
}

TEST(Symmetrise, RefusesSumsThatDoNotFit) {
    Graph graph;
    graph.name = "small";
    graph.tensor = build(naive::list_of({2, 2}, {{{0, 1}, 100}, {{1, 0}, 28}}, ElementType::int32,
                                        ElementType::int8, 9),
                         Format::csr(), Duplicates::keep);
    graph.ids.resize(2);
    try {
        symmetrise(graph, Duplicates::sum);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::range);
        EXPECT_EQ(error.diagnostic().file, "small");
        EXPECT_EQ(error.diagnostic().message,
                  "values that are to be added up leave the range of int8, in 1 addition");
    }
    const Graph wide = symmetrise(cast(graph, ElementType::int16), Duplicates::sum);
    EXPECT_EQ(wide.tensor.values().value_at(0), 128);
}

TEST(MergeDuplicates, WarnsWhereCountsAreLost) {
    Graph graph;
    graph.tensor = build(naive::list_of({2, 2}, {{{0, 1}}, {{0, 1}}, {{1, 0}}}, ElementType::int32,
                                        ElementType::pattern, 9),
                         Format::csr(), Duplicates::keep);
    graph.ids.resize(2);
    EXPECT_EQ(merge_duplicates(graph, Duplicates::sum).warnings.size(), 1u);
    EXPECT_TRUE(merge_duplicates(graph, Duplicates::first).warnings.empty());
    const Graph counts = merge_duplicates(cast(graph, ElementType::int32), Duplicates::sum);
    EXPECT_TRUE(counts.warnings.empty());
    EXPECT_EQ(counts.tensor.values().value_at(0), 2);
}

TEST(Triangle, KeepsItsSide) {
    const std::vector<std::pair<Triangle, bool (*)(Index, Index)>> sides = {
        {Triangle::lower, [](Index i, Index j) { return j <= i; }},
        {Triangle::upper, [](Index i, Index j) { return j >= i; }},
        {Triangle::strictly_lower, [](Index i, Index j) { return j < i; }},
        {Triangle::strictly_upper, [](Index i, Index j) { return j > i; }},
    };
    for_random_graphs(
        200, false, [&](const Graph& graph, const Entries& entries, const Context& context, auto&) {
            for (const auto& [which, inside] : sides) {
                Entries expected = entries;
                std::erase_if(expected, [&](const Entry& e) { return !inside(e.at[0], e.at[1]); });
                const Graph result = triangle(graph, which, context);
                expect_sound(result, graph);
                EXPECT_TRUE(stored(result.tensor) == expected);
                EXPECT_EQ(count_of(result, "kept"), static_cast<Index>(expected.size()));
                EXPECT_EQ(count_of(result, "dropped"),
                          static_cast<Index>(entries.size() - expected.size()));
            }
        });
}

TEST(DropSelfLoops, DropsTheDiagonalOnly) {
    for_random_graphs(
        100, true, [](const Graph& graph, const Entries& entries, const Context& context, auto&) {
            Entries expected = entries;
            const auto dropped =
                std::erase_if(expected, [](const Entry& e) { return e.at[0] == e.at[1]; });
            const Graph result = drop_self_loops(graph, context);
            expect_sound(result, graph);
            EXPECT_TRUE(stored(result.tensor) == expected);
            EXPECT_EQ(count_of(result, "dropped"), static_cast<Index>(dropped));
        });
}

TEST(MergeDuplicates, FollowsTheRule) {
    for_random_graphs(
        200, false,
        [](const Graph& graph, const Entries& entries, const Context& context, auto& random) {
            const auto rule = static_cast<Duplicates>(random() % 6);
            Entries expected = naive::merged(entries, rule);
            if (graph.tensor.is_pattern()) {
                for (Entry& e : expected) e.value = 1;
            }
            const Graph result = merge_duplicates(graph, rule, context);
            expect_sound(result, graph);
            EXPECT_TRUE(stored(result.tensor) == expected);
            EXPECT_EQ(count_of(result, "merged"),
                      static_cast<Index>(entries.size() - expected.size()));
            if (rule != Duplicates::keep) EXPECT_TRUE(result.tensor.unique());
        });
}

/// The entries with the ids of the file instead of numbers.
Entries in_file_ids(const Graph& graph) {
    Entries entries = stored(graph.tensor);
    for (Entry& e : entries) e.at = {graph.ids[0][e.at[0]], graph.ids[1][e.at[1]]};
    return naive::sorted(entries, {0, 1});
}

/// Weights and sizes still belong to the vertices with the ids they had.
void expect_vertices_carried(const Graph& graph) {
    ASSERT_EQ(graph.vertex_weights.size(), 2 * graph.vertices());
    for (Index v = 0; v < graph.vertices(); ++v) {
        const Index original = graph.ids[0][v] - 10;
        EXPECT_EQ(graph.vertex_weights.index_at(2 * v), original);
        EXPECT_EQ(graph.vertex_weights.index_at(2 * v + 1), 100 * original);
        EXPECT_EQ(graph.vertex_sizes.index_at(v), original * original);
    }
}

TEST(DropIsolated, KeepsTheWayBack) {
    for (const bool square : {true, false}) {
        for_random_graphs(
            200, square,
            [&](const Graph& graph, const Entries& entries, const Context& context, auto&) {
                std::vector<bool> row_used(graph.tensor.dim(0));
                std::vector<bool> col_used(graph.tensor.dim(1));
                const bool is_square = graph.is_square();
                for (const Entry& e : entries) {
                    row_used[e.at[0]] = true;
                    col_used[e.at[1]] = true;
                    if (is_square) row_used[e.at[1]] = col_used[e.at[0]] = true;
                }
                const Graph result = drop_isolated(graph, context);
                expect_sound(result, graph);
                EXPECT_EQ(result.tensor.dim(0), std::count(row_used.begin(), row_used.end(), true));
                EXPECT_EQ(result.tensor.dim(1), std::count(col_used.begin(), col_used.end(), true));
                EXPECT_TRUE(in_file_ids(result) == in_file_ids(graph));
                expect_vertices_carried(result);
            });
    }
}

TEST(DropIsolated, RowsAndColumnsStayTwoKindsWhereAsManyAreLeft) {
    const std::vector<std::int32_t> from = {1, 3};
    const std::vector<std::int32_t> to = {2, 5};
    const Context context;
    const auto array = [&](const std::vector<std::int32_t>& numbers) {
        return Array::copy_of<std::int32_t>(std::span(numbers), context, "vertices");
    };
    Graph graph;
    graph.tensor = matrix_from_edges(4, 6, array(from), array(to), {});
    graph.ids = {VertexIds(1), VertexIds(1)};
    const Graph result = drop_isolated(graph);
    EXPECT_EQ(result.tensor.shape(), (std::vector<Index>{2, 2}));
    EXPECT_EQ(result.kind, EdgeKind::bipartite);
    EXPECT_FALSE(result.is_square());
    EXPECT_EQ(result.ids[0][0], 2);
    EXPECT_EQ(result.ids[1][0], 3);
}

TEST(Permute, KeepsTheWayBack) {
    for_random_graphs(
        300, true,
        [](const Graph& graph, const Entries& entries, const Context& context, auto& random) {
            const auto order = static_cast<Order>(random() % 3);
            const std::uint64_t seed = random();
            const Array old_of = vertex_order(graph, order, seed, context);
            std::vector<Index> degree(graph.vertices());
            for (const Entry& e : entries) {
                ++degree[e.at[0]];
                ++degree[e.at[1]];
            }
            for (Index v = 1; v < graph.vertices() && order != Order::random; ++v) {
                const Index a = old_of.index_at(v - 1);
                const Index b = old_of.index_at(v);
                if (order == Order::degree_ascending) EXPECT_LE(degree[a], degree[b]);
                else EXPECT_GE(degree[a], degree[b]);
                if (degree[a] == degree[b]) EXPECT_LT(a, b);
            }
            const Graph result = permute(graph, order, seed, context);
            expect_sound(result, graph);
            for (Index v = 0; v < graph.vertices(); ++v) {
                EXPECT_EQ(result.ids[0][v], old_of.index_at(v) + 10);
            }
            EXPECT_TRUE(in_file_ids(result) == in_file_ids(graph));
            expect_vertices_carried(result);
        });
}

TEST(VertexOrder, DependsOnTheSeedAlone) {
    const Graph graph = graph_of({2000, 2000}, {{{0, 0}}}, ElementType::pattern, Format::csr());
    const auto order = [&](std::uint64_t seed, int threads) {
        const Array array = vertex_order(graph, Order::random, seed, Context({.threads = threads}));
        const auto span = array.as<std::int32_t>();
        return std::vector<std::int32_t>(span.begin(), span.end());
    };
    EXPECT_EQ(order(1, 1), order(1, 3));
    EXPECT_NE(order(1, 1), order(2, 1));
    auto all = order(7, 2);
    // Computed by hand from the definition: it must be the same on every machine.
    EXPECT_EQ(std::vector<std::int32_t>(all.begin(), all.begin() + 5),
              (std::vector<std::int32_t>{1161, 997, 697, 245, 235}));
    std::sort(all.begin(), all.end());
    for (std::int32_t v = 0; v < 2000; ++v) ASSERT_EQ(all[v], v);
}

TEST(Permute, RefusesWhatIsNoPermutation) {
    const Graph graph = graph_of({3, 3}, {{{0, 1}}}, ElementType::pattern, Format::csr());
    const auto array = [](std::vector<std::int32_t> v) {
        return Array::copy_of<std::int32_t>(v, {}, "permutation");
    };
    for (const auto& wrong :
         {array({0, 1}), array({0, 1, 1}), array({0, 1, 3}), array({0, -1, 2})}) {
        EXPECT_THROW(permute(graph, wrong, "permuted"), Error);
    }
    EXPECT_NO_THROW(permute(graph, array({2, 0, 1}), "permuted"));
}

TEST(Transforms, RefuseOtherRanks) {
    Graph graph;
    graph.tensor = build(naive::list_of({2, 2, 2}, {}, ElementType::int32, ElementType::pattern, 1),
                         Format::coo(3), Duplicates::keep);
    EXPECT_THROW(transpose(graph), Error);
    EXPECT_THROW(symmetrise(graph), Error);
    EXPECT_THROW(drop_self_loops(graph), Error);
    EXPECT_THROW(drop_isolated(graph), Error);
    EXPECT_THROW(triangle(graph, Triangle::lower), Error);
    EXPECT_THROW(permute(graph, Order::random, 1), Error);
    const Graph rectangular = graph_of({2, 3}, {}, ElementType::pattern, Format::csr());
    EXPECT_THROW(symmetrise(rectangular), Error);
    EXPECT_THROW(drop_self_loops(rectangular), Error);
    EXPECT_THROW(permute(rectangular, Order::random, 1), Error);
}

TEST(Cast, OfGraphs) {
    const Graph graph =
        graph_of({3, 3}, {{{0, 1}, 5}, {{2, 2}, 300}}, ElementType::int32, Format::csr());
    EXPECT_TRUE(stored(cast(graph, ElementType::float64).tensor) == stored(graph.tensor));
    EXPECT_TRUE((stored(cast(cast(graph, ElementType::pattern), ElementType::int8).tensor) ==
                 Entries{{{0, 1}, 1}, {{2, 2}, 1}}));
    EXPECT_THROW(cast(graph, ElementType::int8), Error);
    EXPECT_THROW(cast(store_as(graph, Format::dense(2)), ElementType::pattern), Error);
    EXPECT_EQ(cast(graph, ElementType::float64).steps.back().what, "values from int32 to float64");
}

TEST(Cast, CountsWhatItRounds) {
    using Counts = decltype(Step::counts);
    Graph graph = graph_of({3, 3}, {{{0, 1}, 5}, {{1, 1}, 5}, {{2, 2}, 5}}, ElementType::int64,
                           Format::csr());
    const std::vector<std::int64_t> values = {9007199254740993, 16777217, 5};
    graph.tensor = graph.tensor.with_values(
        Array::copy_of<std::int64_t>(values, Context(), "values for a test"));
    EXPECT_EQ(cast(graph, ElementType::float64).steps.back().counts,
              (Counts{{"entries", 3}, {"rounded", 1}}));
    EXPECT_EQ(cast(graph, ElementType::float32).steps.back().counts,
              (Counts{{"entries", 3}, {"rounded", 2}}));
    EXPECT_EQ(cast(graph, ElementType::uint64).steps.back().counts, (Counts{{"entries", 3}}));
    const Graph reals = graph_of({1, 1}, {{{0, 0}, 0.1}}, ElementType::float64, Format::csr());
    EXPECT_EQ(cast(reals, ElementType::float32).steps.back().counts,
              (Counts{{"entries", 1}, {"rounded", 1}}));
}

} // namespace
} // namespace tropic
