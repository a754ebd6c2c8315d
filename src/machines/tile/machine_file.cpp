// Reads descriptions of machines.
#include "machines/tile/machine_file.h"

#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include <fmt/format.h>

#include "support/nearest.h"
#include "tropic/error.h"

namespace tropic::tile {

namespace {

std::string_view trim(std::string_view text) {
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    while (!text.empty() && blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && blank(text.back())) text.remove_suffix(1);
    return text;
}

struct Line {
    const std::string& file;
    std::int64_t number;
    const std::string& text;

    [[noreturn]] void refuse(std::string message, std::string accepted = {},
                             std::string hint = {}) const {
        throw Error({.code = ErrorCode::syntax,
                     .message = std::move(message),
                     .file = file,
                     .line = number,
                     .source_line = text,
                     .accepted = std::move(accepted),
                     .hint = std::move(hint)});
    }
};

double parse_number(const Line& line, std::string_view text) {
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [rest, code] = std::from_chars(text.data(), end, value);
    if (code != std::errc() || rest != end || !std::isfinite(value) || value < 0) {
        line.refuse(fmt::format("'{}' is not a number", text), "a number of at least 0");
    }
    return value;
}

void assign(const Line& line, Machine& machine, const MachineParameter& parameter, double value) {
    const auto whole = [&](double most) {
        if (value != std::floor(value) || value > most) {
            line.refuse(fmt::format("{} cannot be {}", parameter.name, value),
                        fmt::format("a whole number up to {}", most));
        }
    };
    std::visit(
        [&](auto member) {
            auto& target = machine.*member;
            using Value = std::remove_reference_t<decltype(target)>;
            if constexpr (std::is_same_v<Value, std::uint32_t>) {
                whole(std::numeric_limits<std::uint32_t>::max());
            } else if constexpr (std::is_same_v<Value, std::uint64_t>) {
                whole(1e15);
            }
            target = static_cast<Value>(value);
        },
        parameter.member);
}

const MachineParameter& find_parameter(const Line& line, std::string_view name) {
    std::vector<std::string_view> names{"base", "name"};
    for (const MachineParameter& parameter : machine_parameters()) {
        if (parameter.name == name) return parameter;
        names.push_back(parameter.name);
    }
    const std::string_view meant = nearest(name, names);
    line.refuse(fmt::format("there is no parameter '{}'", name),
                "the parameters of `tropic machines`",
                meant.empty() ? "" : fmt::format("did you mean {}?", meant));
}

} // namespace

void check_machine(const Machine& machine) {
    const auto refuse = [&](std::string message, std::string accepted) {
        throw Error({.code = ErrorCode::range,
                     .message = fmt::format("machine {}: {}", machine.name, message),
                     .accepted = std::move(accepted)});
    };
    constexpr std::uint32_t most_tiles = 1U << 20;
    if (machine.chips == 0 || machine.chips > most_chips) {
        refuse(fmt::format("it has {} chips", machine.chips), fmt::format("1 to {}", most_chips));
    }
    if (machine.tiles_per_chip == 0 || machine.tiles_per_chip > most_tiles / machine.chips) {
        refuse(fmt::format("it has {} tiles on {} chips", machine.tiles_per_chip, machine.chips),
               fmt::format("1 to {} in all", most_tiles));
    }
    if (machine.bytes_per_tile == 0) refuse("its tiles have no memory", "at least 1 byte");
    if (machine.clock_hz <= 0) refuse("it has no clock", "clock_hz of more than 0");
    constexpr std::uint32_t most_workers = 64;
    if (machine.workers == 0 || machine.workers > most_workers) {
        refuse(fmt::format("its tiles have {} workers", machine.workers),
               fmt::format("1 to {}", most_workers));
    }
    if (machine.exchange_bytes_per_cycle == 0 || machine.exchange_aligned_bytes_per_cycle == 0 ||
        machine.local_copy_bytes_per_cycle == 0 || machine.rearrange_bytes_per_cycle <= 0 ||
        machine.link_bytes_per_second <= 0 || machine.host_bytes_per_second <= 0) {
        refuse("a width is 0", "bytes per cycle or second of more than 0");
    }
}

Machine read_machine_file(const std::string& path) {
    std::ifstream stream(path);
    if (!stream) {
        throw Error({.code = ErrorCode::io, .message = "cannot read this file", .file = path});
    }
    Machine machine = find_machine("gc200");
    machine.name = std::filesystem::path(path).stem().string();
    std::string text;
    bool first = true;
    for (std::int64_t number = 1; std::getline(stream, text); ++number) {
        const Line line{path, number, text};
        const std::string_view content = trim(std::string_view(text).substr(0, text.find('#')));
        if (content.empty()) continue;
        const std::size_t equals = content.find('=');
        if (equals == std::string_view::npos) {
            line.refuse("this is not 'parameter = value'", "tiles_per_chip = 64, for example");
        }
        const std::string_view name = trim(content.substr(0, equals));
        const std::string_view value = trim(content.substr(equals + 1));
        if (name == "base") {
            if (!first) line.refuse("base stands after other parameters", "base as the first line");
            const std::string own_name = machine.name;
            bool known = false;
            for (const Machine& candidate : known_machines()) known |= candidate.name == value;
            if (!known)
                line.refuse(fmt::format("there is no machine '{}'", value), "gc2, gc200, bow");
            machine = find_machine(value);
            machine.name = own_name;
        } else if (name == "name") {
            if (value.empty()) line.refuse("the name is empty", "name = mychip");
            machine.name = value;
        } else {
            assign(line, machine, find_parameter(line, name), parse_number(line, value));
        }
        first = false;
    }
    check_machine(machine);
    return machine;
}

} // namespace tropic::tile
