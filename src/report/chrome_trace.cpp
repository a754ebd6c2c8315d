// Chrome's trace event format, which Perfetto (ui.perfetto.dev) and chrome://tracing open: a
// process for each chip with a thread for each tile, and one process for the program as a whole.
#include <algorithm>

#include <fmt/format.h>

#include "report/json_text.h"
#include "report/order.h"
#include "report/summary.h"
#include "report/tile_report.h"
#include "report/timeline.h"
#include "report/units.h"

namespace tropic::report {

namespace {

/// What a trace of limited size shows.
struct Selection {
    std::size_t supersteps = 0;
    std::vector<std::uint32_t> tiles; ///< ascending
    std::string left_out;             ///< in words; empty if nothing is
};

/// Every tile, the most telling first: those that others waited for, most often first, then evenly
/// spread ones.
std::vector<std::uint32_t> by_interest(const tile::Profile& profile) {
    const std::uint32_t count = profile.machine.tiles();
    std::vector<std::uint32_t> slowest(count, 0);
    for (const tile::Superstep& s : profile.supersteps) {
        const auto found = std::ranges::max_element(s.compute);
        const auto tile = static_cast<std::size_t>(found - s.compute.begin());
        if (found != s.compute.end() && *found > 0 && tile < count) ++slowest[tile];
    }
    std::vector<std::uint32_t> spread;
    std::vector<bool> taken(count, false);
    for (std::uint64_t parts = 1; spread.size() < count; parts *= 2) {
        for (std::uint64_t part = 0; part < parts; ++part) {
            const auto tile = static_cast<std::uint32_t>(part * count / parts);
            if (!taken[tile]) spread.push_back(tile);
            taken[tile] = true;
        }
    }
    sort_by_descending(spread, [&](std::uint32_t tile) { return slowest[tile]; });
    return spread;
}

class Trace {
  public:
    Trace(const tile::Profile& profile, const TraceOptions& options)
        : profile_(profile), exchanges_(exchanges_of(profile)) {
        for (std::uint32_t s = 0; s < profile.steps.size(); ++s) {
            names_.push_back(json_string(profile.steps[s].name));
            paths_.push_back(json_string(path_of(profile, s)));
        }
        select(options.most_events);
    }

    std::string write() {
        out_ = "{\"displayTimeUnit\":\"ns\",\"otherData\":";
        {
            JsonList other(out_, "{}");
            other.add("program", profile_.program);
            other.add("machine", profile_.machine.name);
            other.add("cycles", profile_.cycles);
            other.add("left_out", selection_.left_out);
        }
        out_ += ",\"traceEvents\":";
        {
            JsonList events(out_, "[]");
            events_ = &events;
            name_tracks();
            for (std::size_t s = 0; s < selection_.supersteps; ++s) write_superstep(s);
        }
        return std::move(out_ += "}\n");
    }

  private:
    static constexpr std::uint32_t program_pid = 1;

    std::uint32_t pid_of(std::uint32_t tile) const {
        return 2 + tile / std::max(1U, profile_.machine.tiles_per_chip);
    }

    bool is_sound(const tile::Superstep& s) const { return s.step < exchanges_.size(); }

    std::size_t events_of(std::uint32_t tile) const {
        std::size_t events = 2; // its name and place
        for (std::size_t s = 0; s < selection_.supersteps; ++s) {
            const tile::Superstep& superstep = profile_.supersteps[s];
            if (!is_sound(superstep)) continue;
            for_each_slice(superstep, exchanges_[superstep.step], tile,
                           [&](const Slice&) { ++events; });
        }
        return events;
    }

    void select(std::size_t most_events) {
        // The program's own track has up to six events a superstep, and gets half of the room.
        selection_.supersteps =
            std::min(profile_.supersteps.size(), std::max<std::size_t>(1, most_events / 12));
        std::size_t room = most_events - std::min(most_events, 6 * selection_.supersteps);
        for (const std::uint32_t tile : by_interest(profile_)) {
            const std::size_t events = events_of(tile);
            if (events > room) break;
            room -= events;
            selection_.tiles.push_back(tile);
        }
        std::ranges::sort(selection_.tiles);
        std::string& text = selection_.left_out;
        if (selection_.supersteps < profile_.supersteps.size()) {
            text = fmt::format("the last {} of {} supersteps",
                               profile_.supersteps.size() - selection_.supersteps,
                               profile_.supersteps.size());
        }
        const std::uint32_t tiles = profile_.machine.tiles();
        if (selection_.tiles.size() < tiles) {
            text += fmt::format("{}{} of {} tiles, which were slowest least often",
                                text.empty() ? "" : "; ", tiles - selection_.tiles.size(), tiles);
        }
        if (profile_.dropped_supersteps > 0) {
            text += fmt::format("{}{} supersteps that the profile does not hold",
                                text.empty() ? "" : "; ", profile_.dropped_supersteps);
        }
    }

