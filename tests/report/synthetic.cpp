#include "synthetic.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "random.h"

namespace tropic::testing {

using tile::MemoryKind;
using tile::Profile;
using tile::StepKind;
using tile::TileExchange;

namespace {

std::uint64_t slowest(const std::vector<TileExchange>& exchange, std::uint32_t setup) {
    std::uint64_t most = 0;
    for (const TileExchange& e : exchange) {
        most = std::max(most, std::uint64_t{setup} + e.cycles + e.rearrange_cycles);
    }
    return most;
}

class Search {
  public:
    explicit Search(const SyntheticOptions& options)
        : options_(options), random_(options.seed), tiles_(options.chips * options.tiles_per_chip) {
        profile_.program = "breadth-first search on kron:18";
        profile_.machine = machine_like_gc200(options.chips, options.tiles_per_chip);
        add_steps();
        run();
        add_memory();
        profile_.rearrangements = {{"frontier", "regions out of order", expand_, tiles_ - 28,
                                    std::uint64_t{690} * 4 * (tiles_ - 28), 812},
                                   {"partials", "odd number of bytes", reduce_, tiles_,
                                    std::uint64_t{690} * 38 * tiles_, 3410}};
        profile_.host_times = {
            {"compile codelets", 1.284}, {"compile graph", 0.731}, {"run", 3.52}};
    }

    Profile take() { return std::move(profile_); }

  private:
    std::uint32_t add_step(std::string name, StepKind kind, std::int32_t parent,
                           std::uint32_t vertices = 0) {
        tile::ProfileStep step;
        step.name = std::move(name);
        step.kind = kind;
        step.parent = parent;
        step.vertices = vertices;
        step.sync_cycles = profile_.machine.chips > 1 ? profile_.machine.global_sync_cycles
                                                      : profile_.machine.sync_cycles;
        profile_.steps.push_back(std::move(step));
        return static_cast<std::uint32_t>(profile_.steps.size() - 1);
    }

    void exchange(std::uint32_t step, std::uint32_t words, std::uint32_t rearranged, bool after) {
        tile::ProfileStep& s = profile_.steps[step];
        s.exchange_setup_cycles = profile_.machine.exchange_setup_cycles;
        for (std::uint32_t t = 0; t < tiles_; ++t) {
            if (t % options_.tiles_per_chip >= used_) continue;
            const auto own = static_cast<std::uint32_t>(words / 2 + random_.below(words / 2 + 1));
            const std::uint32_t lost =
                t % 2 == 1 ? rearranged : static_cast<std::uint32_t>(random_.below(rearranged + 1));
            (after ? s.after : s.before)
                .push_back({t, own, lost, std::uint64_t{own} * 2, std::uint64_t{own} * 4,
                            std::uint64_t{lost} * 8});
        }
    }

    void add_steps() {
        used_ = options_.tiles_per_chip - options_.tiles_per_chip * 28 / 1472;
        profile_.scopes = {{"sequence", -1}, {"repeat while true", 0}, {"level", 1}};
        load_ = add_step("copy matrix from host", StepKind::host_copy, 0);
        clear_ = add_step("clear visited", StepKind::execute, 0, tiles_ * 6);
        expand_ = add_step("expand frontier", StepKind::execute, 2, tiles_ * 6);
        exchange(expand_, 690, 812, false);
        reduce_ = add_step("reduce partials", StepKind::execute, 2, tiles_);
        exchange(reduce_, 1380, 3410, false);
        update_ = add_step("copy next to frontier", StepKind::copy, 2);
        exchange(update_, 690, 0, true);
        done_ = add_step("all done?", StepKind::execute, 2, tiles_);
        exchange(done_, 24, 0, false);
        decide_ = add_step("repeat while true", StepKind::control, 1);
        store_ = add_step("copy levels to host", StepKind::host_copy, 0);
    }

