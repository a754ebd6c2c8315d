#include "machines/tile/memory.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "machines/tile/fault.h"
#include "machines/tile/liveness.h"

namespace tropic::tile {

namespace {

/// Everything on a tile begins at a multiple of this.
constexpr std::uint64_t alignment = 8;

std::uint64_t padding_of(std::uint64_t bytes) {
    return (alignment - bytes % alignment) % alignment;
}

/// Bytes on a tile from one position of a unit to another.
struct Span {
    std::int64_t first;
    std::int64_t last;
    std::uint64_t bytes;
};

std::uint64_t peak_of(std::vector<Span>& spans) {
    struct Event {
        std::int64_t at;
        std::int64_t change;
    };
    std::vector<Event> events;
    events.reserve(spans.size() * 2);
    for (const Span& span : spans) {
        events.push_back({span.first, static_cast<std::int64_t>(span.bytes)});
        events.push_back({span.last + 1, -static_cast<std::int64_t>(span.bytes)});
    }
    std::ranges::sort(events, {}, [](const Event& e) { return std::pair(e.at, e.change); });
    std::int64_t now = 0;
    std::int64_t peak = 0;
    for (const Event& event : events) {
        now += event.change;
        peak = std::max(peak, now);
    }
    return static_cast<std::uint64_t>(peak);
}

using Pieces = std::map<std::uint32_t, std::uint64_t>;

std::vector<MemoryPiece> to_pieces(const Pieces& bytes) {
    std::vector<MemoryPiece> pieces;
    pieces.reserve(bytes.size());
    for (const auto& [tile, amount] : bytes) pieces.push_back({tile, amount});
    return pieces;
}

class MemoryPlanner {
  public:
    explicit MemoryPlanner(Executable& executable)
        : executable_(&executable), graph_(executable.graph.get()), machine_(&graph_->machine()),
          profile_(&executable.profile), liveness_(find_liveness(executable)) {
        profile_->memory.assign(machine_->tiles(), {});
        spans_.resize(liveness_.unit_sizes.size());
        for (auto& unit : spans_) unit.resize(machine_->tiles());
    }

    void run() {
        place_variables();
        place_vertices();
        place_exchanges();
        place_control();
        share();
    }

  private:
    void add_item(std::string name, MemoryKind kind, bool always, std::vector<MemoryPiece> pieces) {
        std::erase_if(pieces, [](const MemoryPiece& piece) { return piece.bytes == 0; });
        if (pieces.empty()) return;
        if (always) {
            for (const MemoryPiece& piece : pieces) {
                profile_->memory[piece.tile].always_live += piece.bytes;
                profile_->memory[piece.tile].padding += padding_of(piece.bytes);
            }
        }
        profile_->memory_items.push_back({std::move(name), kind, always, std::move(pieces)});
    }

    void live(std::int32_t unit, std::int64_t first, std::int64_t last,
              const std::vector<MemoryPiece>& pieces) {
        for (const MemoryPiece& piece : pieces) {
            spans_[static_cast<std::size_t>(unit)][piece.tile].push_back(
                {first, last, piece.bytes + padding_of(piece.bytes)});
        }
    }

    void place_variables() {
        for (VariableId v = 0; v < graph_->variables().size(); ++v) {
            const Life& life = liveness_.variables[v];
            if (life.unit == Life::unused) continue;
            const Variable& variable = graph_->variable(v);
            Pieces bytes;
            for (const Segment& segment : executable_->placement.map(v).segments()) {
                if (segment.tile == no_tile) continue;
                bytes[segment.tile] += static_cast<std::uint64_t>(segment.end - segment.begin) *
                                       bytes_of(variable.type);
            }
            std::vector<MemoryPiece> pieces = to_pieces(bytes);
            if (!life.always) live(life.unit, life.first, life.last, pieces);
            add_item(graph_->describe_variable(v),
                     variable.constant ? MemoryKind::constant : MemoryKind::variable, life.always,
                     std::move(pieces));
        }
    }

