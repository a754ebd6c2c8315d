#include <algorithm>
#include <span>

#include "report/json_text.h"
#include "report/names.h"
#include "report/summary.h"
#include "report/tile_report.h"

namespace tropic::report {

namespace {

void write_phases(JsonList& object, const Phases& phases) {
    object.add("compute_cycles", phases.compute);
    object.add("exchange_cycles", phases.exchange);
    object.add("sync_cycles", phases.sync);
    object.add("host_cycles", phases.host);
}

void write_step(std::string& out, const tile::Profile& profile, const StepCost& cost) {
    JsonList object(out, "{}");
    object.add("step", cost.step);
    object.add("name", path_of(profile, cost.step));
    object.add("kind", name_of(profile.steps[cost.step].kind));
    object.add("runs", cost.runs);
    object.add("cycles", cost.cycles.total());
    write_phases(object, cost.cycles);
    object.add("balance", cost.balance);
    object.add("bytes_exchanged", cost.bytes_exchanged);
}

void write_tile(std::string& out, const tile::Profile& profile, std::uint32_t tile) {
    const tile::TileMemory& memory = profile.memory[tile];
    JsonList object(out, "{}");
    object.add("tile", tile);
    object.add("bytes", memory.total());
    object.add("always_live", memory.always_live);
    object.add("shared", memory.shared);
    object.add("padding", memory.padding);
}

void write_variable(std::string& out, const tile::Profile& profile, const VariableSize& size) {
    const tile::MemoryItem& item = profile.memory_items[size.item];
    JsonList object(out, "{}");
    object.add("name", item.name);
    object.add("kind", name_of(item.kind));
    object.add("always_live", item.always_live);
    object.add("bytes", size.bytes);
    object.add("tiles", item.pieces.size());
    object.add("most_on_one_tile", size.most);
}

void write_rearrangement(std::string& out, const tile::Profile& profile,
                         const tile::Rearrangement& r) {
    JsonList object(out, "{}");
    object.add("tensor", r.tensor);
    object.add("why", r.why);
    object.add("step", path_of(profile, r.step));
    object.add("tiles", r.tiles);
    object.add("bytes", r.bytes);
    object.add("cycles", r.cycles);
}

} // namespace

std::string summary_json(const tile::Profile& profile) {
    const Summary summary = summarise(profile);
    std::string out;
    {
        JsonList object(out, "{}");
        object.add("program", profile.program);
        object.add("machine", profile.machine.name);
        object.add("failure", profile.failure);
        object.add("tiles", profile.machine.tiles());
        object.add("cycles", profile.cycles);
        object.add("seconds", summary.seconds);
        object.add("supersteps", profile.supersteps.size());
        object.add("dropped_supersteps", profile.dropped_supersteps);
        write_phases(object, summary.cycles);
        object.add("balance", summary.balance);
        object.add("bytes_exchanged", summary.bytes_exchanged);
        object.add("bytes_per_tile", profile.machine.bytes_per_tile);
        object.add("tiles_over_limit", summary.tiles_over_limit);
        const auto list = [&](std::string_view name, const auto& elements, const auto& write) {
            JsonList array(object.key(name), "[]");
            for (const auto& element : elements) write(array.next_line(), profile, element);
        };
        list("steps", summary.steps, write_step);
        constexpr std::size_t most_tiles = 100;
        list("fullest_tiles",
             std::span(summary.fullest).first(std::min(summary.fullest.size(), most_tiles)),
             write_tile);
        list("memory", summary.variables, write_variable);
        list("rearrangements", profile.rearrangements, write_rearrangement);
    }
    return out += '\n';
}

} // namespace tropic::report
