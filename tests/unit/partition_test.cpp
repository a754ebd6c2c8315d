#include "tropic/partition.h"

#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/memory.h"
#include "tropic/error.h"
#include "tropic/generate.h"
#include "unit/partition_expectations.h"
#include "unit/small_matrices.h"

namespace tropic {
namespace {

using testing::csc;
using testing::csr;
using ::testing::ElementsAre;
using testing::Entries;
using testing::Entry;
using testing::expect_of_vertices;
using testing::expect_same;
using testing::Expected;
using testing::graph_of;
using ::testing::HasSubstr;
using testing::Layout;
using testing::list;

Partition with_parts(const std::vector<Index>& part_of, Index parts) {
    Partition result;
    result.options.method = PartitionMethod::block_1d;
    result.options.parts = result.parts = parts;
    result.part_of = testing::index_array(part_of, ElementType::int32);
    return result;
}

/// The lists of a vertex partition by their definitions.
void expect_lists(const Entries& list_of_entries, const Partition& partition,
                  const std::vector<Part>& parts) {
    const Entries entries = testing::in_rows(list_of_entries);
    const std::vector<Index> owner = list(partition.part_of);
    for (Index p = 0; p < partition.parts; ++p) {
        std::vector<Index> vertices;
        for (Index v = 0; v < static_cast<Index>(owner.size()); ++v) {
            if (owner[v] == p) vertices.push_back(v);
        }
        std::set<std::pair<Index, Index>> foreign;
        std::vector<Index> local_entries;
        std::vector<Index> foreign_entries;
        for (std::size_t e = 0; e < entries.size(); ++e) {
            if (owner[entries[e].row] != p) continue;
            const Index other = owner[entries[e].col];
            (other == p ? local_entries : foreign_entries).push_back(static_cast<Index>(e));
            if (other != p) foreign.insert({other, entries[e].col});
        }
        std::vector<Index> foreign_vertices;
        for (const auto& [other, v] : foreign) foreign_vertices.push_back(v);
        EXPECT_EQ(list(parts[p].local_vertices), vertices);
        EXPECT_EQ(list(parts[p].foreign_vertices), foreign_vertices);
        EXPECT_EQ(list(parts[p].local_entries), local_entries);
        EXPECT_EQ(list(parts[p].foreign_entries), foreign_entries);
    }
}

void expect_same_lists(const Part& a, const Part& b) {
    EXPECT_EQ(list(a.local_vertices), list(b.local_vertices));
    EXPECT_EQ(list(a.foreign_vertices), list(b.foreign_vertices));
    EXPECT_EQ(list(a.local_entries), list(b.local_entries));
    EXPECT_EQ(list(a.foreign_entries), list(b.foreign_entries));
}

TEST(PartitionNames, GoBothWays) {
    for (const auto method : {PartitionMethod::block_1d, PartitionMethod::block_2d,
                              PartitionMethod::metis, PartitionMethod::scotch}) {
        PartitionMethod parsed{};
        EXPECT_TRUE(parse_partition_method(name_of(method), parsed));
        EXPECT_EQ(parsed, method);
    }
    for (const auto rule : {BlockBalance::vertices, BlockBalance::random, BlockBalance::entries}) {
        BlockBalance parsed{};
        EXPECT_TRUE(parse_block_balance(name_of(rule), parsed));
        EXPECT_EQ(parsed, rule);
    }
    PartitionMethod method{};
    EXPECT_FALSE(parse_partition_method("kway", method));
}

TEST(Blocks1D, DifferByOneRowAtMost) {
    const Graph graph = graph_of(csr(7, 7, {}));
    const auto blocks = [&](Index parts) {
        return list(
            partition(graph, {.method = PartitionMethod::block_1d, .parts = parts}).part_of);
    };
    EXPECT_THAT(blocks(1), ElementsAre(0, 0, 0, 0, 0, 0, 0));
    EXPECT_THAT(blocks(2), ElementsAre(0, 0, 0, 0, 1, 1, 1));
    EXPECT_THAT(blocks(3), ElementsAre(0, 0, 0, 1, 1, 2, 2));
    EXPECT_THAT(blocks(7), ElementsAre(0, 1, 2, 3, 4, 5, 6));
    EXPECT_THAT(blocks(9), ElementsAre(0, 1, 2, 3, 4, 5, 6));
}

TEST(Blocks1D, BalanceEntriesAsNearAsRowsAllow) {
    // Row i has i entries: 0 + ... + 7 = 28, halves of 14.
    Entries entries;
    for (Index i = 0; i < 8; ++i) {
        for (Index j = 0; j < i; ++j) entries.push_back({i, j});
    }
    const Graph graph = graph_of(csr(8, 8, entries));
    const Partition two = partition(
        graph, {.method = PartitionMethod::block_1d, .parts = 2, .balance = BlockBalance::entries});
    EXPECT_THAT(list(two.part_of), ElementsAre(0, 0, 0, 0, 0, 0, 1, 1));
    EXPECT_THAT(two.entries_of_part, ElementsAre(15, 13));
    EXPECT_THAT(two.vertices_of_part, ElementsAre(6, 2));
    EXPECT_DOUBLE_EQ(two.quality.entry_balance, 15.0 / 14);

    const Partition none = partition(
        graph_of(csr(4, 4, {})),
        {.method = PartitionMethod::block_1d, .parts = 2, .balance = BlockBalance::entries});
    EXPECT_THAT(list(none.part_of), ElementsAre(0, 0, 1, 1));
}

TEST(Blocks1D, WarnOfPartsLeftEmptyByOneHeavyRow) {
    Entries entries;
    for (Index j = 0; j < 100; ++j) entries.push_back({1, j});
    const Partition result = partition(
        graph_of(csr(100, 100, entries)),
        {.method = PartitionMethod::block_1d, .parts = 4, .balance = BlockBalance::entries});
    EXPECT_EQ(
        std::accumulate(result.vertices_of_part.begin(), result.vertices_of_part.end(), Index{0}),
        100);
    ASSERT_FALSE(result.warnings.empty());
    EXPECT_THAT(result.warnings[0], HasSubstr("of 4 parts has no vertices"));
}

TEST(Blocks1D, AtRandomAreEvenSeededAndScattered) {
    const Graph graph = graph_of(csr(1000, 1000, {}));
    PartitionOptions options = {.method = PartitionMethod::block_1d,
                                .parts = 7,
                                .balance = BlockBalance::random,
                                .seed = 5};
    const Partition first = partition(graph, options);
    for (const Index size : first.vertices_of_part) EXPECT_TRUE(size == 142 || size == 143);
    EXPECT_EQ(list(first.part_of),
              list(partition(graph, options, Context({.threads = 1})).part_of));
    options.seed = 6;
    const auto other = list(partition(graph, options).part_of);
    EXPECT_NE(list(first.part_of), other);
    // Neighbouring rows share a part about one time in seven.
    Index together = 0;
    for (Index v = 0; v < 999; ++v) together += other[v] == other[v + 1] ? 1 : 0;
    EXPECT_GT(together, 90);
    EXPECT_LT(together, 200);
}

struct GridCase {
    Index parts;
    Index rows;
    Index cols;
    Index expected_rows; ///< 0: refused
    Index expected_cols;
};

TEST(Blocks2D, SettleTheirGrid) {
    const Graph graph = graph_of(csr(9, 9, {{1, 2}}));
    const Index huge = Index{1} << 40;
    for (const GridCase& test :
         {GridCase{12, 0, 0, 3, 4}, GridCase{16, 0, 0, 4, 4}, GridCase{7, 0, 0, 1, 7},
          GridCase{1, 0, 0, 1, 1}, GridCase{1444, 0, 0, 38, 38}, GridCase{6, 2, 3, 2, 3},
          GridCase{0, 2, 3, 2, 3}, GridCase{5, 2, 3, 0, 0}, GridCase{0, 0, 0, 0, 0},
          GridCase{4, 4, 0, 0, 0}, GridCase{4, -2, -2, 0, 0}, GridCase{0, huge, huge, 0, 0},
          GridCase{-4, 0, 0, 0, 0}}) {
        SCOPED_TRACE(::testing::Message() << test.parts << " " << test.rows << "x" << test.cols);
        const PartitionOptions options = {.method = PartitionMethod::block_2d,
                                          .parts = test.parts,
                                          .grid_rows = test.rows,
                                          .grid_cols = test.cols};
        try {
            const Partition result = partition(graph, options);
            EXPECT_EQ(result.options.grid_rows, test.expected_rows);
            EXPECT_EQ(result.options.grid_cols, test.expected_cols);
            EXPECT_EQ(result.parts, test.expected_rows * test.expected_cols);
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::usage);
            EXPECT_EQ(test.expected_rows, 0) << error.what();
        }
    }
}

TEST(Blocks2D, CountEntriesAndWhatTheyTouch) {
    // Rows 0-1 | 2-3, columns 0-1 | 2.
    const Entries entries = {{0, 0}, {0, 1}, {0, 2}, {1, 2}, {3, 0}, {3, 0}};
    const Graph graph = graph_of(csr(4, 3, entries));
    const Partition result = partition(
        graph, {.method = PartitionMethod::block_2d, .parts = 4, .grid_rows = 2, .grid_cols = 2});
    EXPECT_THAT(list(result.part_of), ElementsAre(0, 0, 1, 1));
    EXPECT_THAT(list(result.col_part_of), ElementsAre(0, 0, 1));
    EXPECT_THAT(result.entries_of_part, ElementsAre(2, 2, 2, 0));
    EXPECT_DOUBLE_EQ(result.quality.entry_balance, 2 / 1.5);
    EXPECT_DOUBLE_EQ(result.quality.vertex_balance, 2 / 1.5);
    // Blocks touch: row 0 and columns 0, 1; rows 0, 1 and column 2; row 3 and column 0.
    EXPECT_EQ(result.quality.communication_volume, 3 + 3 + 2);
    EXPECT_EQ(result.quality.cut_entries, 0);

    const std::vector<Part> parts = all_part_lists(graph, result);
    ASSERT_EQ(parts.size(), 4u);
    EXPECT_THAT(list(parts[1].local_vertices), ElementsAre(0, 1));
    EXPECT_THAT(list(parts[1].foreign_vertices), ElementsAre(2));
    EXPECT_THAT(list(parts[1].local_entries), ElementsAre(2, 3));
    EXPECT_THAT(list(parts[2].local_entries), ElementsAre(4, 5));
    for (Index p = 0; p < 4; ++p) expect_same_lists(part_lists(graph, result, p), parts[p]);
}

TEST(Blocks2D, OfRandomMatricesHoldEveryEntryOnce) {
    for (const BlockBalance rule :
         {BlockBalance::vertices, BlockBalance::random, BlockBalance::entries}) {
        for (const auto& [rows, cols] : {std::pair<Index, Index>{60, 60}, {60, 25}, {3, 90}}) {
            const Entries entries = testing::in_rows(testing::random_entries(rows, cols, 400, 3));
            const Graph graph = graph_of(csr(rows, cols, entries));
            const Partition result = partition(graph, {.method = PartitionMethod::block_2d,
                                                       .parts = 15,
                                                       .grid_rows = 3,
                                                       .grid_cols = 5,
                                                       .balance = rule});
            const auto row_part = list(result.part_of);
            const auto col_part = list(result.col_part_of);
            if (rule == BlockBalance::random && rows == cols) {
                EXPECT_GT(static_cast<Index>(std::set(row_part.begin(), row_part.end()).size()), 2);
            }
            std::vector<Index> count(15);
            std::set<std::array<Index, 3>> touched;
            for (const Entry& entry : entries) {
                const Index block = row_part[entry.row] * 5 + col_part[entry.col];
                ++count[block];
                touched.insert({block, 0, entry.row});
                touched.insert({block, 1, entry.col});
            }
            EXPECT_EQ(result.entries_of_part, count);
            EXPECT_EQ(result.quality.communication_volume, static_cast<Index>(touched.size()));
            const std::vector<Part> parts = all_part_lists(graph, result);
            for (Index p = 0; p < 15; ++p) {
                for (const Index e : list(parts[p].local_entries)) {
                    EXPECT_EQ(row_part[entries[e].row] * 5 + col_part[entries[e].col], p);
                }
                EXPECT_EQ(parts[p].local_entries.size(), count[p]);
                EXPECT_TRUE(parts[p].foreign_entries.empty());
                expect_same_lists(part_lists(graph, result, p), parts[p]);
            }
        }
    }
}

TEST(Blocks2D, AtRandomMoveRowsAndColumnsOfASquareTogether) {
    const Graph graph = graph_of(csr(500, 500, {{1, 2}}));
    const Partition result = partition(
        graph, {.method = PartitionMethod::block_2d, .parts = 16, .balance = BlockBalance::random});
    EXPECT_EQ(list(result.part_of), list(result.col_part_of));
}

TEST(Quality, DoesNotDependOnTheNamesOfVertices) {
    // An edge once one way and three times the other; then three times both ways.
    const PartitionOptions options = {.method = PartitionMethod::block_1d, .parts = 2};
    const Entries one_way = {{0, 1}, {1, 0}, {1, 0}, {1, 0}};
    const Entries other_way = {{0, 1}, {0, 1}, {0, 1}, {1, 0}};
    for (const EdgeKind kind : {EdgeKind::directed, EdgeKind::undirected}) {
        EXPECT_EQ(partition(graph_of(csr(2, 2, one_way), kind), options).quality.edge_cut,
                  partition(graph_of(csr(2, 2, other_way), kind), options).quality.edge_cut);
    }
    EXPECT_EQ(partition(graph_of(csr(2, 2, one_way)), options).quality.edge_cut, 4);
    const Entries both = {{0, 1}, {0, 1}, {0, 1}, {1, 0}, {1, 0}, {1, 0}};
    EXPECT_EQ(partition(graph_of(csr(2, 2, both)), options).quality.edge_cut, 3);
}

TEST(Quality, OfAPathCountedByHand) {
    // 0 - 1 - 2 | 3 - 4 - 5 and the entry 0 -> 5.
    Entries entries = testing::grid_edges(6, 1);
    const Graph path = graph_of(csr(6, 6, entries), EdgeKind::undirected);
    const PartitionOptions options = {.method = PartitionMethod::block_1d, .parts = 2};
    const PartitionQuality quality = partition(path, options).quality;
    EXPECT_EQ(quality.edge_cut, 1);
    EXPECT_EQ(quality.cut_entries, 2);
    EXPECT_EQ(quality.communication_volume, 2);
    EXPECT_EQ(quality.boundary_vertices, 2);
    EXPECT_EQ(quality.vertex_balance, 1);
    EXPECT_EQ(quality.entry_balance, 1);

    entries.push_back({0, 5});
    const PartitionQuality directed = partition(graph_of(csr(6, 6, entries)), options).quality;
    EXPECT_EQ(directed.edge_cut, 3);
    EXPECT_EQ(directed.cut_entries, 3);
    EXPECT_EQ(directed.communication_volume, 3);
    EXPECT_EQ(directed.boundary_vertices, 4);
    EXPECT_DOUBLE_EQ(directed.entry_balance, 6 / 5.5);
}

TEST(Quality, MatchesTheDefinitionsOnRandomGraphs) {
    std::uint64_t seed = 100;
    for (const auto& [n, count, parts] : {std::array<Index, 3>{1, 3, 1},
                                          {5, 9, 2},
                                          {30, 100, 4},
                                          {200, 900, 7},
                                          {50, 60, 50},
                                          {400, 3000, 100},
                                          {40, 0, 3}}) {
        for (int round = 0; round < 4; ++round) {
            Entries entries = testing::random_entries(n, n, count, ++seed);
            if (round % 2 == 1) {
                for (const Entry& entry : testing::mirrored(entries)) entries.push_back(entry);
            }
            const ElementType index = round < 2 ? ElementType::int32 : ElementType::int64;
            const Layout layout = {ElementType::pattern, index, index};
            for (const auto make : {csr, csc}) {
                const Graph graph = graph_of(make(n, n, entries, layout));
                const Partition result = partition(graph,
                                                   {.method = PartitionMethod::block_1d,
                                                    .parts = parts,
                                                    .balance = BlockBalance::random},
                                                   Context({.threads = 3}));
                const Expected wanted = expect_of_vertices(n, entries, list(result.part_of), parts);
                expect_same(result.quality, wanted.quality);
                EXPECT_EQ(result.vertices_of_part, wanted.vertices);
                EXPECT_EQ(result.entries_of_part, wanted.entries);
                const std::vector<Part> all =
                    all_part_lists(graph, result, Context({.threads = 3}));
                expect_lists(entries, result, all);
                for (Index p = 0; p < parts; p += 3) {
                    expect_same_lists(part_lists(graph, result, p), all[p]);
                }
            }
        }
    }
}

TEST(Quality, OfRowBlocksOfARectangularMatrixCountsTheColumnsTheyTouch) {
    const Entries entries = {{0, 4}, {0, 1}, {1, 4}, {2, 4}, {3, 4}};
    const Graph graph = graph_of(csr(4, 5, entries));
    const Partition result = partition(graph, {.method = PartitionMethod::block_1d, .parts = 2});
    EXPECT_EQ(result.quality.communication_volume, 3);
    EXPECT_EQ(result.quality.cut_entries, 0);
    EXPECT_EQ(result.quality.boundary_vertices, 0);
    EXPECT_THAT(result.entries_of_part, ElementsAre(3, 2));
    const std::vector<Part> parts = all_part_lists(graph, result);
    EXPECT_THAT(list(parts[0].foreign_vertices), ElementsAre(1, 4));
    EXPECT_THAT(list(parts[0].local_entries), ElementsAre(0, 1, 2));
    EXPECT_THAT(list(parts[1].local_vertices), ElementsAre(2, 3));
    expect_same_lists(part_lists(graph, result, 0), parts[0]);
}

TEST(PartLists, OrderForeignVerticesByOwner) {
    // 0 reads 1 (of part 2), 2 (of part 1) and 3 (of part 2).
    const Graph graph = graph_of(csr(4, 4, {{0, 1}, {0, 2}, {0, 3}, {0, 0}}));
    const Part part = part_lists(graph, with_parts({0, 2, 1, 2}, 3), 0);
    EXPECT_THAT(list(part.foreign_vertices), ElementsAre(2, 1, 3));
    EXPECT_THAT(list(part.local_entries), ElementsAre(0));
    EXPECT_THAT(list(part.foreign_entries), ElementsAre(1, 2, 3));
}

TEST(PartLists, RefuseWhatDoesNotBelongTogether) {
    const Graph graph = graph_of(csr(3, 3, {{0, 1}}));
    const Partition two = with_parts({0, 1, 1}, 2);
    EXPECT_THROW(part_lists(graph, two, 2), Error);
    EXPECT_THROW(part_lists(graph, two, -1), Error);
    EXPECT_THROW(part_lists(graph, with_parts({0, 1}, 2), 0), Error);
    EXPECT_THROW(all_part_lists(graph, with_parts({0, 1}, 2)), Error);
}

} // namespace
} // namespace tropic