    void place_vertices() {
        Pieces states;
        Pieces starts;
        Pieces scratch;
        std::map<std::string, std::pair<std::uint64_t, std::set<std::uint32_t>>> code;
        std::set<std::uint32_t> computing;
        for (const auto& [set, plan] : executable_->compute_sets) {
            for (const VertexId v : graph_->compute_sets()[set].vertices) {
                const Vertex& vertex = graph_->vertices()[v];
                states[vertex.tile] += vertex.type->tile_bytes;
                starts[vertex.tile] += machine_->vertex_code_bytes;
                auto& entry = code[vertex.type->name];
                entry.first = vertex.type->code_bytes;
                entry.second.insert(vertex.tile);
                computing.insert(vertex.tile);
                for (const Binding& binding : vertex.bindings) {
                    const Field& field = vertex.type->fields[binding.field];
                    scratch[vertex.tile] +=
                        static_cast<std::uint64_t>(binding.scratch) * bytes_of(field.type);
                    // The vectors of a list are described beside the state: 8 bytes each.
                    constexpr std::uint64_t list_entry_bytes = 8;
                    states[vertex.tile] += binding.list.size() * list_entry_bytes;
                }
            }
        }
        add_item("vertex state", MemoryKind::vertex_state, true, to_pieces(states));
        add_item("vertices' own vectors", MemoryKind::scratch, true, to_pieces(scratch));
        add_item("starting vertices", MemoryKind::code, true, to_pieces(starts));
        for (const auto& [name, entry] : code) {
            std::vector<MemoryPiece> pieces;
            pieces.reserve(entry.second.size());
            for (const std::uint32_t tile : entry.second) pieces.push_back({tile, entry.first});
            add_item("code of " + name, MemoryKind::code, true, std::move(pieces));
        }
        std::vector<MemoryPiece> runtime;
        runtime.reserve(computing.size());
        const std::uint64_t bytes = machine_->runtime_bytes + machine_->supervisor_stack_bytes +
                                    std::uint64_t{machine_->workers} * machine_->worker_stack_bytes;
        for (const std::uint32_t tile : computing) runtime.push_back({tile, bytes});
        add_item("runtime and stacks", MemoryKind::control, true, std::move(runtime));
    }

    void place_exchanges() {
        std::map<ComputeSetId, std::vector<Position>> executed;
        for (std::size_t s = 0; s < executable_->steps.size(); ++s) {
            const Step& step = executable_->steps[s];
            const Position& position = liveness_.steps[s];
            if (step.program->kind == ProgramKind::execute) {
                executed[step.program->target].push_back(position);
            } else if (step.exchange != no_step) {
                const std::string& name = profile_->steps[step.profile].name;
                place_exchange(executable_->exchanges[step.exchange], name, {&position, 1});
            }
        }
        for (const auto& [set, positions] : executed) {
            const ComputeSetExchange& plan = executable_->compute_sets.at(set);
            const std::string& name = graph_->compute_sets()[set].name;
            place_exchange(plan.before, name, positions);
            place_exchange(plan.after, name, positions);
        }
        add_item("exchange code", MemoryKind::code, true, to_pieces(exchange_code_));
    }

    void place_exchange(const ExchangePlan& plan, const std::string& name,
                        std::span<const Position> positions) {
        for (const MemoryPiece& piece : plan.regions) {
            exchange_code_[piece.tile] += piece.bytes * machine_->exchange_region_code_bytes;
        }
        for (const Position& position : positions) {
            live(position.unit, position.at, position.at, plan.landing);
            live(position.unit, position.at, position.at, plan.buffers);
        }
        add_item("landing zone of " + name, MemoryKind::landing_zone, false, plan.landing);
        add_item("rearrangement for " + name, MemoryKind::rearrangement, false, plan.buffers);
    }

    void place_control() {
        std::vector<MemoryPiece> control;
        const std::uint64_t bytes =
            std::uint64_t{machine_->step_code_bytes} * executable_->profile.steps.size();
        for (std::uint32_t tile = 0; tile < machine_->tiles(); ++tile) {
            if (profile_->memory[tile].always_live > 0) control.push_back({tile, bytes});
        }
        add_item("control code", MemoryKind::control, true, std::move(control));
    }

