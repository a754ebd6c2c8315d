// From expression to built graph: what generate() adds to the edges.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tropic/generate.h"
#include "unit/generate_helpers.h"

namespace tropic::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

std::vector<Entry> entries_of(const Graph& graph) {
    std::vector<Entry> entries;
    visit_csr(graph.tensor, [&](const auto& view) {
        for (Index i = 0; i < view.rows; ++i) {
            for (Index e = view.pos[i]; e < view.pos[i + 1]; ++e) {
                entries.emplace_back(i, view.crd[e], graph.tensor.values().value_at(e));
            }
        }
    });
    return entries;
}

TEST(GenerateGraph, BuildsWhatTheListSays) {
    for (const char* expression :
         {"kron:9", "kron:9,weights", "kron:9,raw", "rmat:9,weights=0.0..1.0", "urand:9,directed",
          "grid:30x40,remove=0.1", "grid:2x3,torus", "road:3000", "delaunay:700", "rgg:700",
          "butterfly:2", "ccc:2", "ring:2", "path:0", "star:1", "tree:50", "complete:40",
          "bipartite:20x30,0.2", "ring:1"}) {
        SCOPED_TRACE(expression);
        const Graph graph = generate(expression);
        EXPECT_EQ(entries_of(graph), built(edges_of(expression)));
        EXPECT_TRUE(graph.is_square());
        EXPECT_EQ(graph.tensor.format(), Format::csr());
        EXPECT_EQ(graph.name, expression);
        EXPECT_EQ(graph.source, graph.name.substr(0, graph.name.find(':')));
        ASSERT_EQ(graph.ids.size(), 2u);
        EXPECT_TRUE(graph.ids[0].is_offset() && graph.ids[0].offset() == 0);
        EXPECT_NO_THROW(graph.tensor.check());
    }
}

TEST(GenerateGraph, TellsWhatWasDone) {
    const Edges raw = edges_of("kron:6,raw,seed=9");
    const Index loops = std::count_if(raw.entries.begin(), raw.entries.end(), [](const Entry& e) {
        return std::get<0>(e) == std::get<1>(e);
    });
    const Graph graph = generate("kron:6,seed=9");
    EXPECT_EQ(graph.kind, EdgeKind::undirected);
    ASSERT_EQ(graph.steps.size(), 4u);
    EXPECT_EQ(graph.steps[0].what, "generated kron");
    EXPECT_THAT(graph.steps[0].counts,
                ElementsAre(Pair("seed", 9), Pair("vertices", 64), Pair("edges", 1024)));
    EXPECT_EQ(graph.steps[1].what, "dropped self loops");
    EXPECT_THAT(graph.steps[1].counts, ElementsAre(Pair("edges", loops)));
    EXPECT_EQ(graph.steps[2].what, "stored both directions");
    EXPECT_THAT(graph.steps[2].counts, ElementsAre(Pair("entries", 2 * (1024 - loops))));
    EXPECT_EQ(graph.steps[3].what, "merged duplicates");
    EXPECT_THAT(graph.steps[3].counts,
                ElementsAre(Pair("merged", 2 * (1024 - loops) - graph.entries()),
                            Pair("entries", graph.entries())));

    // Nothing random, nothing dropped, nothing merged.
    const Graph path = generate("path:5,directed");
    EXPECT_EQ(path.kind, EdgeKind::directed);
    ASSERT_EQ(path.steps.size(), 1u);
    EXPECT_THAT(path.steps[0].counts, ElementsAre(Pair("vertices", 5), Pair("edges", 4)));

    const Graph kept = generate("kron:6,raw");
    EXPECT_EQ(kept.kind, EdgeKind::undirected_once);
    EXPECT_EQ(kept.entries(), 1024);
    EXPECT_EQ(kept.steps.size(), 1u);
}

TEST(GenerateGraph, TakesTheSeedOfTheCallUnlessItHasItsOwn) {
    EXPECT_EQ(entries_of(generate("kron:6", {.seed = 5})), entries_of(generate("kron:6,seed=5")));
    EXPECT_EQ(entries_of(generate("kron:6,seed=4", {.seed = 5})),
              entries_of(generate("kron:6,seed=4")));
    EXPECT_NE(entries_of(generate("kron:6")), entries_of(generate("kron:6,seed=4")));
}

} // namespace
} // namespace tropic::testing