    void metadata(std::string_view what, std::uint32_t pid, std::uint32_t tid,
                  std::string_view args) {
        fmt::format_to(std::back_inserter(events_->next_line()),
                       R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{{}}}}})", what, pid,
                       tid, args);
    }

    void name_tracks() {
        const auto name = [](const std::string& text) { return "\"name\":" + json_string(text); };
        const std::string program = profile_.program.empty() ? "program" : profile_.program;
        metadata("process_name", program_pid, 1, name(program));
        metadata("process_sort_index", program_pid, 1, "\"sort_index\":0");
        metadata("thread_name", program_pid, 1, name("steps"));
        if (!selection_.left_out.empty()) {
            metadata("process_labels", program_pid, 1,
                     "\"labels\":" + json_string("left out: " + selection_.left_out));
        }
        std::uint32_t last_pid = program_pid;
        for (const std::uint32_t tile : selection_.tiles) {
            const std::uint32_t pid = pid_of(tile);
            if (pid != last_pid) {
                metadata("process_name", pid, 0,
                         name(fmt::format("{}, chip {}", profile_.machine.name, pid - 2)));
                metadata("process_sort_index", pid, 0, fmt::format("\"sort_index\":{}", pid));
                last_pid = pid;
            }
            metadata("thread_name", pid_of(tile), tile + 1, name(fmt::format("tile {}", tile)));
            metadata("thread_sort_index", pid_of(tile), tile + 1,
                     fmt::format("\"sort_index\":{}", tile));
        }
    }

    std::uint64_t nanoseconds(std::uint64_t cycle) const {
        const double hz = profile_.machine.clock_hz > 0 ? profile_.machine.clock_hz : 1e9;
        constexpr double most = 1e18; // some thirty years
        return static_cast<std::uint64_t>(std::min(most, static_cast<double>(cycle) / hz * 1e9));
    }

    /// Times are microseconds with a fraction, which Perfetto cuts to nanoseconds after a
    /// multiplication by 1000 that may land just below: the 0.2 ns keep starts where they are. Ends
    /// are cut like the starts that follow them, so slices of a thread never overlap.
    void slice(std::uint32_t pid, std::uint32_t tid, std::uint64_t start, std::uint64_t cycles,
               std::string_view name, std::string_view category, std::string_view args) {
        const std::uint64_t begin = nanoseconds(start);
        const std::uint64_t length = nanoseconds(start + cycles) - begin;
        fmt::format_to(
            std::back_inserter(events_->next_line()),
            R"({{"ph":"X","pid":{},"tid":{},"ts":{}.{:03}2,"dur":{}.{:03},"name":{},"cat":"{}",)"
            R"("args":{{"cycles":{}{}}}}})",
            pid, tid, begin / 1000, begin % 1000, length / 1000, length % 1000, name, category,
            cycles, args);
    }

    void write_superstep(std::size_t s) {
        const tile::Superstep& superstep = profile_.supersteps[s];
        if (!is_sound(superstep)) return;
        const std::string about =
            fmt::format(",\"superstep\":{},\"iteration\":{}", s, superstep.iteration);
        write_program(superstep, about);
        const StepExchange& exchange = exchanges_[superstep.step];
        const std::string& name = names_[superstep.step];
        for (const std::uint32_t tile : selection_.tiles) {
            for_each_slice(superstep, exchange, tile,
                           [&](const Slice& part) { write_part(part, tile, name, about); });
        }
    }

    void write_part(const Slice& part, std::uint32_t tile, const std::string& name,
                    const std::string& about) {
        const std::uint32_t pid = pid_of(tile);
        switch (part.activity) {
        case Activity::compute:
            slice(pid, tile + 1, part.start, part.cycles, name, "compute", about);
            break;
        case Activity::exchange:
            slice(pid, tile + 1, part.start, part.cycles, "\"exchange\"", "exchange",
                  fmt::format(",\"step\":{},\"bytes_sent\":{},\"bytes_received\":{}{}", name,
                              part.exchange->bytes_sent, part.exchange->bytes_received, about));
            break;
        case Activity::sync:
            slice(pid, tile + 1, part.start, part.cycles, "\"sync\"", "sync", {});
            break;
        case Activity::host:
            slice(pid, tile + 1, part.start, part.cycles, "\"host\"", "host",
                  fmt::format(",\"step\":{}{}", name, about));
            break;
        }
    }

    /// The step as a whole, with the phases of its slowest tiles below it.
    void write_program(const tile::Superstep& s, const std::string& about) {
        slice(program_pid, 1, s.start_cycle, phases_of(s).total(), paths_[s.step], "step", about);
        std::uint64_t now = s.start_cycle;
        const auto phase = [&](std::string_view name, std::string_view category,
                               std::uint64_t cycles) {
            if (cycles > 0) {
                slice(program_pid, 1, now, cycles, fmt::format("\"{}\"", name), category, about);
            }
            now += cycles;
        };
        phase("sync", "sync", s.sync_cycles);
        phase("exchange before", "exchange", s.exchange_before_cycles);
        phase("compute", "compute", s.compute_cycles);
        phase("exchange after", "exchange", s.exchange_after_cycles);
        phase("host", "host", s.host_cycles);
    }

    const tile::Profile& profile_;
    std::vector<StepExchange> exchanges_;
    std::vector<std::string> names_; ///< by step, as JSON
    std::vector<std::string> paths_;
    Selection selection_;
    std::string out_;
    JsonList* events_ = nullptr;
};

} // namespace

std::string chrome_trace(const tile::Profile& profile, const TraceOptions& options) {
    return Trace(profile, options).write();
}

} // namespace tropic::report
