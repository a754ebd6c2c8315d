// The machines that have a name, and every figure of the model with its source.
#include "machines/tile/machine.h"

#include <array>
#include <charconv>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "machines/tile/machine_file.h"
#include "tropic/error.h"

namespace tropic::tile {

namespace {

// Where figures come from, as `tropic machines` shows it.
constexpr std::string_view published = "published";       // the makers' data sheets
constexpr std::string_view measured = "microbenchmarks";  // public measurements of the hardware
constexpr std::string_view thesis = "thesis, copy times"; // of 6 to 100 MB
constexpr std::string_view fitted = "fitted";             // see docs/tile-machine.md for which rows
constexpr std::string_view assumed = "assumed";

constexpr std::array<MachineParameter, 34> parameter_table{{
    {"chips", &Machine::chips, "", "chips", published},
    {"tiles_per_chip", &Machine::tiles_per_chip, "", "tiles of a chip", published},
    {"bytes_per_tile", &Machine::bytes_per_tile, "bytes", "memory of a tile", published},
    {"clock_hz", &Machine::clock_hz, "Hz", "a tile's clock", published},
    {"workers", &Machine::workers, "", "hardware contexts of a tile, issuing in turn", published},
    {"exchange_bytes_per_cycle", &Machine::exchange_bytes_per_cycle, "bytes/cycle",
     "received, and sent, by one tile", measured},
    {"exchange_aligned_bytes_per_cycle", &Machine::exchange_aligned_bytes_per_cycle, "bytes/cycle",
     "the same, of regions that are whole 64-bit words on both tiles", measured},
    {"local_copy_bytes_per_cycle", &Machine::local_copy_bytes_per_cycle, "bytes/cycle",
     "copied within one tile", measured},
    {"sync_cycles", &Machine::sync_cycles, "cycles", "synchronising the tiles of a chip", measured},
    {"global_sync_cycles", &Machine::global_sync_cycles, "cycles", "synchronising all chips",
     measured},
    {"exchange_setup_cycles", &Machine::exchange_setup_cycles, "cycles", "beginning an exchange",
     measured},
    {"link_bytes_per_second", &Machine::link_bytes_per_second, "bytes/s", "between two chips",
     published},
    {"host_bytes_per_second", &Machine::host_bytes_per_second, "bytes/s",
     "to and from the host, as programs see it", thesis},
    {"host_latency_seconds", &Machine::host_latency_seconds, "s",
     "the least a copy to or from the host takes", thesis},
    {"exchange_region_cycles", &Machine::exchange_region_cycles, "cycles",
     "each region a tile receives", assumed},
    {"local_copy_region_cycles", &Machine::local_copy_region_cycles, "cycles",
     "each region copied within a tile", assumed},
    {"rearrange_region_cycles", &Machine::rearrange_region_cycles, "cycles",
     "each region put in order or alignment on a tile", fitted},
    {"rearrange_bytes_per_cycle", &Machine::rearrange_bytes_per_cycle, "bytes/cycle",
     "put in order or alignment on a tile", fitted},
    {"subword_region_cycles", &Machine::subword_region_cycles, "cycles",
     "each region of less than a 32-bit word put in place", fitted},
    {"compute_set_cycles", &Machine::compute_set_cycles, "cycles",
     "a tile entering and leaving a compute set", assumed},
    {"worker_start_cycles", &Machine::worker_start_cycles, "cycles",
     "the supervisor starting a vertex of one worker", measured},
    {"multi_start_cycles", &Machine::multi_start_cycles, "cycles",
     "the supervisor starting a vertex of all workers", measured},
    {"supervisor_start_cycles", &Machine::supervisor_start_cycles, "cycles",
     "the supervisor calling a vertex of its own", measured},
    {"branch_cycles", &Machine::branch_cycles, "cycles", "telling all tiles which way to go",
     assumed},
    {"loop_cycles", &Machine::loop_cycles, "cycles", "counting one iteration", assumed},
    {"call_cycles", &Machine::call_cycles, "cycles", "calling a function of the program", assumed},
    {"cycle_stamp_cycles", &Machine::cycle_stamp_cycles, "cycles", "reading the cycle counter",
     assumed},
    {"link_congestion", &Machine::link_congestion, "",
     "how much slower links are when many tiles use them", measured},
    {"supervisor_stack_bytes", &Machine::supervisor_stack_bytes, "bytes",
     "the supervisor's stack, on tiles that compute", assumed},
    {"worker_stack_bytes", &Machine::worker_stack_bytes, "bytes", "a worker's stack", assumed},
    {"step_code_bytes", &Machine::step_code_bytes, "bytes",
     "control code on each tile, for each step of the program", assumed},
    {"vertex_code_bytes", &Machine::vertex_code_bytes, "bytes", "code to start one vertex",
     assumed},
    {"exchange_region_code_bytes", &Machine::exchange_region_code_bytes, "bytes",
     "exchange code, for each region a tile sends or receives", assumed},
    {"runtime_bytes", &Machine::runtime_bytes, "bytes", "the runtime, on tiles that compute",
     assumed},
}};

/// What all three kinds of chip have in common.
Machine common() {
    Machine machine;
    machine.workers = 6;
    machine.exchange_bytes_per_cycle = 4;
    machine.exchange_aligned_bytes_per_cycle = 8; // a pair of tiles shares its buses
    machine.local_copy_bytes_per_cycle = 8;
    machine.sync_cycles = 90;
    machine.global_sync_cycles = 600;
    machine.exchange_setup_cycles = 100;
    machine.link_bytes_per_second = 64e9 / 2; // both directions together have 64 GB/s
    machine.host_bytes_per_second = 1.2e9;    // 1.1 to 1.3 GB/s
    machine.host_latency_seconds = 0.6e-3;
    machine.exchange_region_cycles = 0;
    machine.local_copy_region_cycles = 12;
    machine.rearrange_region_cycles = 44;
    machine.rearrange_bytes_per_cycle = 4;
    machine.subword_region_cycles = 40;
    machine.compute_set_cycles = 40;
    machine.worker_start_cycles = 6;
    machine.multi_start_cycles = 13; // start all and sync: 7 + 6
    machine.supervisor_start_cycles = 7;
    machine.branch_cycles = 200;
    machine.loop_cycles = 20;
    machine.call_cycles = 12;
    machine.cycle_stamp_cycles = 24;
    machine.link_congestion = 4; // 4 to 8
    machine.supervisor_stack_bytes = 512;
    machine.worker_stack_bytes = 256;
    machine.step_code_bytes = 16;
    machine.vertex_code_bytes = 12;
    machine.exchange_region_code_bytes = 12;
    machine.runtime_bytes = 4096;
    return machine;
}

std::vector<Machine> make_known_machines() {
    Machine gc2 = common();
    gc2.name = "gc2";
    gc2.tiles_per_chip = 1216; // 16 columns of 19 islands of 4 tiles
    gc2.bytes_per_tile = std::uint64_t{256} * 1024;
    gc2.clock_hz = 1.6e9;
    Machine gc200 = common();
    gc200.name = "gc200";
    gc200.tiles_per_chip = 1472;
    gc200.bytes_per_tile = std::uint64_t{624} * 1024;
    gc200.clock_hz = 1.33e9;
    Machine bow = gc200;
    bow.name = "bow";
    bow.clock_hz = 1.85e9;
    return {gc2, gc200, bow};
}

const Machine* find_chip(std::string_view name) {
    for (const Machine& machine : known_machines()) {
        if (machine.name == name) return &machine;
    }
    return nullptr;
}

/// "gc200x4" as "gc200" and 4; one chip where nothing is said.
std::pair<std::string_view, std::uint32_t> split_chips(std::string_view name) {
    const std::size_t x = name.rfind('x');
    if (x == std::string_view::npos || x + 1 == name.size()) return {name, 1};
    std::uint32_t chips = 0;
    const char* end = name.data() + name.size();
    const auto [rest, code] = std::from_chars(name.data() + x + 1, end, chips);
    if (code != std::errc() || rest != end || chips == 0 || chips > most_chips) return {name, 1};
    return {name.substr(0, x), chips};
}

} // namespace

double MachineParameter::of(const Machine& machine) const {
    return std::visit([&](auto pointer) { return static_cast<double>(machine.*pointer); }, member);
}

std::span<const MachineParameter> machine_parameters() {
    return parameter_table;
}

const std::vector<Machine>& known_machines() {
    static const std::vector<Machine> machines = make_known_machines();
    return machines;
}

Machine find_machine(std::string_view name_or_file) {
    const auto [chip, chips] = split_chips(name_or_file);
    if (const Machine* known = find_chip(chip)) {
        Machine machine = *known;
        machine.chips = chips;
        machine.name = name_or_file;
        return machine;
    }
    std::error_code ignored;
    if (std::filesystem::is_regular_file(std::string(name_or_file), ignored)) {
        return read_machine_file(std::string(name_or_file));
    }
    std::vector<std::string> names;
    for (const Machine& machine : known_machines()) names.push_back(machine.name);
    throw Error({.code = ErrorCode::not_found,
                 .message = fmt::format("there is no machine '{}', and no such file", name_or_file),
                 .accepted = fmt::format("{}, several chips of them such as {}x4 (up to {}), or a "
                                         "file that describes a machine",
                                         fmt::join(names, ", "), names[1], most_chips),
                 .hint = "tropic machines"});
}

} // namespace tropic::tile