    void superstep(std::uint32_t step, std::uint32_t iteration, double mean, double spread) {
        tile::Superstep s;
        const tile::ProfileStep& about = profile_.steps[step];
        s.step = step;
        s.iteration = iteration;
        s.start_cycle = profile_.cycles;
        s.sync_cycles = about.sync_cycles;
        s.exchange_before_cycles = slowest(about.before, about.exchange_setup_cycles);
        s.exchange_after_cycles = slowest(about.after, about.exchange_setup_cycles);
        if (mean > 0) {
            s.compute.resize(tiles_);
            for (std::uint32_t t = 0; t < tiles_; ++t) {
                if (t % options_.tiles_per_chip >= used_) continue;
                const bool heavy = t % 38 == 0;
                const double own =
                    mean * (1 + spread * (random_.real() - 0.5)) * (heavy ? 1 + spread : 1);
                s.compute[t] = static_cast<std::uint32_t>(own);
            }
            s.compute_cycles = *std::ranges::max_element(s.compute);
        }
        if (about.kind == StepKind::host_copy) {
            s.host_cycles = step == load_ ? 2'400'000 : 800'000;
        }
        profile_.cycles += s.sync_cycles + s.exchange_before_cycles + s.compute_cycles +
                           s.exchange_after_cycles + s.host_cycles;
        profile_.supersteps.push_back(std::move(s));
    }

    void run() {
        constexpr std::uint32_t around = 3; // supersteps outside of the loop
        constexpr std::uint32_t in_loop = 5;
        superstep(load_, 0, 0, 0);
        superstep(clear_, 0, 640, 0.05);
        const std::uint32_t levels =
            options_.supersteps < around ? 0 : (options_.supersteps - around) / in_loop;
        for (std::uint32_t level = 0; level < levels; ++level) {
            // The frontier grows and shrinks again.
            const double x = (level + 0.5) / levels;
            const double load = 400 + 16000 * std::exp(-20 * (x - 0.4) * (x - 0.4));
            superstep(expand_, level, load, 0.6);
            superstep(reduce_, level, 2900, 0.1);
            superstep(update_, level, 0, 0);
            superstep(done_, level, 180, 0.3);
            superstep(decide_, level, 0, 0);
        }
        superstep(store_, 0, 0, 0);
    }

    void add_item(std::string name, MemoryKind kind, bool always_live, std::uint64_t bytes,
                  double spread) {
        tile::MemoryItem item{std::move(name), kind, always_live, {}};
        for (std::uint32_t t = 0; t < tiles_; ++t) {
            const bool code = kind == MemoryKind::code || kind == MemoryKind::control;
            if (!code && t % options_.tiles_per_chip >= used_) continue;
            const double own = static_cast<double>(bytes) * (1 + spread * (random_.real() - 0.5));
            const std::uint64_t rounded = static_cast<std::uint64_t>(own) / 8 * 8;
            item.pieces.push_back({t, rounded});
            tile::TileMemory& memory = profile_.memory[t];
            (always_live ? memory.always_live : memory.shared) += rounded;
        }
        profile_.memory_items.push_back(std::move(item));
    }

