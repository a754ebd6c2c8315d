#include <algorithm>

#include <fmt/format.h>

#include "report/names.h"
#include "report/order.h"
#include "report/summary.h"
#include "report/tile_report.h"
#include "report/units.h"
#include "support/counted.h"
#include "support/printable.h"

namespace tropic::report {

namespace {

/// Rows of a table in a terminal; the page and the JSON hold all.
constexpr std::size_t most_steps = 20;
constexpr std::size_t most_tiles = 5;
constexpr std::size_t most_variables = 10;
constexpr std::size_t most_rearrangements = 10;
constexpr std::size_t widest_name = 60;

std::string shown(std::string_view name) {
    const Printable text = printable(name, widest_name);
    return text.text + (text.bytes < name.size() ? "..." : "");
}

std::string more(std::size_t count, std::size_t most) {
    if (count <= most) return {};
    return fmt::format("  ... {} more\n", count - most);
}

std::string machine_text(const tile::Machine& machine) {
    return fmt::format("{}: {}{} tiles at {:.4g} GHz, {} each", printable(machine.name).text,
                       machine.chips > 1 ? fmt::format("{} chips of ", machine.chips) : "",
                       machine.tiles_per_chip, machine.clock_hz / 1e9,
                       memory_text(machine.bytes_per_tile));
}

std::string totals_text(const tile::Profile& profile, const Summary& summary) {
    std::string out;
    const auto row = [&](std::string_view label, const std::string& value) {
        out += fmt::format("  {:<14}{}\n", label, value);
    };
    row("machine", machine_text(profile.machine));
    row("time", fmt::format("{}, {} cycles", time_text(summary.seconds), grouped(profile.cycles)));
    if (summary.cycles.host > 0 && profile.cycles >= summary.cycles.host) {
        const std::uint64_t cycles = profile.cycles - summary.cycles.host;
        const double seconds = summary.seconds * share_of(cycles, profile.cycles);
        row("without host", fmt::format("{}, {} cycles", time_text(seconds), grouped(cycles)));
    }
    row("supersteps", grouped(profile.supersteps.size()));
    if (profile.supersteps.empty()) return out;
    const auto phase = [&](std::string_view label, std::uint64_t cycles) {
        const double share = share_of(cycles, profile.cycles);
        row(label, fmt::format("{:>7}  {:>15} cycles", percent(share), grouped(cycles)));
    };
    phase("compute", summary.cycles.compute);
    phase("exchange", summary.cycles.exchange);
    phase("sync", summary.cycles.sync);
    if (summary.cycles.host > 0) phase("host", summary.cycles.host);
    if (profile.dropped_supersteps > 0) {
        phase("not recorded", summary.other_cycles);
        row("", fmt::format("{} supersteps beyond the limit", grouped(profile.dropped_supersteps)));
    }
    row("balance", fmt::format("{:>7}  compute of the mean tile to the slowest",
                               summary.balance > 0 ? percent(summary.balance) : "-"));
    if (summary.not_by_tile > 0) {
        row("", fmt::format("of {} only the slowest tile is known",
                            counted(static_cast<Index>(summary.not_by_tile), "supersteps")));
    }
    row("exchanged", bytes_text(summary.bytes_exchanged));
    return out;
}

std::string steps_text(const tile::Profile& profile, const Summary& summary) {
    if (profile.supersteps.empty()) return {};
    std::string out = fmt::format("\nSteps by cost, in cycles\n{:>15}{:>8}{:>9}{:>14}{:>13}{:>13}"
                                  "{:>9}  {}\n",
                                  "total", "share", "runs", "compute", "exchange", "sync, host",
                                  "balance", "step");
    const auto ran = static_cast<std::size_t>(
        std::ranges::count_if(summary.steps, [](const StepCost& s) { return s.runs > 0; }));
    for (std::size_t i = 0; i < std::min(ran, most_steps); ++i) {
        const StepCost& cost = summary.steps[i];
        out += fmt::format(
            "{:>15}{:>8}{:>9}{:>14}{:>13}{:>13}{:>9}  {}\n", grouped(cost.cycles.total()),
            percent(share_of(cost.cycles.total(), profile.cycles)), grouped(cost.runs),
            grouped(cost.cycles.compute), grouped(cost.cycles.exchange),
            grouped(cost.cycles.sync + cost.cycles.host),
            cost.busy == 0 ? "-" : percent(cost.balance), shown(path_of(profile, cost.step)));
    }
    return out + more(ran, most_steps);
}

std::string memory_section(const tile::Profile& profile, const Summary& summary) {
    if (profile.memory.empty()) return {};
    const std::uint64_t limit = profile.machine.bytes_per_tile;
    std::string out =
        fmt::format("\nMemory: the fullest tiles, of {} bytes each\n", grouped(limit));
    if (summary.tiles_over_limit > 0) {
        out += fmt::format("  over the limit: {} of {} tiles\n", summary.tiles_over_limit,
                           profile.memory.size());
    }
    out += fmt::format("{:>8}{:>12}{:>9}{:>14}{:>12}{:>10}\n", "tile", "bytes", "full",
                       "always live", "shared", "padding");
    for (std::size_t i = 0; i < std::min(summary.fullest.size(), most_tiles); ++i) {
        const tile::TileMemory& memory = profile.memory[summary.fullest[i]];
        out += fmt::format("{:>8}{:>12}{:>9}{:>14}{:>12}{:>10}\n", summary.fullest[i],
                           grouped(memory.total()), percent(share_of(memory.total(), limit)),
                           grouped(memory.always_live), grouped(memory.shared),
                           grouped(memory.padding));
    }
    return out;
}

std::string variables_text(const tile::Profile& profile, const Summary& summary) {
    if (summary.variables.empty()) return {};
    std::string out = fmt::format("\nLargest in memory\n{:>15}{:>8}{:>15}  {:<15}{:<8}{}\n",
                                  "bytes", "tiles", "most on one", "kind", "live", "name");
    for (std::size_t i = 0; i < std::min(summary.variables.size(), most_variables); ++i) {
        const VariableSize& size = summary.variables[i];
        const tile::MemoryItem& item = profile.memory_items[size.item];
        out += fmt::format("{:>15}{:>8}{:>15}  {:<15}{:<8}{}\n", grouped(size.bytes),
                           item.pieces.size(), grouped(size.most), spaced(name_of(item.kind)),
                           item.always_live ? "always" : "shared", shown(item.name));
    }
    return out + more(summary.variables.size(), most_variables);
}

std::string rearrangements_text(const tile::Profile& profile) {
    if (profile.rearrangements.empty()) return {};
    auto list = profile.rearrangements;
    sort_by_descending(list, [](const tile::Rearrangement& r) { return r.cycles; });
    std::string out = fmt::format("\nRearrangements, each time their step runs\n"
                                  "{:>15}{:>15}{:>8}  {}\n",
                                  "cycles", "bytes", "tiles", "tensor: why (step)");
    for (std::size_t i = 0; i < std::min(list.size(), most_rearrangements); ++i) {
        const tile::Rearrangement& r = list[i];
        out += fmt::format("{:>15}{:>15}{:>8}  {}: {} ({})\n", grouped(r.cycles), grouped(r.bytes),
                           r.tiles, shown(r.tensor), shown(r.why), shown(path_of(profile, r.step)));
    }
    return out + more(list.size(), most_rearrangements);
}

std::string host_text(const tile::Profile& profile) {
    if (profile.host_times.empty()) return {};
    std::string out = "\nThis host's clock, no part of the model\n";
    for (const tile::HostTime& time : profile.host_times) {
        out += fmt::format("{:>15}  {}\n", time_text(time.seconds), shown(time.what));
    }
    return out;
}

/// Lines of a failure, each indented.
std::string failure_text(std::string_view failure) {
    std::string out = "\nFailed\n";
    while (!failure.empty()) {
        const std::size_t end = std::min(failure.find('\n'), failure.size());
        out += fmt::format("  {}\n", printable(failure.substr(0, end)).text);
        failure.remove_prefix(std::min(end + 1, failure.size()));
    }
    return out;
}

} // namespace

std::string text_summary(const tile::Profile& profile) {
    const Summary summary = summarise(profile);
    std::string out =
        fmt::format("{}\n", profile.program.empty() ? "Profile" : printable(profile.program).text);
    out += totals_text(profile, summary);
    if (!profile.failure.empty()) out += failure_text(profile.failure);
    out += steps_text(profile, summary);
    out += memory_section(profile, summary);
    out += variables_text(profile, summary);
    out += rearrangements_text(profile);
    out += host_text(profile);
    return out;
}

} // namespace tropic::report
