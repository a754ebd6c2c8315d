// What each tile does when. A superstep is laid out from its start as
//   sync | exchange before | compute | exchange after | host
// each phase as long as its slowest tile needs. In a phase a tile is busy for its own cycles and
// then waits, which is shown as sync.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "machines/tile/profile.h"

namespace tropic::report {

/// A tile that takes part in an exchange, with its set-up, transfer and rearrangement together.
struct BusyTile {
    std::uint32_t tile = 0;
    std::uint64_t cycles = 0;
    std::uint64_t bytes_sent = 0;
    std::uint64_t bytes_received = 0;
};
using BusyTiles = std::vector<BusyTile>; ///< each tile once, ascending

struct StepExchange {
    BusyTiles before;
    BusyTiles after;
};

/// By step of the profile.
std::vector<StepExchange> exchanges_of(const tile::Profile& profile);

/// Compute cycles of a tile. Where they are not given by tile all tiles do the same (control code)
/// or were not recorded (vertices), and the slowest stands for them.
inline std::uint64_t compute_of(const tile::Superstep& superstep, std::uint32_t tile) {
    if (superstep.compute.empty()) return superstep.compute_cycles;
    return tile < superstep.compute.size() ? superstep.compute[tile] : 0;
}

enum class Activity : std::uint8_t { sync, exchange, compute, host };

struct Slice {
    Activity activity = Activity::sync;
    std::uint64_t start = 0; ///< cycle
    std::uint64_t cycles = 0;
    const BusyTile* exchange = nullptr;
};

/// Calls `see(Slice)` for what one tile does in a superstep, in order, without gaps or overlaps;
/// neighbouring waits are one slice. `exchange` is that of the superstep's step.
template <class See>
void for_each_slice(const tile::Superstep& superstep, const StepExchange& exchange,
                    std::uint32_t tile, const See& see) {
    std::uint64_t now = superstep.start_cycle;
    Slice wait{.activity = Activity::sync, .start = now, .cycles = superstep.sync_cycles};
    now += superstep.sync_cycles;
    const auto phase = [&](Activity activity, std::uint64_t busy, std::uint64_t length,
                           const BusyTile* what) {
        busy = std::min(busy, length);
        if (busy > 0) {
            if (wait.cycles > 0) see(wait);
            see(Slice{activity, now, busy, what});
            wait = {.activity = Activity::sync, .start = now + busy, .cycles = 0};
        }
        wait.cycles += length - busy;
        now += length;
    };
    const auto find = [&](const BusyTiles& tiles) -> const BusyTile* {
        const auto found = std::ranges::lower_bound(tiles, tile, {}, &BusyTile::tile);
        return found == tiles.end() || found->tile != tile ? nullptr : &*found;
    };
    const BusyTile* before = find(exchange.before);
    const BusyTile* after = find(exchange.after);
    phase(Activity::exchange, before == nullptr ? 0 : before->cycles,
          superstep.exchange_before_cycles, before);
    phase(Activity::compute, compute_of(superstep, tile), superstep.compute_cycles, nullptr);
    phase(Activity::exchange, after == nullptr ? 0 : after->cycles, superstep.exchange_after_cycles,
          after);
    phase(Activity::host, superstep.host_cycles, superstep.host_cycles, nullptr);
    if (wait.cycles > 0) see(wait);
}

} // namespace tropic::report
