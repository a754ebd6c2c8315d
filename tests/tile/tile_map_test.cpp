// Where elements are: the last assignment wins, against a list of one tile for each element.
#include <random>

#include <gtest/gtest.h>

#include "machines/tile/tile_map.h"

namespace tropic::tile {

TEST(TileMap, RandomAssignmentsAgainstAList) {
    std::mt19937 random(7);
    const auto pick = [&](std::int64_t least, std::int64_t most) {
        return std::uniform_int_distribution<std::int64_t>(least, most)(random);
    };
    for (int round = 0; round < 200; ++round) {
        const std::int64_t elements = pick(1, 40);
        TileMap map(elements);
        std::vector<std::uint32_t> list(static_cast<std::size_t>(elements), no_tile);
        for (int step = 0; step < 12; ++step) {
            const auto tile = static_cast<std::uint32_t>(pick(0, 3));
            struct Run run;
            run.begin = pick(0, elements - 1);
            run.stride = pick(-2, 3);
            run.count = 1;
            while (run.count < 6 && run.at(run.count) >= 0 && run.at(run.count) < elements) {
                ++run.count;
            }
            map.assign(run, tile);
            for (std::int64_t i = 0; i < run.count; ++i) {
                list[static_cast<std::size_t>(run.at(i))] = tile;
            }
        }
        const FrozenMap frozen(map);
        std::int64_t at = 0;
        std::vector<std::int64_t> kept(4, 0);
        for (const Segment& segment : frozen.segments()) {
            ASSERT_EQ(segment.begin, at);
            if (at > 0) ASSERT_NE(segment.tile, list[static_cast<std::size_t>(at) - 1]);
            for (; at < segment.end; ++at) {
                ASSERT_EQ(segment.tile, list[static_cast<std::size_t>(at)]);
            }
            if (segment.tile == no_tile) continue;
            ASSERT_EQ(segment.local, kept[segment.tile]);
            kept[segment.tile] += segment.end - segment.begin;
        }
        ASSERT_EQ(at, elements);
        // Any part of it, before and after it was frozen.
        const std::int64_t begin = pick(0, elements);
        const std::int64_t end = pick(begin, elements);
        std::int64_t next = begin;
        const auto check = [&](std::int64_t part_begin, std::int64_t part_end, std::uint32_t tile) {
            EXPECT_EQ(part_begin, next);
            for (; next < part_end; ++next) EXPECT_EQ(tile, list[static_cast<std::size_t>(next)]);
        };
        map.for_each(begin, end, check);
        EXPECT_EQ(next, end);
        next = begin;
        frozen.for_each(begin, end, [&](const Segment& s) { check(s.begin, s.end, s.tile); });
        EXPECT_EQ(next, end);
    }
}

} // namespace tropic::tile
