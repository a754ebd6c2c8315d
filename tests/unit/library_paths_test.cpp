// Shortest paths of the library beside their usual case: negative values, lengths near the largest
// number, values that are kept in less room.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include <fmt/format.h>

#include "library/perform.h"
#include "library/prepare.h"
#include "library_graphs.h"
#include "tropic/error.h"
#include "tropic/tropic.h"

namespace tropic {
namespace {

using test::matrix;

TEST(LibraryPaths, ParentsNeedValuesAboveZero) {
    const PreparedGraph circle(read_graph_from_memory("0 1 0\n1 0 0\n1 2 3\n", "circle.wel"));
    EXPECT_NO_THROW(static_cast<void>(sssp(circle, {.source = 2})));
    try {
        static_cast<void>(sssp(circle, {.source = 2, .parents = true}));
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::range);
        EXPECT_THAT(error.what(), testing::HasSubstr("of more than 0"));
    }
}

/// Edges whose circles are all of length 0 or more, though many edges are below 0.
struct Potentials {
    std::vector<std::int32_t> from;
    std::vector<std::int32_t> to;
    std::vector<std::int32_t> value;
};
Potentials potentials(std::uint32_t seed, int vertices, int edges) {
    std::mt19937 random(seed);
    std::uniform_int_distribution<std::int32_t> vertex(0, vertices - 1);
    std::uniform_int_distribution<std::int32_t> height(-20, 20);
    std::uniform_int_distribution<std::int32_t> more(0, 2);
    std::vector<std::int32_t> heights(static_cast<std::size_t>(vertices));
    for (std::int32_t& each : heights) each = height(random);
    Potentials graph;
    for (int e = 0; e < edges; ++e) {
        const std::int32_t u = vertex(random);
        const std::int32_t v = vertex(random);
        graph.from.push_back(u);
        graph.to.push_back(v);
        graph.value.push_back(heights[static_cast<std::size_t>(v)] -
                              heights[static_cast<std::size_t>(u)] + more(random));
    }
    return graph;
}

TEST(LibraryPaths, BellmanFordFindsParentsForAnyValues) {
    constexpr int vertices = 60;
    const auto list = [](const std::vector<std::int32_t>& of) {
        return Array::copy_of<std::int32_t>(of, {}, "a list");
    };
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
        const Potentials edges = potentials(seed, vertices, 90 + 10 * static_cast<int>(seed));
        const PreparedGraph graph(matrix_from_edges(vertices, vertices, list(edges.from),
                                                    list(edges.to), list(edges.value)));
        const SsspResult result =
            sssp(graph, {.source = 7, .method = SsspMethod::bellman_ford, .parents = true});
        const auto length = [&](Index v) { return result.distance.value_at(v); };
        const double nowhere = std::numeric_limits<std::int32_t>::max();
        ASSERT_EQ(result.parent.index_at(7), 7);
        for (Index v = 0; v < vertices; ++v) {
            ASSERT_EQ(result.parent.index_at(v) < 0, length(v) == nowhere) << v;
            Index at = v;
            int steps = 0;
            while (at >= 0 && at != 7 && steps++ < vertices) {
                const Index before = result.parent.index_at(at);
                bool shortest = false;
                for (std::size_t e = 0; e < edges.from.size(); ++e) {
                    shortest = shortest || (edges.from[e] == before && edges.to[e] == at &&
                                            length(before) + edges.value[e] == length(at));
                }
                ASSERT_TRUE(shortest || before < 0) << before << " to " << at;
                at = before;
            }
            ASSERT_LT(steps, vertices) << "round in a circle";
        }
    }
}

TEST(LibraryPaths, BellmanFordHasNoSteps) {
    const PreparedGraph ring(generate("ring:10"));
    try {
        static_cast<void>(sssp(ring, {.method = SsspMethod::bellman_ford, .delta = 2}));
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::usage);
        EXPECT_THAT(error.what(), testing::HasSubstr("bellman_ford of sssp has no option delta"));
    }
}

TEST(LibraryPaths, LengthsHaveRoom) {
    const Context context;
    EXPECT_EQ(library::length_type(PreparedGraph(generate("path:9")), false, "a test", context),
              "int");
    EXPECT_EQ(
        library::length_type(PreparedGraph(matrix("integer general\n2 2 1\n1 2 2000000000\n")),
                             false, "a test", context),
        "int64");
    EXPECT_EQ(library::length_type(PreparedGraph(matrix("real general\n2 2 1\n1 2 0.5\n")), false,
                                   "a test", context),
              "double");
    // No path is longer than all edges together.
    EXPECT_EQ(library::length_type(
                  PreparedGraph(matrix("integer general\n9 9 2\n1 2 2000000000\n2 3 1\n")), false,
                  "a test", context),
              "int64");
    EXPECT_EQ(library::length_type(
                  PreparedGraph(matrix("integer general\n9 9 2\n1 2 4611686018427387905\n2 3 2\n")),
                  false, "a test", context),
              "double");
    EXPECT_EQ(library::length_type(
                  PreparedGraph(matrix("integer general\n9 9 2\n1 2 4000000000000000001\n2 3 2\n")),
                  false, "a test", context),
              "int64");
}

