// Reads a profile back. Nothing in the file is trusted: every size is checked before memory is
// taken for it, every position before it is used.
#include <algorithm>

#include <fmt/format.h>

#include "graph/files/byte_source.h"
#include "report/json_place.h"
#include "report/names.h"
#include "report/tile_report.h"
#include "tropic/error.h"

namespace tropic::report {

namespace {

using Json = nlohmann::json;
using Numbers = std::vector<std::uint64_t>;
constexpr std::uint64_t any = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t any32 = std::numeric_limits<std::uint32_t>::max();

/// Far above every machine there is; keeps products of sizes within 64 bits.
constexpr std::uint64_t most_tiles = 1 << 20;
constexpr std::uint64_t most_supersteps = std::uint64_t{1} << 32;

class Reader {
  public:
    Reader(const JsonPlace& root, const ReadLimits& limits) : root_(root), left_(limits.bytes) {}

    tile::Profile read() {
        check_format();
        profile_.program = root_.at("program").text();
        profile_.failure = root_.at("failure").text();
        profile_.cycles = root_.at("cycles").whole();
        profile_.dropped_supersteps = root_.at("dropped_supersteps").whole();
        read_machine(root_.at("machine"));
        read_scopes(root_.at("scopes"));
        for (const JsonPlace& step : root_.at("steps").elements()) {
            profile_.steps.push_back(read_step(step));
        }
        read_supersteps(root_.at("supersteps"), root_.at("compute_rows"));
        read_memory(root_.at("memory"));
        for (const JsonPlace& item : root_.at("memory_items").elements()) {
            profile_.memory_items.push_back(read_item(item));
        }
        for (const JsonPlace& item : root_.at("rearrangements").elements()) {
            profile_.rearrangements.push_back(read_rearrangement(item));
        }
        for (const JsonPlace& time : root_.at("host_times").elements()) {
            profile_.host_times.push_back({time.at("what").text(), time.at("seconds").real()});
        }
        return std::move(profile_);
    }

  private:
    void check_format() const {
        if (root_.has("traceEvents")) {
            root_.fail("is a trace, not a profile", "what --profile writes, not what --trace does");
        }
        if (!root_.has("format") || root_.at("format").text() != "tropic tile profile") {
            root_.fail("is not a profile of a tile machine",
                       "an object with \"format\": \"tropic tile profile\"");
        }
        const std::uint64_t version = root_.at("version").whole();
        if (version != 1) {
            root_.at("version").fail(fmt::format("is {}: written by a newer Tropic", version), "1");
        }
    }

    /// Charged before memory is taken.
    void charge(std::uint64_t bytes, const JsonPlace& place) {
        if (bytes > left_) {
            place.fail("needs more memory than profiles may take",
                       fmt::format("{} bytes more at the most", left_));
        }
        left_ -= bytes;
    }

    static void read_number(const JsonPlace& place, double& out) { out = place.real(); }
    template <class Number> static void read_number(const JsonPlace& place, Number& out) {
        out = place.as<Number>();
    }

    void read_machine(const JsonPlace& place) {
        tile::Machine& machine = profile_.machine;
        machine.name = place.at("name").text();
        for (const char* needed : {"chips", "tiles_per_chip", "bytes_per_tile", "clock_hz"}) {
            static_cast<void>(place.at(needed));
        }
        // The others are there or not: models learn new figures.
        for (const tile::MachineParameter& parameter : tile::machine_parameters()) {
            if (!place.has(parameter.name)) continue;
            std::visit([&](auto member) { read_number(place.at(parameter.name), machine.*member); },
                       parameter.member);
        }
        tiles_ = std::uint64_t{machine.chips} * machine.tiles_per_chip;
        if (tiles_ == 0 || tiles_ > most_tiles) {
            place.fail(fmt::format("has {} tiles", tiles_),
                       fmt::format("1 to {} on all chips together", most_tiles));
        }
    }

    void read_scopes(const JsonPlace& place) {
        const std::vector<JsonPlace> places = place.elements();
        for (const JsonPlace& scope : places) {
            profile_.scopes.push_back(
                {scope.at("name").text(), scope.at("parent").parent(places.size())});
        }
        // A walk upwards that takes more steps than there are scopes goes in circles. Each scope
        // is walked over once: what was seen before is known to end.
        std::vector<std::size_t> seen(places.size(), places.size());
        for (std::size_t s = 0; s < places.size(); ++s) {
            std::size_t at = s;
            while (seen[at] == places.size()) {
                seen[at] = s;
                const std::int32_t parent = profile_.scopes[at].parent;
                if (parent < 0) break;
                at = static_cast<std::size_t>(parent);
                if (seen[at] == s) places[s].fail("is inside itself");
            }
        }
    }

