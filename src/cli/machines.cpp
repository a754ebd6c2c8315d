// The tile machines there are models of, with every figure the models use.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "cli/commands.h"
#include "machines/tile/machine.h"

namespace tropic::cli {

namespace {

/// A figure without the noise of its type: 1.33e9 stays, 1472 has no fraction.
std::string figure(double value) {
    constexpr double large = 1e7;
    if (value == std::floor(value) && value < large) return fmt::format("{:.0f}", value);
    return fmt::format("{:.4g}", value);
}

void print_machines(const std::vector<std::string>& names) {
    std::vector<tile::Machine> machines;
    if (names.empty()) {
        machines = tile::known_machines();
    } else {
        for (const std::string& name : names) machines.push_back(tile::find_machine(name));
    }
    const auto parameters = tile::machine_parameters();
    std::size_t widest = 0;
    for (const tile::MachineParameter& parameter : parameters) {
        widest = std::max(widest, parameter.name.size());
    }
    fmt::print("{:<{}}", "", widest);
    for (const tile::Machine& machine : machines) {
        fmt::print("  {:>{}}", machine.name, std::max<std::size_t>(machine.name.size(), 10));
    }
    fmt::print("  {:<11}  meaning (source)\n", "unit");
    for (const tile::MachineParameter& parameter : parameters) {
        fmt::print("{:<{}}", parameter.name, widest);
        for (const tile::Machine& machine : machines) {
            fmt::print("  {:>{}}", figure(parameter.of(machine)),
                       std::max<std::size_t>(machine.name.size(), 10));
        }
        fmt::print("  {:<11}  {} ({})\n", parameter.unit, parameter.meaning, parameter.source);
    }
    if (!names.empty()) return;
    fmt::print(
        "\nSeveral chips are named by their number, as in gc200x4. A file with lines such as\n"
        "`base = gc200` and `tiles_per_chip = 64` describes another machine; its path is "
        "accepted\nwherever a machine's name is.\n");
}

} // namespace

void add_machines(CLI::App& program) {
    auto names = std::make_shared<std::vector<std::string>>();
    CLI::App* command = program.add_subcommand(
        "machines", "The tile machines there are models of, with their parameters");
    command->add_option("MACHINE", *names, "Machines to show: names, or files that describe one");
    command->footer(R"(Examples:
  tropic machines                every machine that has a name
  tropic machines bow gc200x4    two of them
  tropic machines mine.txt       one described in a file)");
    command->callback([names] { print_machines(*names); });
}

} // namespace tropic::cli
