#include "machines/tile/exchange_builder.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace tropic::tile {

namespace {

constexpr std::uint64_t word_bytes = 4;

std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) {
    return (a + b - 1) / b;
}

std::vector<MemoryPiece> sorted(const std::unordered_map<std::uint32_t, std::uint64_t>& bytes) {
    std::vector<MemoryPiece> pieces;
    pieces.reserve(bytes.size());
    for (const auto& [tile, amount] : bytes) pieces.push_back({tile, amount});
    std::ranges::sort(pieces, {}, &MemoryPiece::tile);
    return pieces;
}

} // namespace

std::uint64_t ExchangePlan::cycles(const Machine& machine) const {
    std::uint64_t slowest = 0;
    for (const TileExchange& tile : tiles) {
        slowest =
            std::max<std::uint64_t>(slowest, std::uint64_t{tile.cycles} + tile.rearrange_cycles);
    }
    return tiles.empty() ? 0 : machine.exchange_setup_cycles + slowest;
}

void ExchangeBuilder::move(VariableId variable, const Segment& part, std::uint32_t to,
                           bool aligned) {
    move(variable, part.begin, part.end, part.tile, to, aligned);
}

void ExchangeBuilder::move(VariableId variable, std::int64_t begin, std::int64_t end,
                           std::uint32_t from, std::uint32_t to, bool aligned) {
    moves_.push_back({to, from, variable, begin, end, aligned});
}

void ExchangeBuilder::copy(std::uint32_t tile, std::uint64_t bytes) {
    Sum& sum = sums_[tile];
    sum.local += bytes;
    sum.local_cycles +=
        machine_->local_copy_region_cycles + divide_up(bytes, machine_->local_copy_bytes_per_cycle);
}

void ExchangeBuilder::rearrange(std::uint32_t tile, VariableId variable, std::uint64_t bytes,
                                std::string_view why) {
    const std::uint64_t region =
        bytes < word_bytes ? machine_->subword_region_cycles : machine_->rearrange_region_cycles;
    const auto stream = static_cast<std::uint64_t>(
        std::ceil(static_cast<double>(bytes) / machine_->rearrange_bytes_per_cycle));
    sums_[tile].rearrange_cycles += region + stream;
    rearranged_.push_back({variable, why, tile, bytes, region + stream});
}

void ExchangeBuilder::receive_each_once(std::vector<Move>& distinct) {
    std::ranges::sort(moves_, {}, [](const Move& m) {
        return std::tuple(m.to, m.variable, m.begin, m.from, m.end);
    });
    std::int64_t reached = 0;
    for (const Move& move : moves_) {
        Move* last = distinct.empty() ? nullptr : &distinct.back();
        const bool same = last != nullptr && last->to == move.to && last->variable == move.variable;
        if (!same) reached = move.begin;
        Move part = move;
        part.begin = std::max(part.begin, reached);
        if (part.begin >= part.end) continue;
        reached = part.end;
        if (same && last->from == part.from && last->end == part.begin) {
            last->end = part.end;
            last->aligned = last->aligned && part.aligned;
        } else {
            distinct.push_back(part);
        }
    }
    for (const Move& part : distinct) {
        Sum& sum = sums_[part.to];
        const std::uint64_t bytes = static_cast<std::uint64_t>(part.end - part.begin) *
                                    bytes_of(placement_->graph().variable(part.variable).type);
        sum.received += bytes;
        (part.aligned ? sum.receive_aligned : sum.receive_words) += divide_up(bytes, word_bytes);
        sum.regions_in += 1;
    }
}

void ExchangeBuilder::send_each_once(std::vector<Move>& distinct) {
    std::ranges::sort(distinct, {},
                      [](const Move& m) { return std::tuple(m.from, m.variable, m.begin, m.end); });
    const Move* last = nullptr;
    std::int64_t reached = 0;
    for (const Move& move : distinct) {
        const bool same =
            last != nullptr && last->from == move.from && last->variable == move.variable;
        if (!same) reached = move.begin;
        const std::int64_t begin = std::max(move.begin, reached);
        last = &move;
        if (begin >= move.end) continue;
        reached = move.end;
        const std::uint64_t bytes = static_cast<std::uint64_t>(move.end - begin) *
                                    bytes_of(placement_->graph().variable(move.variable).type);
        Sum& sum = sums_[move.from];
        sum.sent += bytes;
        (move.aligned ? sum.send_aligned : sum.send_words) += divide_up(bytes, word_bytes);
        sum.regions_out += 1;
    }
}

