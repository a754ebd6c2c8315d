#include "tropic/partition.h"

#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/memory.h"
#include "tropic/error.h"
#include "tropic/generate.h"
#include "unit/small_matrices.h"

namespace tropic {
namespace {

using testing::csc;
using testing::csr;
using ::testing::ElementsAre;
using testing::Entries;
using testing::Entry;
using testing::graph_of;
using ::testing::HasSubstr;
using testing::Layout;

constexpr auto kway_methods = {PartitionMethod::metis, PartitionMethod::scotch};

std::vector<Index> list(const Array& array) {
    std::vector<Index> result;
    for (Index i = 0; i < array.size(); ++i) result.push_back(array.index_at(i));
    return result;
}

Partition with_parts(const std::vector<Index>& part_of, Index parts) {
    Partition result;
    result.options.method = PartitionMethod::block_1d;
    result.options.parts = result.parts = parts;
    result.part_of = testing::index_array(part_of, ElementType::int32);
    return result;
}

/// The definitions of the header, over sets.
struct Expected {
    PartitionQuality quality;
    std::vector<Index> vertices;
    std::vector<Index> entries;
};

double balance(const std::vector<Index>& shares) {
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    if (sum == 0) return 1;
    return static_cast<double>(*std::max_element(shares.begin(), shares.end())) *
           static_cast<double>(shares.size()) / sum;
}

Expected expect_of_vertices(Index n, const Entries& entries, const std::vector<Index>& part,
                            Index parts) {
    Expected result;
    result.vertices.resize(parts);
    result.entries.resize(parts);
    for (Index v = 0; v < n; ++v) ++result.vertices[part[v]];
    std::multiset<std::pair<Index, Index>> places;
    std::set<std::pair<Index, Index>> reads;
    std::set<Index> boundary;
    Index above = 0;
    for (const Entry& entry : entries) {
        places.insert({entry.row, entry.col});
        ++result.entries[part[entry.row]];
        if (part[entry.row] == part[entry.col]) continue;
        ++result.quality.cut_entries;
        above += entry.row < entry.col ? 1 : 0;
        reads.insert({part[entry.row], entry.col});
        boundary.insert(entry.row);
        boundary.insert(entry.col);
    }
    const bool symmetric = std::all_of(places.begin(), places.end(), [&](const auto& place) {
        return places.count(place) == places.count({place.second, place.first});
    });
    result.quality.edge_cut = symmetric ? above : result.quality.cut_entries;
    result.quality.communication_volume = static_cast<Index>(reads.size());
    result.quality.boundary_vertices = static_cast<Index>(boundary.size());
    result.quality.vertex_balance = balance(result.vertices);
    result.quality.entry_balance = balance(result.entries);
    return result;
}

void expect_same(const PartitionQuality& a, const PartitionQuality& b) {
    EXPECT_EQ(a.edge_cut, b.edge_cut);
    EXPECT_EQ(a.cut_entries, b.cut_entries);
    EXPECT_EQ(a.communication_volume, b.communication_volume);
    EXPECT_EQ(a.boundary_vertices, b.boundary_vertices);
    EXPECT_DOUBLE_EQ(a.vertex_balance, b.vertex_balance);
    EXPECT_DOUBLE_EQ(a.entry_balance, b.entry_balance);
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

Index largest(const std::vector<Index>& sizes) {
    return *std::max_element(sizes.begin(), sizes.end());
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

class KWay : public ::testing::TestWithParam<PartitionMethod> {
  protected:
    void SetUp() override {
        ::testing::internal::CaptureStdout();
        ::testing::internal::CaptureStderr();
    }
    void TearDown() override {
        EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
        EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
    }
    PartitionOptions into(Index parts, std::uint64_t seed = 1) const {
        return {.method = GetParam(), .parts = parts, .seed = seed};
    }
};

TEST_P(KWay, CutsAGridNearTheOptimum) {
    const Graph grid = graph_of(csr(1024, 1024, testing::grid_edges(32, 32)), EdgeKind::undirected);
    struct Case {
        Index parts;
        Index best; ///< of six seeds; squares or strips give 32, 64 and 192
        Index worst;
    };
    for (const Case& test : {Case{2, 33, 48}, Case{4, 68, 90}, Case{16, 212, 250}}) {
        Index best = std::numeric_limits<Index>::max();
        for (std::uint64_t seed = 1; seed <= 6; ++seed) {
            const Partition result = partition(grid, into(test.parts, seed));
            best = std::min(best, result.quality.edge_cut);
            EXPECT_LE(result.quality.edge_cut, test.worst);
            EXPECT_EQ(result.quality.cut_entries, 2 * result.quality.edge_cut);
            EXPECT_LE(result.quality.vertex_balance, 1.031);
            EXPECT_TRUE(result.steps.empty());
            EXPECT_TRUE(result.warnings.empty());
        }
        EXPECT_LE(best, test.best);
        const Partition random = partition(grid, {.method = PartitionMethod::block_1d,
                                                  .parts = test.parts,
                                                  .balance = BlockBalance::random});
        EXPECT_LT(test.worst * 5, random.quality.edge_cut);
    }
}

TEST_P(KWay, DependsOnTheSeedAlone) {
    const Graph grid = graph_of(csr(2500, 2500, testing::grid_edges(50, 50)));
    const auto first = list(partition(grid, into(6, 7)).part_of);
    partition(grid, into(5, 3));
    EXPECT_EQ(list(partition(grid, into(6, 7), Context({.threads = 1})).part_of), first);
    bool differs = false;
    for (std::uint64_t seed = 8; seed < 14; ++seed) {
        differs = differs || list(partition(grid, into(6, seed)).part_of) != first;
    }
    EXPECT_TRUE(differs);
}

TEST_P(KWay, TellsWhatItHadToChange) {
    // A directed path of 60 vertices with loops and doubled entries.
    Entries entries;
    for (Index v = 0; v + 1 < 60; ++v) entries.push_back({v, v + 1});
    entries.insert(entries.end(), {{3, 3}, {4, 4}, {5, 6}, {1, 0}});
    const Graph graph = graph_of(csr(60, 60, entries));
    const Partition result = partition(graph, into(2));
    EXPECT_EQ(result.quality.boundary_vertices, 2);
    std::map<std::string, Index> steps;
    for (const Step& step : result.steps) {
        steps[step.what.substr(0, step.what.find(" for "))] = step.counts.at(0).second;
    }
    EXPECT_EQ(steps["left out self loops"], 2);
    EXPECT_EQ(steps["merged duplicates"], 1);
    EXPECT_EQ(steps["symmetrised"], 58);
    EXPECT_EQ(steps.size(), 3u);
    EXPECT_EQ(graph.tensor.entries(), 63);
}

TEST_P(KWay, AvoidsHeavyEdges) {
    // A ring of 40: cutting it in half anywhere but at the two light edges costs 1000.
    for (const bool directed : {false, true}) {
        Entries entries;
        for (Index v = 0; v < 40; ++v) {
            const double weight = v == 9 || v == 29 ? 1 : 1000;
            entries.push_back({v, (v + 1) % 40, weight});
            if (!directed) entries.push_back({(v + 1) % 40, v, weight});
        }
        const Graph graph = graph_of(csr(40, 40, entries, {.type = ElementType::int32}));
        const auto part = list(partition(graph, into(2)).part_of);
        EXPECT_NE(part[9], part[10]);
        EXPECT_NE(part[29], part[30]);
        EXPECT_EQ(part[10], part[29]);
    }
}

TEST_P(KWay, TakesUnusableValuesAsOnes) {
    for (const ElementType type : {ElementType::float64, ElementType::int32}) {
        Entries entries = testing::grid_edges(10, 10);
        for (Entry& entry : entries) entry.value = type == ElementType::int32 ? -1 : 0.5;
        const Partition result =
            partition(graph_of(csr(100, 100, entries, {.type = type})), into(2));
        EXPECT_LE(result.quality.edge_cut, 14);
        ASSERT_EQ(result.steps.size(), 1u);
        EXPECT_THAT(result.steps[0].what, HasSubstr("values not being positive integers"));
    }
}

TEST_P(KWay, ScalesWeightsThatWouldOverflow) {
    Entries entries = testing::grid_edges(16, 16);
    for (Entry& entry : entries) entry.value = 4e18;
    Graph graph = graph_of(csr(256, 256, entries, {.type = ElementType::uint64}));
    const std::vector<std::int64_t> weights(256, Index{1} << 60);
    graph.vertex_weights = Array::copy_of<std::int64_t>(weights, {}, "test");
    graph.constraints = 1;
    const Partition result = partition(graph, into(4));
    EXPECT_LE(result.quality.edge_cut, 40);
    EXPECT_LE(result.quality.weight_balance, 1.04);
    EXPECT_EQ(result.warnings.size(), 2u);
}

TEST_P(KWay, BalancesVertexWeights) {
    // The left half of the grid weighs three times the right half.
    Graph graph = graph_of(csr(1024, 1024, testing::grid_edges(32, 32)));
    std::vector<std::int32_t> weights(1024);
    for (Index v = 0; v < 1024; ++v) weights[v] = v % 32 < 16 ? 3 : 1;
    graph.vertex_weights = Array::copy_of<std::int32_t>(weights, {}, "test");
    graph.constraints = 1;
    const Partition result = partition(graph, into(2));
    EXPECT_LE(result.quality.weight_balance, 1.031);
    EXPECT_LE(result.quality.edge_cut, 40);

    graph.constraints = 2;
    EXPECT_THROW(partition(graph, into(2)), Error);
    weights[5] = -1;
    graph.constraints = 1;
    graph.vertex_weights = Array::copy_of<std::int32_t>(weights, {}, "test");
    EXPECT_THROW(partition(graph, into(2)), Error);
}

TEST_P(KWay, AnswersForEveryNumberOfPartsAndShapeOfGraph) {
    const std::map<std::string, std::pair<Index, Entries>> graphs = {
        {"empty", {0, {}}},
        {"one", {1, {}}},
        {"loop", {1, {{0, 0}}}},
        {"pair", {2, {{0, 1}, {1, 0}}}},
        {"isolated", {50, {}}},
        {"mostly isolated", {70, {{3, 4}, {4, 3}, {9, 3}}}},
        {"two components", {80, {{0, 1}, {1, 2}, {2, 0}, {40, 41}, {41, 42}, {42, 43}}}},
        {"star",
         {65,
          [] {
              Entries entries;
              for (Index v = 1; v < 65; ++v) entries.push_back({0, v});
              return entries;
          }()}},
        {"grid", {110, testing::grid_edges(11, 10)}},
        {"dense", {20, testing::random_entries(20, 20, 600, 5)}},
    };
    for (const auto& [name, graph] : graphs) {
        for (const Index parts :
             {1, 2, 3, 5, 8, 13, 19, 20, 21, 40, 49, 50, 64, 65, 79, 109, 200}) {
            SCOPED_TRACE(::testing::Message() << name << " into " << parts);
            const Index n = graph.first;
            const Partition result = partition(graph_of(csr(n, n, graph.second)), into(parts));
            const auto part_of = list(result.part_of);
            ASSERT_EQ(static_cast<Index>(part_of.size()), n);
            std::set<Index> used;
            for (const Index part : part_of) {
                EXPECT_GE(part, 0);
                EXPECT_LT(part, parts);
                used.insert(part);
            }
            EXPECT_EQ(result.vertices_of_part.size(), static_cast<std::size_t>(parts));
            const Index empty = parts - static_cast<Index>(used.size());
            EXPECT_EQ(std::ranges::count_if(
                          result.warnings,
                          [](const auto& warning) { return warning.ends_with("no vertices"); }),
                      empty > 0 ? 1 : 0);
            if (GetParam() == PartitionMethod::metis) {
                EXPECT_EQ(empty, std::max<Index>(0, parts - n));
            }
            if (n > 0) EXPECT_LE(largest(result.vertices_of_part), (n + parts - 1) / parts + 2);
            expect_same(result.quality,
                        expect_of_vertices(n, graph.second, part_of, parts).quality);
        }
    }
}

TEST_P(KWay, CopesWithVerticesHeavierThanParts) {
    for (const Index parts : {2, 3, 7, 8, 30, 100}) {
        Graph graph = graph_of(csr(400, 400, testing::grid_edges(20, 20)));
        std::vector<std::int32_t> weights(400, 1);
        weights[0] = 1000;
        weights[399] = 500;
        weights[57] = 0;
        graph.vertex_weights = Array::copy_of<std::int32_t>(weights, {}, "test");
        graph.constraints = 1;
        const Partition result = partition(graph, into(parts));
        EXPECT_EQ(result.part_of.size(), 400);
        if (GetParam() == PartitionMethod::metis) EXPECT_TRUE(result.warnings.empty());
    }
}

TEST_P(KWay, RefusesWhatMakesNoSense) {
    const Graph graph = graph_of(csr(10, 10, testing::grid_edges(5, 2)));
    for (const Index parts : {Index{0}, Index{-3}, Index{1} << 31, Index{1} << 62}) {
        try {
            partition(graph, into(parts));
            FAIL() << parts << " parts";
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::usage);
            EXPECT_THAT(error.what(), HasSubstr(std::to_string(parts)));
        }
    }
    for (const double imbalance : {-0.1, std::numeric_limits<double>::quiet_NaN(),
                                   std::numeric_limits<double>::infinity()}) {
        PartitionOptions options = into(2);
        options.imbalance = imbalance;
        EXPECT_THROW(partition(graph, options), Error);
    }
    EXPECT_THROW(partition(graph_of(csr(3, 4, {})), into(2)), Error);
    EXPECT_THROW(partition(graph_of(Tensor()), into(2)), Error);
}

TEST_P(KWay, AsksForMemoryFirst) {
    const Graph graph = graph_of(csr(10000, 10000, testing::grid_edges(100, 100)));
    try {
        partition(graph, into(4), Context({.memory_limit = 600 << 10}));
        FAIL() << "went over the limit";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
        EXPECT_THAT(error.what(), HasSubstr("partitioning with"));
    }
    EXPECT_THROW(partition(graph, into(1 << 30), Context({.memory_limit = 1 << 20})), Error);
}

TEST_P(KWay, TellsTheWeightOfTheCut) {
    struct Case {
        Entries entries;
        double weight; ///< of cutting 1 - 2
    };
    const std::vector<Case> cases = {
        {{{0, 1, 9}, {1, 0, 9}, {1, 2, 2}, {2, 1, 2}, {2, 3, 9}, {3, 2, 9}}, 2},
        {{{0, 1, 9}, {1, 2, 2}, {2, 3, 9}}, 2},
        {{{0, 1, 9}, {1, 2, 2}, {2, 1, 3}, {2, 3, 9}}, 5},
        {{{0, 1, 9}, {1, 1, 7}, {1, 2, 2}, {1, 2, 2}, {2, 3, 9}}, 4},
    };
    for (const Case& c : cases) {
        const Partition result =
            partition(graph_of(csr(4, 4, c.entries, {.type = ElementType::int32})), into(2));
        ASSERT_TRUE(result.quality.cut_weight.has_value());
        EXPECT_EQ(*result.quality.cut_weight, c.weight);
    }
    EXPECT_FALSE(partition(generate("path:4"), into(2)).quality.cut_weight.has_value());
}

TEST_P(KWay, WarnsOfABalanceThatMissesWhatWasAskedFor) {
    // Weights 3, 3, 2 and 2 in three parts: 4, 3, 3 at best, and two vertices in one part.
    Graph graph = graph_of(csr(4, 4, {}));
    graph.constraints = 1;
    const auto warnings = [&](const std::vector<std::int32_t>& weights, Index parts) {
        graph.vertex_weights = Array::copy_of<std::int32_t>(weights, {}, "test");
        PartitionOptions options = into(parts);
        options.imbalance = 0;
        return partition(graph, options).warnings;
    };
    EXPECT_TRUE(warnings({3, 3, 2, 2}, 2).empty());
    EXPECT_TRUE(warnings({1, 1, 1, 9}, 2).empty());
    const auto missed = warnings({3, 3, 3, 3}, 3);
    ASSERT_EQ(missed.size(), 1u);
    EXPECT_THAT(missed[0], HasSubstr("1.500 times the mean vertex weight"));
}

INSTANTIATE_TEST_SUITE_P(Partition, KWay, ::testing::ValuesIn(kway_methods),
                         [](const auto& info) { return std::string(name_of(info.param)); });

TEST(Metis, MinimisesVolumeByVertexSizes) {
    Graph graph = graph_of(csr(1024, 1024, testing::grid_edges(32, 32)));
    std::vector<std::int32_t> sizes(1024, 1);
    for (Index v = 0; v < 1024; ++v) sizes[v] = v / 32 == 15 || v / 32 == 16 ? 1 : 1000;
    graph.vertex_sizes = Array::copy_of<std::int32_t>(sizes, {}, "test");
    const Partition result = partition(graph, {.method = PartitionMethod::metis, .parts = 2});
    // Only rows 15 and 16 of the grid are cheap to send.
    const auto part = list(result.part_of);
    Index volume = 0;
    for (const Part& lists : all_part_lists(graph, result)) {
        for (const Index v : list(lists.foreign_vertices)) volume += sizes[v];
    }
    EXPECT_LE(volume, 5000);
    ASSERT_EQ(result.steps.size(), 1u);
}

TEST(Metis, BalancesSeveralConstraints) {
    Graph graph = graph_of(csr(1024, 1024, testing::grid_edges(32, 32)));
    std::vector<std::int32_t> weights;
    for (Index v = 0; v < 1024; ++v) {
        weights.push_back(1);
        weights.push_back(v % 32 < 8 ? 4 : 0);
        weights.push_back(0);
    }
    graph.vertex_weights = Array::copy_of<std::int32_t>(weights, {}, "test");
    graph.constraints = 3;
    const Partition metis = partition(graph, {.method = PartitionMethod::metis, .parts = 4});
    EXPECT_LE(metis.quality.weight_balance, 1.06);
    const Partition scotch = partition(graph, {.method = PartitionMethod::scotch, .parts = 4});
    ASSERT_EQ(scotch.warnings.size(), 1u);
    EXPECT_THAT(scotch.warnings[0], HasSubstr("the first of"));
}

TEST(Scotch, IsRefusedTheMemoryItWouldTake) {
    struct Case {
        const char* graph;
        Index parts;
        std::uint64_t taken; ///< as measured
    };
    const std::vector<Case> cases = {{"star:20000", 8, 7'100'000},
                                     {"grid:200x200", 300, 17'200'000},
                                     {"urand:11", 8, 1'900'000}};
    for (const Case& c : cases) {
        const Context context({.memory_limit = c.taken});
        const Graph graph = generate(c.graph, {}, context);
        try {
            partition(graph, {.method = PartitionMethod::scotch, .parts = c.parts}, context);
            ADD_FAILURE() << c.graph;
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
            EXPECT_THAT(error.diagnostic().message, HasSubstr("partitioning with SCOTCH"));
        }
    }
    // Few parts of a mesh have short borders.
    const Context context({.memory_limit = 8'000'000});
    EXPECT_NO_THROW(partition(generate("grid:200x200", {}, context),
                              {.method = PartitionMethod::scotch, .parts = 2}, context));
}

TEST(Kway, CutsGraphsWithHubs) {
    const Graph graph = generate("kron:13");
    const auto cut = [&](PartitionMethod method, std::uint64_t seed) {
        return partition(graph, {.method = method, .parts = 32, .imbalance = 0.1, .seed = seed});
    };
    const Partition scotch = cut(PartitionMethod::scotch, 1);
    EXPECT_LE(scotch.quality.vertex_balance, 1.11);
    EXPECT_EQ(std::ranges::count(scotch.vertices_of_part, 0), 0);
    // As good as METIS or better, give or take a little.
    const Partition metis = cut(PartitionMethod::metis, 1);
    EXPECT_LE(scotch.quality.edge_cut, metis.quality.edge_cut * 11 / 10);
    const Partition again = cut(PartitionMethod::scotch, 1);
    EXPECT_EQ(scotch.quality.edge_cut, again.quality.edge_cut);
}

} // namespace
} // namespace tropic
