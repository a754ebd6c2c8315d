#include "report/summary.h"

#include <algorithm>
#include <numeric>

#include "report/order.h"
#include "report/timeline.h"

namespace tropic::report {

namespace {

double ratio(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::uint64_t received(const tile::ProfileStep& step) {
    std::uint64_t bytes = 0;
    for (const tile::TileExchange& e : step.before) bytes += e.bytes_received;
    for (const tile::TileExchange& e : step.after) bytes += e.bytes_received;
    return bytes;
}

void add_exchange(const BusyTiles& busy, std::uint64_t phase, std::vector<TileTime>& tiles) {
    for (const BusyTile& tile : busy) {
        if (tile.tile < tiles.size()) tiles[tile.tile].exchange += std::min(tile.cycles, phase);
    }
}

void add_superstep(const tile::Profile& profile, const std::vector<StepExchange>& exchanges,
                   const tile::Superstep& superstep, Summary& summary) {
    if (superstep.step >= exchanges.size()) return;
    const tile::StepKind kind = profile.steps[superstep.step].kind;
    const StepExchange& exchange = exchanges[superstep.step];
    StepCost& cost = summary.steps[superstep.step];
    const Phases phases = phases_of(superstep);
    for (Phases* sum : {&cost.cycles, &summary.cycles}) {
        sum->compute += phases.compute;
        sum->exchange += phases.exchange;
        sum->sync += phases.sync;
        sum->host += phases.host;
    }
    ++cost.runs;
    const bool known = !superstep.compute.empty();
    if (known) cost.known += superstep.compute_cycles;
    else if (kind == tile::StepKind::execute && superstep.compute_cycles > 0) ++summary.not_by_tile;
    for (std::uint32_t t = 0; t < summary.tiles.size(); ++t) {
        const std::uint64_t own = compute_of(superstep, t);
        if (known) cost.busy += own;
        summary.tiles[t].compute += own;
    }
    add_exchange(exchange.before, superstep.exchange_before_cycles, summary.tiles);
    add_exchange(exchange.after, superstep.exchange_after_cycles, summary.tiles);
}

std::vector<VariableSize> sizes_of(const std::vector<tile::MemoryItem>& items) {
    std::vector<VariableSize> sizes;
    for (std::size_t i = 0; i < items.size(); ++i) {
        VariableSize size{.item = i};
        for (const tile::MemoryPiece& piece : items[i].pieces) {
            size.bytes += piece.bytes;
            if (piece.bytes > size.most) {
                size.most = piece.bytes;
                size.fullest_tile = piece.tile;
            }
        }
        sizes.push_back(size);
    }
    sort_by_descending(sizes, [](const VariableSize& size) { return size.bytes; });
    return sizes;
}

} // namespace

Phases phases_of(const tile::Superstep& s) {
    return {.compute = s.compute_cycles,
            .exchange = s.exchange_before_cycles + s.exchange_after_cycles,
            .sync = s.sync_cycles,
            .host = s.host_cycles};
}

std::string path_of(const tile::Profile& profile, std::uint32_t step) {
    if (step >= profile.steps.size()) return {};
    std::string path = profile.steps[step].name;
    std::int32_t at = profile.steps[step].parent;
    // As many levels as there are scopes, at the most: no circle holds this up.
    for (std::size_t level = 0; level < profile.scopes.size(); ++level) {
        const auto scope = static_cast<std::size_t>(at);
        if (at < 0 || scope >= profile.scopes.size()) break;
        const std::string& name = profile.scopes[scope].name;
        // Sequences say nothing, and what decides a loop is named like it.
        if (name != "sequence" && name != path) path.insert(0, name + " / ");
        at = profile.scopes[scope].parent;
    }
    return path;
}

Summary summarise(const tile::Profile& profile) {
    Summary summary;
    const std::uint64_t tiles = profile.machine.tiles();
    summary.tiles.resize(tiles);
    summary.steps.resize(profile.steps.size());
    for (std::uint32_t s = 0; s < profile.steps.size(); ++s) summary.steps[s].step = s;
    const std::vector<StepExchange> exchanges = exchanges_of(profile);
    for (const tile::Superstep& superstep : profile.supersteps) {
        add_superstep(profile, exchanges, superstep, summary);
    }
    std::uint64_t busy = 0;
    std::uint64_t known = 0;
    for (StepCost& cost : summary.steps) {
        busy += cost.busy;
        known += cost.known;
        cost.balance = ratio(cost.busy, cost.known * tiles);
        cost.bytes_exchanged = received(profile.steps[cost.step]) * cost.runs;
        summary.bytes_exchanged += cost.bytes_exchanged;
    }
    summary.balance = ratio(busy, known * tiles);
    sort_by_descending(summary.steps, [](const StepCost& cost) { return cost.cycles.total(); });
    if (profile.cycles > summary.cycles.total()) {
        summary.other_cycles = profile.cycles - summary.cycles.total();
    }
    if (profile.machine.clock_hz > 0) {
        summary.seconds = static_cast<double>(profile.cycles) / profile.machine.clock_hz;
    }
    summary.fullest.resize(profile.memory.size());
    std::iota(summary.fullest.begin(), summary.fullest.end(), 0U);
    sort_by_descending(summary.fullest, [&](std::uint32_t t) { return profile.memory[t].total(); });
    summary.tiles_over_limit = static_cast<std::uint32_t>(std::ranges::count_if(
        profile.memory, [&](const auto& m) { return m.total() > profile.machine.bytes_per_tile; }));
    summary.variables = sizes_of(profile.memory_items);
    return summary;
}

} // namespace tropic::report