void ExchangeBuilder::add_links(std::vector<Move>& distinct) {
    if (machine_->chips == 1) return;
    std::erase_if(distinct, [&](const Move& m) { return chip(m.from) == chip(m.to); });
    if (distinct.empty()) return;
    between_chips_ = true;
    std::ranges::sort(distinct, {}, [&](const Move& m) {
        return std::tuple(chip(m.from), chip(m.to), m.from, m.variable, m.begin, m.end);
    });
    // A region crosses to a chip once, however many of its tiles receive it.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> crossing;
    const Move* last = nullptr;
    std::int64_t reached = 0;
    for (const Move& move : distinct) {
        const bool same = last != nullptr && last->from == move.from &&
                          last->variable == move.variable && chip(last->to) == chip(move.to);
        if (!same) reached = move.begin;
        const std::int64_t begin = std::max(move.begin, reached);
        last = &move;
        if (begin >= move.end) continue;
        reached = move.end;
        crossing[{chip(move.from), chip(move.to)}] +=
            static_cast<std::uint64_t>(move.end - begin) *
            bytes_of(placement_->graph().variable(move.variable).type);
    }
    for (const Move& move : distinct) {
        const std::uint64_t bytes = crossing[{chip(move.from), chip(move.to)}];
        const double seconds = static_cast<double>(bytes) / machine_->link_bytes_per_second;
        const auto cycles = static_cast<std::uint64_t>(
            std::ceil(seconds * machine_->clock_hz * machine_->link_congestion));
        for (const std::uint32_t tile : {move.from, move.to}) {
            Sum& sum = sums_[tile];
            sum.link_cycles = std::max(sum.link_cycles, cycles);
        }
    }
}

std::vector<Rearrangement> ExchangeBuilder::rearrangements() const {
    struct Total {
        std::uint64_t bytes = 0;
        std::map<std::uint32_t, std::uint64_t> cycles;
    };
    std::map<std::pair<VariableId, std::string_view>, Total> totals;
    for (const Rearranged& piece : rearranged_) {
        Total& total = totals[{piece.variable, piece.why}];
        total.bytes += piece.bytes;
        total.cycles[piece.tile] += piece.cycles;
    }
    std::vector<Rearrangement> result;
    for (const auto& [key, total] : totals) {
        Rearrangement entry;
        entry.tensor = placement_->graph().describe_variable(key.first);
        entry.why = key.second;
        entry.tiles = static_cast<std::uint32_t>(total.cycles.size());
        entry.bytes = total.bytes;
        for (const auto& [tile, cycles] : total.cycles) {
            entry.cycles = std::max(entry.cycles, cycles);
        }
        result.push_back(std::move(entry));
    }
    return result;
}

ExchangePlan ExchangeBuilder::finish() {
    std::vector<Move> distinct;
    receive_each_once(distinct);
    send_each_once(distinct);
    add_links(distinct);
    ExchangePlan plan;
    const auto cycles_of = [&](std::uint64_t words, std::uint64_t aligned) {
        return divide_up(words * word_bytes, machine_->exchange_bytes_per_cycle) +
               divide_up(aligned * word_bytes, machine_->exchange_aligned_bytes_per_cycle);
    };
    for (const auto& [tile, sum] : sums_) {
        const std::uint64_t receive = cycles_of(sum.receive_words, sum.receive_aligned) +
                                      sum.regions_in * machine_->exchange_region_cycles;
        const std::uint64_t send = cycles_of(sum.send_words, sum.send_aligned);
        TileExchange entry;
        entry.tile = tile;
        entry.cycles = static_cast<std::uint32_t>(std::max({receive, send, sum.link_cycles}) +
                                                  sum.local_cycles);
        entry.rearrange_cycles = static_cast<std::uint32_t>(sum.rearrange_cycles);
        entry.bytes_sent = sum.sent;
        entry.bytes_received = sum.received;
        entry.bytes_local = sum.local;
        plan.tiles.push_back(entry);
        if (sum.regions_in + sum.regions_out > 0) {
            plan.regions.push_back({tile, sum.regions_in + sum.regions_out});
        }
    }
    plan.landing = sorted(landing_);
    plan.buffers = sorted(buffers_);
    plan.rearrangements = rearrangements();
    plan.between_chips = between_chips_;
    return plan;
}

} // namespace tropic::tile