    std::vector<tile::TileExchange> read_exchange(const JsonPlace& place) {
        const Numbers tile = place.at("tile").numbers(tiles_, tiles_ - 1);
        const auto column = [&](std::string_view name, std::uint64_t largest) {
            return place.at(name).numbers_for(tile.size(), "tiles taking part", largest);
        };
        charge(tile.size() * sizeof(tile::TileExchange), place);
        const Numbers cycles = column("cycles", any32);
        const Numbers rearrange = column("rearrange_cycles", any32);
        const Numbers sent = column("bytes_sent", any);
        const Numbers received = column("bytes_received", any);
        const Numbers local = column("bytes_local", any);
        std::vector<tile::TileExchange> exchange;
        exchange.reserve(tile.size());
        for (std::size_t i = 0; i < tile.size(); ++i) {
            exchange.push_back(
                {static_cast<std::uint32_t>(tile[i]), static_cast<std::uint32_t>(cycles[i]),
                 static_cast<std::uint32_t>(rearrange[i]), sent[i], received[i], local[i]});
        }
        return exchange;
    }

    tile::ProfileStep read_step(const JsonPlace& place) {
        tile::ProfileStep step;
        step.name = place.at("name").text();
        step.kind = static_cast<tile::StepKind>(place.at("kind").one_of(step_kinds));
        step.parent = place.at("parent").parent(profile_.scopes.size());
        step.vertices = place.at("vertices").as<std::uint32_t>();
        step.sync_cycles = place.at("sync_cycles").as<std::uint32_t>();
        step.exchange_setup_cycles = place.at("exchange_setup_cycles").as<std::uint32_t>();
        if (place.has("before")) step.before = read_exchange(place.at("before"));
        if (place.has("after")) step.after = read_exchange(place.at("after"));
        return step;
    }

    std::vector<std::vector<std::uint32_t>> read_rows(const JsonPlace& place) {
        std::vector<std::vector<std::uint32_t>> rows;
        for (const JsonPlace& element : place.elements()) {
            const Numbers numbers = element.numbers(tiles_, any32);
            if (!numbers.empty() && numbers.size() != tiles_) {
                element.fail(fmt::format("holds {} numbers, but there are {} tiles", numbers.size(),
                                         tiles_));
            }
            charge(numbers.size() * sizeof(std::uint32_t), element);
            rows.emplace_back(numbers.begin(), numbers.end());
        }
        return rows;
    }

    void read_supersteps(const JsonPlace& place, const JsonPlace& rows_place) {
        const auto rows = read_rows(rows_place);
        const std::uint64_t count = place.at("count").whole(most_supersteps);
        charge(count * (sizeof(tile::Superstep) + 9 * sizeof(std::uint64_t)), place.at("count"));
        const auto column = [&](std::string_view name, std::uint64_t largest) {
            return place.at(name).numbers_for(count, "supersteps", largest);
        };
        const auto position = [&](std::string_view name, std::size_t things,
                                  std::string_view what) {
            if (things == 0 && count > 0) place.fail(fmt::format("needs {}, but has none", what));
            return column(name, things == 0 ? 0 : things - 1);
        };
        const Numbers step = position("step", profile_.steps.size(), "steps");
        const Numbers row = position("compute_row", rows.size(), "compute_rows");
        const Numbers iteration = column("iteration", any32);
        const Numbers start = column("start_cycle", any);
        const Numbers sync = column("sync_cycles", any);
        const Numbers before = column("exchange_before_cycles", any);
        const Numbers compute = column("compute_cycles", any);
        const Numbers after = column("exchange_after_cycles", any);
        const Numbers host = column("host_cycles", any);
        profile_.supersteps.reserve(count);
        const JsonPlace row_place = place.at("compute_row");
        for (std::size_t s = 0; s < count; ++s) {
            charge(rows[row[s]].size() * sizeof(std::uint32_t), row_place);
            profile_.supersteps.push_back({.step = static_cast<std::uint32_t>(step[s]),
                                           .iteration = static_cast<std::uint32_t>(iteration[s]),
                                           .start_cycle = start[s],
                                           .exchange_before_cycles = before[s],
                                           .compute_cycles = compute[s],
                                           .exchange_after_cycles = after[s],
                                           .sync_cycles = sync[s],
                                           .host_cycles = host[s],
                                           .compute = rows[row[s]]});
        }
    }

