// Exchange, rearrangement and their costs against sums made by hand.
#include <gtest/gtest.h>

#include "machines/tile/exchange.h"
#include "native_codelets.h"

namespace tropic::tile {

namespace {

const TileExchange* find(const ExchangePlan& plan, std::uint32_t tile) {
    for (const TileExchange& entry : plan.tiles) {
        if (entry.tile == tile) return &entry;
    }
    return nullptr;
}

std::uint64_t bytes_on(const std::vector<MemoryPiece>& pieces, std::uint32_t tile) {
    for (const MemoryPiece& piece : pieces) {
        if (piece.tile == tile) return piece.bytes;
    }
    return 0;
}

} // namespace

TEST(Exchange, WhatIsInPlaceCostsNothing) {
    SmallGraph g(4);
    const Tensor in = g.variable_on("in", 8, 1);
    const Tensor out = g.variable_on("out", 8, 1);
    const ComputeSetId set = g.graph->add_compute_set("local");
    g.add(set, in, out, 1);
    const ComputeSetExchange plan = plan_compute_set(Placement(*g.graph), set);
    EXPECT_TRUE(plan.before.empty());
    EXPECT_TRUE(plan.after.empty());
    EXPECT_EQ(plan.before.cycles(g.graph->machine()), 0U);
}

TEST(Exchange, RemoteInputsAndOutputsMoveOnce) {
    SmallGraph g(4);
    const Tensor in = g.variable_on("in", 10, 0);
    const Tensor out = g.variable_on("out", 10, 2);
    const ComputeSetId set = g.graph->add_compute_set("far");
    g.add(set, in, out, 1);
    // Two vertices of tile 1 read the same elements: they arrive once.
    const Tensor other = g.variable_on("other", 10, 1);
    g.add(set, in, other, 1);
    const ComputeSetExchange plan = plan_compute_set(Placement(*g.graph), set);
    ASSERT_NE(find(plan.before, 1), nullptr);
    EXPECT_EQ(find(plan.before, 1)->bytes_received, 40U);
    EXPECT_EQ(find(plan.before, 1)->cycles, 10U);
    EXPECT_EQ(find(plan.before, 0)->bytes_sent, 40U);
    EXPECT_EQ(plan.before.cycles(g.graph->machine()), 100U + 10U);
    EXPECT_EQ(bytes_on(plan.before.landing, 1), 40U);
    ASSERT_NE(find(plan.after, 2), nullptr);
    EXPECT_EQ(find(plan.after, 1)->bytes_sent, 40U);
    EXPECT_EQ(find(plan.after, 2)->bytes_received, 40U);
    EXPECT_TRUE(plan.before.rearrangements.empty());
}

TEST(Exchange, ABroadcastCostsItsSenderOnce) {
    SmallGraph g(8);
    const Tensor in = g.variable_on("in", 6, 0);
    const ComputeSetId set = g.graph->add_compute_set("broadcast");
    for (std::uint32_t tile = 1; tile < 8; ++tile) {
        g.add(set, in, g.variable_on("out", 6, tile), tile);
    }
    const ExchangePlan plan = plan_compute_set(Placement(*g.graph), set).before;
    EXPECT_EQ(find(plan, 0)->bytes_sent, 24U);
    EXPECT_EQ(find(plan, 0)->cycles, 6U);
    for (std::uint32_t tile = 1; tile < 8; ++tile) {
        EXPECT_EQ(find(plan, tile)->bytes_received, 24U);
    }
}

TEST(Exchange, WordsFromManyTilesArriveInOrder) {
    // As Prim's gathers one word from each tile: one cycle a word, and nothing to put in order.
    SmallGraph g(100);
    const Tensor in = g.variable("in", 100);
    for (std::uint32_t tile = 0; tile < 100; ++tile)
        g.graph->set_tile(in.slice(tile, tile + 1, 0), tile);
    const ComputeSetId set = g.graph->add_compute_set("gather");
    g.add(set, in, g.variable_on("out", 100, 50), 50);
    const ExchangePlan plan = plan_compute_set(Placement(*g.graph), set).before;
    EXPECT_EQ(find(plan, 50)->bytes_received, 99U * 4);
    // Its own word is copied beside them: ten cycles for the region, one for its bytes.
    EXPECT_EQ(find(plan, 50)->cycles, 99U + 11U);
    EXPECT_EQ(find(plan, 50)->rearrange_cycles, 0U);
    EXPECT_EQ(find(plan, 50)->bytes_local, 4U);
}

TEST(Exchange, WhatAsksForEightBytesIsRearrangedWhereItIsOdd) {
    for (const bool odd : {false, true}) {
        SmallGraph g(3);
        // Two regions of three words (odd) or four (even) from two tiles.
        const std::int64_t words = odd ? 3 : 4;
        const Tensor in = g.variable("in", 2 * words);
        g.graph->set_tile(in.slice(0, words, 0), 0);
        g.graph->set_tile(in.slice(words, 2 * words, 0), 1);
        const ComputeSetId set = g.graph->add_compute_set("wide");
        g.add(set, in, g.variable_on("out", 2 * words, 2), 2, "AddWide");
        const ExchangePlan plan = plan_compute_set(Placement(*g.graph), set).before;
        // The first region's size is odd, and so is where the second begins: 50 + 12 / 2 each.
        EXPECT_EQ(find(plan, 2)->rearrange_cycles, odd ? 2 * 56U : 0U);
        EXPECT_EQ(plan.rearrangements.size(), odd ? 1U : 0U);
        if (odd) {
            EXPECT_EQ(plan.rearrangements[0].tensor, "in");
            EXPECT_EQ(plan.rearrangements[0].bytes, 24U);
            EXPECT_EQ(bytes_on(plan.buffers, 2), 24U);
        }
    }
}

TEST(Exchange, RegionsOutOfOrderAreRearrangedOnTheirTile) {
    SmallGraph g(2);
    const Tensor in = g.variable_on("in", 8, 0);
    const std::vector<Tensor> parts{in.slice(4, 8, 0), in.slice(0, 4, 0)};
    const ComputeSetId set = g.graph->add_compute_set("swapped");
    g.add(set, Tensor::concat(parts, 0), g.variable_on("out", 8, 0), 0);
    const ExchangePlan plan = plan_compute_set(Placement(*g.graph), set).before;
    ASSERT_EQ(plan.rearrangements.size(), 1U);
    EXPECT_EQ(plan.rearrangements[0].why, "regions out of order");
    EXPECT_EQ(find(plan, 0)->rearrange_cycles, 2 * (50U + 8U));
    EXPECT_EQ(find(plan, 0)->bytes_received, 0U);
}

TEST(Exchange, NeighboursOnOneTileAreOneRegionWhateverLiesBetween) {
    // Elements 0-3 and 8-11 are all that the tile keeps of the variable: they lie side by side.
    SmallGraph g(2);
    const Tensor in = g.variable_on("in", 12, 1);
    g.graph->set_tile(in.slice(0, 4, 0), 0);
    g.graph->set_tile(in.slice(8, 12, 0), 0);
    const std::vector<Tensor> parts{in.slice(0, 4, 0), in.slice(8, 12, 0)};
    const ComputeSetId set = g.graph->add_compute_set("neighbours");
    g.add(set, Tensor::concat(parts, 0), g.variable_on("out", 8, 0), 0);
    EXPECT_TRUE(plan_compute_set(Placement(*g.graph), set).before.empty());
}

TEST(Exchange, CopiesMoveBetweenTilesAndWithinThem) {
    SmallGraph g(3);
    const Tensor from = g.variable("from", 8);
    g.graph->set_tile(from.slice(0, 4, 0), 0);
    g.graph->set_tile(from.slice(4, 8, 0), 1);
    const Tensor to = g.variable_on("to", 8, 1);
    const ExchangePlan plan = plan_copy(Placement(*g.graph), from, to, "copy");
    EXPECT_EQ(find(plan, 1)->bytes_received, 16U);
    EXPECT_EQ(find(plan, 1)->bytes_local, 16U);
    EXPECT_EQ(find(plan, 1)->cycles, 4U + 10U + 2U);
    EXPECT_EQ(find(plan, 0)->bytes_sent, 16U);
    // Flags, one on each tile: less than a word each.
    const Tensor flags = g.variable("flags", 3, ElementType::boolean);
    for (std::uint32_t tile = 0; tile < 3; ++tile) {
        g.graph->set_tile(flags.slice(tile, tile + 1, 0), tile);
    }
    const Tensor all = g.variable_on("all", 3, 0, ElementType::boolean);
    const ExchangePlan gathered = plan_copy(Placement(*g.graph), flags, all, "gather");
    EXPECT_EQ(find(gathered, 0)->bytes_received, 2U);
    EXPECT_EQ(find(gathered, 0)->cycles, 2U); // a word each
    EXPECT_EQ(find(gathered, 0)->rearrange_cycles, 3 * (7U + 1U));
}

TEST(Exchange, ChipsAreFurtherApart) {
    Machine machine = small_machine(4);
    machine.chips = 2;
    machine.clock_hz = 1e9;
    machine.link_bytes_per_second = 1e9;
    machine.link_congestion = 4;
    SmallGraph g(machine);
    const Tensor in = g.variable_on("in", 10, 1);
    const ComputeSetId set = g.graph->add_compute_set("across");
    g.add(set, in, g.variable_on("a", 10, 5), 5);
    g.add(set, in, g.variable_on("b", 10, 6), 6);
    const ExchangePlan plan = plan_compute_set(Placement(*g.graph), set).before;
    EXPECT_TRUE(plan.between_chips);
    // 40 bytes cross once, at a byte a cycle, four times as slowly.
    EXPECT_EQ(find(plan, 5)->cycles, 160U);
}

} // namespace tropic::tile