    void add_memory() {
        profile_.memory.resize(tiles_);
        add_item("matrix.columns", MemoryKind::variable, true, 196'000, 0.4);
        add_item("matrix.row_begins", MemoryKind::variable, true, 27'600, 0);
        add_item("frontier", MemoryKind::variable, true, 2760, 0);
        add_item("visited", MemoryKind::variable, true, 2760, 0);
        add_item("partials", MemoryKind::variable, false, 104'880, 0.1);
        add_item("levels", MemoryKind::variable, true, 2760, 0);
        add_item("semiring identity", MemoryKind::constant, true, 64, 0);
        add_item("Expand", MemoryKind::code, true, 1432, 0);
        add_item("Reduce", MemoryKind::code, true, 1880, 0);
        add_item("vertices of expand frontier", MemoryKind::vertex_state, true, 480, 0);
        add_item("partials, received", MemoryKind::landing_zone, false, 104'880, 0);
        add_item("partials, in order", MemoryKind::rearrangement, false, 104'880, 0);
        add_item("expand scratch", MemoryKind::scratch, false, 4096, 0);
        add_item("program", MemoryKind::control, true, 6200, 0);
        for (tile::TileMemory& memory : profile_.memory) memory.padding = random_.below(600);
    }

    SyntheticOptions options_;
    Random random_;
    std::uint32_t tiles_;
    std::uint32_t used_ = 0; ///< of each chip
    std::uint32_t load_ = 0, clear_ = 0, expand_ = 0, reduce_ = 0, update_ = 0, done_ = 0,
                  decide_ = 0, store_ = 0;
    Profile profile_;
};

} // namespace

tile::Machine machine_like_gc200(std::uint32_t chips, std::uint32_t tiles_per_chip) {
    tile::Machine machine;
    machine.name = chips == 1 ? "gc200" : fmt::format("gc200x{}", chips);
    machine.chips = chips;
    machine.tiles_per_chip = tiles_per_chip;
    machine.bytes_per_tile = 624 * 1024;
    machine.clock_hz = 1.33e9;
    machine.sync_cycles = 90;
    machine.global_sync_cycles = 600;
    machine.exchange_setup_cycles = 100;
    machine.link_bytes_per_second = 64e9;
    machine.host_bytes_per_second = 1.2e9;
    machine.host_latency_seconds = 0.6e-3;
    return machine;
}

Profile synthetic_search(const SyntheticOptions& options) {
    return Search(options).take();
}

Profile empty_profile() {
    Profile profile;
    profile.machine = machine_like_gc200(1, 1472);
    return profile;
}

Profile out_of_memory_profile() {
    Profile profile = synthetic_search({.supersteps = 3});
    profile.program = "spmv on delaunay_n24";
    profile.supersteps.clear();
    profile.cycles = 0;
    profile.rearrangements.clear();
    for (tile::MemoryPiece& piece : profile.memory_items.front().pieces) { // the matrix
        if (piece.tile % 5 != 0) continue;
        profile.memory[piece.tile].always_live += 3 * piece.bytes;
        piece.bytes *= 4;
    }
    const auto total = [](const tile::TileMemory& memory) { return memory.total(); };
    const auto fullest = std::ranges::max_element(profile.memory, {}, total);
    const auto over = std::ranges::count_if(profile.memory, [&](const tile::TileMemory& memory) {
        return memory.total() > profile.machine.bytes_per_tile;
    });
    profile.failure = fmt::format("out of memory: {} of {} tiles need more than {} bytes\n"
                                  "fullest: tile {} with {} bytes\n"
                                  "largest there: matrix.columns",
                                  over, profile.memory.size(), profile.machine.bytes_per_tile,
                                  fullest - profile.memory.begin(), fullest->total());
    return profile;
}

Profile small_profile() {
    Profile profile;
    profile.program = "sum";
    profile.machine = machine_like_gc200(1, 4);
    profile.machine.clock_hz = 1e9;
    profile.machine.bytes_per_tile = 1000;
    profile.scopes = {{"sequence", -1}, {"repeat 2 times", 0}};
    tile::ProfileStep add;
    add.name = "add";
    add.parent = 1;
    add.vertices = 4;
    add.sync_cycles = 90;
    add.exchange_setup_cycles = 100;
    add.before = {{0, 100, 0, 0, 400, 0}, {1, 50, 50, 400, 0, 400}};
    tile::ProfileStep gather;
    gather.name = "copy parts to total";
    gather.kind = StepKind::copy;
    gather.parent = 0;
    gather.sync_cycles = 90;
    gather.exchange_setup_cycles = 100;
    gather.after = {{3, 300, 0, 0, 1200, 0}, {0, 100, 0, 400, 0, 0}};
    tile::ProfileStep out;
    out.name = "copy total to host";
    out.kind = StepKind::host_copy;
    out.parent = 0;
    out.sync_cycles = 90;
    profile.steps = {add, gather, out};
    profile.supersteps = {
        {0, 0, 0, 200, 1000, 0, 90, 0, {1000, 500, 250, 250}},
        {0, 1, 1290, 200, 1000, 0, 90, 0, {1000, 500, 250, 250}},
        {1, 0, 2580, 0, 0, 400, 90, 0, {}},
        {2, 0, 3070, 0, 0, 0, 90, 6840, {}},
    };
    profile.cycles = 10000;
    profile.memory = {{500, 100, 0}, {400, 300, 4}, {100, 0, 0}, {50, 0, 0}};
    profile.memory_items = {
        {"x", MemoryKind::variable, true, {{0, 500}, {1, 400}, {2, 100}, {3, 50}}},
        {"x, received", MemoryKind::landing_zone, false, {{0, 100}, {1, 300}}}};
    profile.rearrangements = {{"x", "odd number of bytes", 0, 1, 400, 50}};
    profile.host_times = {{"compile codelets", 0.25}, {"run", 0.0015}};
    return profile;
}

} // namespace tropic::testing