    void read_memory(const JsonPlace& place) {
        const Numbers always = place.at("always_live").numbers(tiles_, any);
        if (!always.empty() && always.size() != tiles_) {
            place.at("always_live")
                .fail(
                    fmt::format("holds {} numbers, but there are {} tiles", always.size(), tiles_));
        }
        const Numbers shared = place.at("shared").numbers_for(always.size(), "tiles", any);
        const Numbers padding = place.at("padding").numbers_for(always.size(), "tiles", any);
        charge(always.size() * sizeof(tile::TileMemory), place);
        for (std::size_t t = 0; t < always.size(); ++t) {
            profile_.memory.push_back({always[t], shared[t], padding[t]});
        }
    }

    tile::MemoryItem read_item(const JsonPlace& place) {
        tile::MemoryItem item;
        item.name = place.at("name").text();
        item.kind = static_cast<tile::MemoryKind>(place.at("kind").one_of(memory_kinds));
        item.always_live = place.at("always_live").boolean();
        const Numbers tile = place.at("tile").numbers(tiles_, tiles_ - 1);
        const Numbers bytes = place.at("bytes").numbers_for(tile.size(), "tiles it is on", any);
        charge(tile.size() * sizeof(tile::MemoryPiece), place);
        for (std::size_t i = 0; i < tile.size(); ++i) {
            item.pieces.push_back({static_cast<std::uint32_t>(tile[i]), bytes[i]});
        }
        return item;
    }

    tile::Rearrangement read_rearrangement(const JsonPlace& place) {
        tile::Rearrangement r;
        r.tensor = place.at("tensor").text();
        r.why = place.at("why").text();
        r.step = place.at("step").as<std::uint32_t>();
        r.tiles = place.at("tiles").as<std::uint32_t>();
        r.bytes = place.at("bytes").whole();
        r.cycles = place.at("cycles").whole();
        if (r.step >= profile_.steps.size()) {
            place.at("step").fail(
                fmt::format("is {}, but there are {} steps", r.step, profile_.steps.size()));
        }
        return r;
    }

    const JsonPlace& root_;
    std::uint64_t left_;
    std::uint64_t tiles_ = 0;
    tile::Profile profile_;
};

/// Where a byte of a text stands.
Diagnostic place_in(std::string_view text, std::size_t byte, const std::string& name) {
    const std::string_view before = text.substr(0, std::min(byte, text.size()));
    const std::size_t line_begin = before.rfind('\n') + 1; // npos + 1 is 0
    Diagnostic diagnostic{.code = ErrorCode::syntax, .file = name};
    diagnostic.line = std::ranges::count(before, '\n') + 1;
    diagnostic.column = static_cast<std::int64_t>(before.size() - line_begin) + 1;
    return diagnostic;
}

std::unique_ptr<ByteSource> open_profile(const std::string& path) {
    try {
        return open_file(path, {});
    } catch (const Error& error) {
        Diagnostic diagnostic = error.diagnostic();
        diagnostic.hint = "check the path; a run with --profile writes such a file";
        throw Error(std::move(diagnostic));
    }
}

} // namespace

tile::Profile parse_profile_json(std::string_view text, const std::string& name,
                                 const ReadLimits& limits) {
    Json json;
    try {
        json = Json::parse(text);
    } catch (const Json::parse_error& error) {
        const bool ends = error.byte > text.size();
        Diagnostic diagnostic = place_in(text, error.byte == 0 ? 0 : error.byte - 1, name);
        if (text.empty()) {
            diagnostic = {
                .code = ErrorCode::truncated, .message = "the file is empty", .file = name};
        } else if (ends) {
            diagnostic.code = ErrorCode::truncated;
            diagnostic.message = "the file ends too early";
        } else {
            diagnostic.message = "this is not JSON";
        }
        diagnostic.accepted = "a profile as --profile writes it";
        throw Error(std::move(diagnostic));
    } catch (const Json::out_of_range&) {
        throw Error({.code = ErrorCode::range,
                     .message = "a number is too large for any machine",
                     .file = name,
                     .accepted = "a profile as --profile writes it"});
    }
    const JsonPlace root(json, name);
    return Reader(root, limits).read();
}

tile::Profile read_profile_json(const std::string& path, const ReadLimits& limits) {
    const auto source = open_profile(path);
    std::string text;
    constexpr std::size_t piece = 1 << 20;
    for (std::size_t size = 0;;) {
        text.resize(size + piece);
        const std::size_t got = source->read(text.data() + size, piece);
        size += got;
        if (got == 0) {
            text.resize(size);
            return parse_profile_json(text, path, limits);
        }
        if (size > limits.bytes) {
            throw Error({.code = ErrorCode::out_of_memory,
                         .message = fmt::format("the file is larger than {} bytes", limits.bytes),
                         .file = path});
        }
    }
}

} // namespace tropic::report