// A step of half the largest number of a type or more cannot be doubled.
TEST(LibraryPaths, LargestAndLeastLengths) {
    struct Case {
        const char* values; ///< of a directed path 1 -> 2 -> 3
        ElementType type;
    };
    for (const Case& given : {Case{"1 2 3e38\n2 3 2e37\n", ElementType::float32},
                              {"1 2 1.9e38\n2 3 0\n", ElementType::float32},
                              {"1 2 3e-45\n2 3 1e-44\n", ElementType::float32},
                              {"1 2 1.7e308\n2 3 1\n", ElementType::float64},
                              {"1 2 1e305\n2 3 1e304\n", ElementType::float64},
                              {"1 2 1e-320\n2 3 3e-310\n", ElementType::float64}}) {
        const PreparedGraph graph(
            cast(matrix(fmt::format("real general\n3 3 2\n{}", given.values)), given.type));
        const SsspResult result = sssp(graph, {.source = 0, .call = {.timeout = 60}});
        const Verdict verdict = verify::shortest_paths(graph.graph(), 0, result.distance);
        EXPECT_TRUE(verdict.correct()) << given.values << verdict.complaint;
        EXPECT_TRUE(std::isfinite(result.distance.value_at(2))) << given.values;
    }
}

/// Lengths that are no numbers would look as if there were no path, or none be found.
TEST(LibraryPaths, LengthsThatAreNoNumbersAreRefused) {
    const auto range =
        ::testing::Throws<Error>(::testing::Property(&Error::code, ErrorCode::range));
    const Graph path = matrix("real general\n3 3 2\n1 2 1e308\n2 3 1e308\n");
    Graph odd = path;
    const std::vector<double> values{std::numeric_limits<double>::quiet_NaN(), 1};
    odd.tensor =
        odd.tensor.with_values(Array::copy_of(std::span<const double>(values), {}, "a test"));
    for (const PreparedGraph& graph : {PreparedGraph(path), PreparedGraph(odd)}) {
        for (const SsspMethod method : {SsspMethod::delta_stepping, SsspMethod::bellman_ford}) {
            for (const bool parents : {false, true}) {
                EXPECT_THAT(
                    [&] { sssp(graph, {.source = 0, .method = method, .parents = parents}); },
                    range);
            }
        }
        for (const ApspMethod method : {ApspMethod::by_source, ApspMethod::floyd_warshall}) {
            EXPECT_THAT([&] { apsp(graph, {.method = method}); }, range);
        }
    }
    EXPECT_THAT([&] { spanning_tree(PreparedGraph(odd)); }, range);
    const PreparedGraph part(path);
    const SsspResult one = sssp(part, {.source = 1});
    EXPECT_EQ(one.distance.value_at(2), 1e308);
    EXPECT_FALSE(verify::shortest_paths(odd, 1, one.distance).correct());
    const ApspResult table = apsp(PreparedGraph(generate("path:3")));
    EXPECT_FALSE(verify::all_shortest_paths(odd, table.distances).correct());
}

// Edge values take no more room than they need, and paths are the same whatever that is.
TEST(LibraryPaths, EdgeValuesOfPathsAreNarrow) {
    const Context context;
    struct Case {
        const char* entries; ///< of a directed path 1 -> 2 -> 3
        const char* weight;
        const char* value;
        double length;
    };
    for (const Case& given :
         {Case{"integer general\n3 3 2\n1 2 0\n2 3 255\n", "int", "uint8", 255},
          Case{"integer general\n3 3 2\n1 2 7\n2 3 256\n", "int", "uint16", 263},
          Case{"integer general\n3 3 2\n1 2 1\n2 3 65535\n", "int", "uint16", 65536},
          Case{"integer general\n3 3 2\n1 2 1\n2 3 65536\n", "int", "int", 65537},
          Case{"integer general\n3 3 2\n1 2 1\n2 3 2147483647\n", "int64", "int64", 2147483648.0},
          Case{"pattern general\n3 3 2\n1 2\n2 3\n", "int", "uint8", 2},
          Case{"real general\n3 3 2\n1 2 1.5\n2 3 2\n", "double", "double", 3.5}}) {
        const PreparedGraph graph(matrix(given.entries));
        const auto types = library::types_of_paths(graph, false, "a test", context);
        EXPECT_EQ(types.at("weight"), given.weight) << given.entries;
        EXPECT_EQ(types.at("value"), given.value) << given.entries;
        for (const bool parents : {false, true}) {
            if (parents &&
                std::string_view(given.entries).find("1 2 0") != std::string_view::npos) {
                continue; // refused
            }
            const SsspResult result = sssp(graph, {.source = 0, .parents = parents});
            EXPECT_EQ(result.distance.value_at(2), given.length) << given.entries;
            if (parents) EXPECT_EQ(result.parent.index_at(2), 1) << given.entries;
        }
    }
    // Values below 0 keep the type of lengths.
    const PreparedGraph negative(matrix("integer general\n3 3 2\n1 2 5\n2 3 -3\n"));
    EXPECT_EQ(library::types_of_paths(negative, true, "a test", context).at("value"), "int");
    EXPECT_EQ(
        sssp(negative, {.source = 0, .method = SsspMethod::bellman_ford}).distance.value_at(2), 2);
}

} // namespace
} // namespace tropic