    /// What is not always live: each unit's peak, that of the functions it calls included.
    void share() {
        std::vector<std::vector<std::uint64_t>> peaks(spans_.size());
        const std::size_t functions = executable_->functions.size();
        for (std::size_t s = 0; s < executable_->steps.size(); ++s) {
            const Step& step = executable_->steps[s];
            if (step.program->kind != ProgramKind::call) continue;
            calls_.emplace_back(liveness_.steps[s], step.program->target);
        }
        for (std::size_t unit = 0; unit < spans_.size(); ++unit) {
            for (const auto& [position, function] : calls_) {
                if (position.unit != static_cast<std::int32_t>(unit) || function >= unit) continue;
                for (std::uint32_t tile = 0; tile < machine_->tiles(); ++tile) {
                    const std::uint64_t bytes = peaks[function][tile];
                    if (bytes > 0) spans_[unit][tile].push_back({position.at, position.at, bytes});
                }
            }
            peaks[unit].resize(machine_->tiles());
            for (std::uint32_t tile = 0; tile < machine_->tiles(); ++tile) {
                peaks[unit][tile] = peak_of(spans_[unit][tile]);
            }
            if (unit < functions) continue;
            for (std::uint32_t tile = 0; tile < machine_->tiles(); ++tile) {
                TileMemory& memory = profile_->memory[tile];
                memory.shared = std::max(memory.shared, peaks[unit][tile]);
            }
        }
    }

    Executable* executable_;
    const Graph* graph_;
    const Machine* machine_;
    Profile* profile_;
    Liveness liveness_;
    std::vector<std::vector<std::vector<Span>>> spans_; ///< by unit and tile
    std::vector<std::pair<Position, std::uint32_t>> calls_;
    Pieces exchange_code_;
};

} // namespace

void plan_memory(Executable& executable) {
    MemoryPlanner(executable).run();
}

void check_memory(const Executable& executable) {
    const Profile& profile = executable.profile;
    const std::uint64_t limit = profile.machine.bytes_per_tile;
    std::vector<std::uint32_t> over;
    for (std::uint32_t tile = 0; tile < profile.memory.size(); ++tile) {
        if (profile.memory[tile].total() > limit) over.push_back(tile);
    }
    if (over.empty()) return;
    std::ranges::sort(over, [&](std::uint32_t a, std::uint32_t b) {
        const std::uint64_t in_a = profile.memory[a].total();
        const std::uint64_t in_b = profile.memory[b].total();
        return in_a != in_b ? in_a > in_b : a < b;
    });
    constexpr std::size_t shown = 3;
    std::string fullest;
    for (std::size_t i = 0; i < std::min(shown, over.size()); ++i) {
        struct Part {
            std::uint64_t bytes;
            const MemoryItem* item;
        };
        std::vector<Part> parts;
        for (const MemoryItem& item : profile.memory_items) {
            const auto found =
                std::ranges::lower_bound(item.pieces, over[i], {}, &MemoryPiece::tile);
            if (found != item.pieces.end() && found->tile == over[i]) {
                parts.push_back({found->bytes, &item});
            }
        }
        std::ranges::sort(parts, std::greater<>(), &Part::bytes);
        std::string largest;
        for (std::size_t p = 0; p < std::min(shown, parts.size()); ++p) {
            largest += fmt::format("{}{} ({} bytes)", p == 0 ? "" : ", ", parts[p].item->name,
                                   parts[p].bytes);
        }
        fullest += fmt::format("{}tile {} needs {} bytes, most of them for {}", i == 0 ? "" : "; ",
                               over[i], profile.memory[over[i]].total(), largest);
    }
    fail(Fault::memory,
         fmt::format("{} of {} would need more than {} bytes: {}",
                     over.size() == 1 ? "a tile" : fmt::format("{} tiles", over.size()),
                     profile.machine.name, limit, fullest),
         fmt::format("at most {} bytes on each tile", limit),
         "spread the variables over more tiles, or use a machine with more memory");
}

} // namespace tropic::tile
