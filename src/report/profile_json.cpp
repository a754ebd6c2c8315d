#include <map>
#include <numeric>

#include "report/json_text.h"
#include "report/names.h"
#include "report/profile_writer.h"
#include "report/tile_report.h"

namespace tropic::report {

namespace {

using tile::HostTime;
using tile::MemoryItem;
using tile::MemoryPiece;
using tile::ProfileScope;
using tile::ProfileStep;
using tile::Rearrangement;
using tile::Superstep;
using tile::TileExchange;
using tile::TileMemory;

void write_machine(std::string& out, const tile::Machine& machine) {
    JsonList object(out, "{}");
    object.add("name", machine.name);
    for (const tile::MachineParameter& parameter : tile::machine_parameters()) {
        std::visit([&](auto member) { object.add(parameter.name, machine.*member); },
                   parameter.member);
    }
}

void write_exchange(std::string& out, const std::vector<TileExchange>& exchange) {
    JsonList object(out, "{}");
    const auto column = [&](std::string_view name, auto member) {
        object.add_column(name, exchange, [&](const TileExchange& e) { return e.*member; });
    };
    column("tile", &TileExchange::tile);
    column("cycles", &TileExchange::cycles);
    column("rearrange_cycles", &TileExchange::rearrange_cycles);
    column("bytes_sent", &TileExchange::bytes_sent);
    column("bytes_received", &TileExchange::bytes_received);
    column("bytes_local", &TileExchange::bytes_local);
}

void write_step(std::string& out, const ProfileStep& step) {
    JsonList object(out, "{}");
    object.add("name", step.name);
    object.add("kind", name_of(step.kind));
    object.add("parent", step.parent);
    object.add("vertices", step.vertices);
    object.add("sync_cycles", step.sync_cycles);
    object.add("exchange_setup_cycles", step.exchange_setup_cycles);
    if (!step.before.empty()) write_exchange(object.key("before"), step.before);
    if (!step.after.empty()) write_exchange(object.key("after"), step.after);
}

/// Rows of compute cycles, equal ones once, in the order in which they first come. Rows are told
/// apart by content, never by a hash alone.
class Rows {
  public:
    Rows(const std::vector<Superstep>& supersteps, std::size_t detailed) {
        static const std::vector<std::uint32_t> none;
        for (std::size_t s = 0; s < supersteps.size(); ++s) {
            const auto& row = s < detailed ? supersteps[s].compute : none;
            const auto [found, is_new] = index_.try_emplace(&row, rows_.size());
            if (is_new) rows_.push_back(&row);
            row_of_.push_back(found->second);
        }
    }

    void write(std::string& out) const {
        JsonList list(out, "[]");
        std::vector<std::uint64_t> numbers;
        for (const auto* row : rows_) {
            numbers.assign(row->begin(), row->end());
            append_numbers(list.next_line(), numbers);
        }
    }

    const std::vector<std::uint64_t>& row_of() const { return row_of_; }

  private:
    using Row = const std::vector<std::uint32_t>*;
    struct ByContent {
        bool operator()(Row a, Row b) const { return *a < *b; }
    };
    std::map<Row, std::uint64_t, ByContent> index_;
    std::vector<Row> rows_;
    std::vector<std::uint64_t> row_of_;
};

/// Compute cycles of all tiles together; 0 where they are not given by tile.
std::uint64_t busy_cycles(const Superstep& superstep) {
    return std::accumulate(superstep.compute.begin(), superstep.compute.end(), std::uint64_t{0});
}

void write_supersteps(std::string& out, const std::vector<Superstep>& supersteps,
                      const std::vector<std::uint64_t>& row_of, bool rows_are_missing) {
    JsonList object(out, "{}");
    object.add("count", supersteps.size());
    const auto column = [&](std::string_view name, auto member) {
        object.add_column(name, supersteps, [&](const Superstep& s) { return s.*member; });
    };
    column("step", &Superstep::step);
    column("iteration", &Superstep::iteration);
    column("start_cycle", &Superstep::start_cycle);
    column("sync_cycles", &Superstep::sync_cycles);
    column("exchange_before_cycles", &Superstep::exchange_before_cycles);
    column("compute_cycles", &Superstep::compute_cycles);
    column("exchange_after_cycles", &Superstep::exchange_after_cycles);
    column("host_cycles", &Superstep::host_cycles);
    object.add_column("compute_row", row_of, [](std::uint64_t row) { return row; });
    if (rows_are_missing) object.add_column("busy_cycles", supersteps, busy_cycles);
}

void write_memory(std::string& out, const std::vector<TileMemory>& memory) {
    JsonList object(out, "{}");
    const auto column = [&](std::string_view name, auto member) {
        object.add_column(name, memory, [&](const TileMemory& m) { return m.*member; });
    };
    column("always_live", &TileMemory::always_live);
    column("shared", &TileMemory::shared);
    column("padding", &TileMemory::padding);
}

void write_item(std::string& out, const MemoryItem& item) {
    JsonList object(out, "{}");
    object.add("name", item.name);
    object.add("kind", name_of(item.kind));
    object.add("always_live", item.always_live);
    object.add_column("tile", item.pieces, [](const MemoryPiece& p) { return p.tile; });
    object.add_column("bytes", item.pieces, [](const MemoryPiece& p) { return p.bytes; });
}

void write_rearrangement(std::string& out, const Rearrangement& r) {
    JsonList object(out, "{}");
    object.add("tensor", r.tensor);
    object.add("why", r.why);
    object.add("step", r.step);
    object.add("tiles", r.tiles);
    object.add("bytes", r.bytes);
    object.add("cycles", r.cycles);
}

void write_scope(std::string& out, const ProfileScope& scope) {
    JsonList object(out, "{}");
    object.add("name", scope.name);
    object.add("parent", scope.parent);
}

void write_host_time(std::string& out, const HostTime& time) {
    JsonList object(out, "{}");
    object.add("what", time.what);
    object.add("seconds", time.seconds);
}

template <class List, class Write>
void write_list(std::string& out, const List& list, const Write& write) {
    JsonList array(out, "[]");
    for (const auto& element : list) write(array.next_line(), element);
}

} // namespace

std::string write_profile(const tile::Profile& profile, std::size_t detailed) {
    std::string out;
    {
        JsonList object(out, "{}");
        const auto line = [&](std::string_view name) -> std::string& {
            object.next_line();
            return out += fmt::format("\"{}\":", name);
        };
        line("format") += "\"tropic tile profile\"";
        line("version") += "1";
        line("program") += json_string(profile.program);
        line("failure") += json_string(profile.failure);
        line("cycles") += std::to_string(profile.cycles);
        line("dropped_supersteps") += std::to_string(profile.dropped_supersteps);
        write_machine(line("machine"), profile.machine);
        write_list(line("scopes"), profile.scopes, write_scope);
        write_list(line("steps"), profile.steps, write_step);
        const Rows rows(profile.supersteps, detailed);
        rows.write(line("compute_rows"));
        write_supersteps(line("supersteps"), profile.supersteps, rows.row_of(),
                         detailed < profile.supersteps.size());
        write_memory(line("memory"), profile.memory);
        write_list(line("memory_items"), profile.memory_items, write_item);
        write_list(line("rearrangements"), profile.rearrangements, write_rearrangement);
        write_list(line("host_times"), profile.host_times, write_host_time);
    }
    return out += '\n';
}

std::string profile_json(const tile::Profile& profile) {
    return write_profile(profile);
}

} // namespace tropic::report
