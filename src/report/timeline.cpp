#include "report/timeline.h"

namespace tropic::report {

namespace {

BusyTiles busy_tiles(const tile::ProfileStep& step,
                     const std::vector<tile::TileExchange>& exchange) {
    BusyTiles tiles;
    tiles.reserve(exchange.size());
    for (const tile::TileExchange& e : exchange) {
        tiles.push_back(
            {e.tile, std::uint64_t{e.cycles} + e.rearrange_cycles, e.bytes_sent, e.bytes_received});
    }
    std::ranges::sort(tiles, {}, &BusyTile::tile);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        if (kept > 0 && tiles[kept - 1].tile == tiles[i].tile) {
            tiles[kept - 1].cycles += tiles[i].cycles;
            tiles[kept - 1].bytes_sent += tiles[i].bytes_sent;
            tiles[kept - 1].bytes_received += tiles[i].bytes_received;
        } else {
            tiles[kept++] = tiles[i];
        }
    }
    tiles.resize(kept);
    for (BusyTile& tile : tiles) tile.cycles += step.exchange_setup_cycles;
    return tiles;
}

} // namespace

std::vector<StepExchange> exchanges_of(const tile::Profile& profile) {
    std::vector<StepExchange> exchanges;
    exchanges.reserve(profile.steps.size());
    for (const tile::ProfileStep& step : profile.steps) {
        exchanges.push_back({busy_tiles(step, step.before), busy_tiles(step, step.after)});
    }
    return exchanges;
}

} // namespace tropic::report
