// What vertices, copies and the host make tiles exchange.
#include "machines/tile/exchange.h"

#include <algorithm>
#include <functional>
#include <unordered_set>

#include "machines/tile/exchange_builder.h"

namespace tropic::tile {

namespace {

constexpr std::int64_t word_bytes = 4;
constexpr std::int64_t double_word_bytes = 8;

/// Whether bytes that begin there on both tiles are whole 64-bit words.
bool whole_double_words(std::int64_t from, std::int64_t to, std::int64_t bytes) {
    return (from | to | bytes) % double_word_bytes == 0;
}

// Why something is rearranged, as reports say it.
constexpr std::string_view out_of_order = "regions out of order";
constexpr std::string_view misaligned = "start or size not aligned as the vertex asks";
constexpr std::string_view sub_word = "less than a 32-bit word";

struct Piece {
    VariableId variable;
    Segment segment;
};

std::uint64_t hash_runs(std::span<const Run> runs) {
    constexpr std::uint64_t prime = 0x9e3779b97f4a7c15ULL;
    std::uint64_t hash = runs.size();
    const auto mix = [&](std::uint64_t value) {
        hash = (hash ^ value) * prime;
        hash ^= hash >> 29;
    };
    for (const Run& run : runs) {
        mix(run.variable);
        mix(static_cast<std::uint64_t>(run.begin));
        mix(static_cast<std::uint64_t>(run.count));
        mix(static_cast<std::uint64_t>(run.stride));
    }
    return hash;
}

class ComputeSetPlanner {
  public:
    ComputeSetPlanner(const Placement& placement, ComputeSetId set)
        : placement_(&placement), graph_(&placement.graph()), set_(set), before_(placement),
          after_(placement) {}

    ComputeSetExchange plan() {
        for (const VertexId v : graph_->compute_sets()[set_].vertices) {
            const Vertex& vertex = graph_->vertices()[v];
            for (const Binding& binding : vertex.bindings) {
                if (!binding.connected) continue;
                const Field& field = vertex.type->fields[binding.field];
                if (field.shape == FieldShape::list) {
                    for (const Edge& edge : binding.list) add_edge(vertex.tile, field, edge);
                } else {
                    add_edge(vertex.tile, field, binding.edge);
                }
            }
        }
        return {before_.finish(), after_.finish()};
    }

  private:
    void add_edge(std::uint32_t tile, const Field& field, const Edge& edge) {
        const std::span<const Run> runs = graph_->runs(edge);
        pieces_.clear();
        placement_->for_each(runs, field.name, [&](VariableId variable, const Segment& segment) {
            pieces_.push_back({variable, segment});
        });
        if (in_place(tile, field)) return;
        const bool reads = field.role != FieldRole::output;
        const bool writes = field.role != FieldRole::input;
        const std::uint64_t bytes =
            static_cast<std::uint64_t>(edge.elements) * bytes_of(field.type);
        if (reads) {
            // What several vertices of a tile read arrives and is put in order once.
            const std::uint64_t key = hash_runs(runs) ^ (std::uint64_t{field.alignment} << 32);
            if (seen_.insert(key * 0x2545f4914f6cdd1dULL + tile).second) {
                read(tile, field);
                before_.add_landing(tile, bytes);
            }
        }
        if (writes) {
            write(tile, field);
            after_.add_landing(tile, bytes);
        }
    }

    /// All of it is on the tile, in this order, aligned as the field asks.
    bool in_place(std::uint32_t tile, const Field& field) const {
        const auto size = static_cast<std::int64_t>(bytes_of(field.type));
        if (!pieces_.empty() &&
            pieces_[0].segment.local * size % std::max<std::int64_t>(1, field.alignment) != 0) {
            return false;
        }
        for (std::size_t p = 0; p < pieces_.size(); ++p) {
            const Piece& piece = pieces_[p];
            if (piece.segment.tile != tile) return false;
            if (p == 0) continue;
            const Piece& before = pieces_[p - 1];
            const std::int64_t count = before.segment.end - before.segment.begin;
            if (before.variable != piece.variable ||
                before.segment.local + count != piece.segment.local) {
                return false;
            }
        }
        return true;
    }

    void read(std::uint32_t tile, const Field& field) {
        const auto size = static_cast<std::int64_t>(bytes_of(field.type));
        const std::int64_t alignment = std::max<std::int64_t>(word_bytes, field.alignment);
        const bool all_local = std::ranges::all_of(
            pieces_, [&](const Piece& piece) { return piece.segment.tile == tile; });
        std::int64_t at = 0;
        std::uint64_t rearranged = 0;
        for (std::size_t p = 0; p < pieces_.size(); ++p) {
            const auto& [variable, segment] = pieces_[p];
            const std::int64_t bytes = (segment.end - segment.begin) * size;
            const bool last = p + 1 == pieces_.size();
            const bool aligned = segment.local * size % alignment == 0 && at % alignment == 0 &&
                                 (last || bytes % alignment == 0);
            const auto amount = static_cast<std::uint64_t>(bytes);
            if (segment.tile != tile) {
                before_.move(variable, segment, tile,
                             whole_double_words(segment.local * size, at, bytes));
            }
            if (all_local) {
                before_.rearrange(tile, variable, amount,
                                  pieces_.size() == 1 ? misaligned : out_of_order);
            } else if (!aligned) {
                before_.rearrange(tile, variable, amount,
                                  bytes < word_bytes ? sub_word : misaligned);
                rearranged += amount;
            } else if (segment.tile == tile) {
                before_.copy(tile, amount);
            }
            at += bytes;
        }
        if (rearranged > 0) before_.add_buffer(tile, rearranged);
    }

    void write(std::uint32_t tile, const Field& field) {
        const auto size = static_cast<std::int64_t>(bytes_of(field.type));
        const bool all_local = std::ranges::all_of(
            pieces_, [&](const Piece& piece) { return piece.segment.tile == tile; });
        std::int64_t at = 0;
        for (const auto& [variable, segment] : pieces_) {
            const std::int64_t bytes = (segment.end - segment.begin) * size;
            const bool aligned = segment.local * size % word_bytes == 0 && at % word_bytes == 0 &&
                                 bytes % word_bytes == 0;
            const auto amount = static_cast<std::uint64_t>(bytes);
            if (segment.tile != tile) {
                after_.move(variable, segment.begin, segment.end, tile, segment.tile,
                            whole_double_words(at, segment.local * size, bytes));
                if (!aligned) {
                    after_.rearrange(segment.tile, variable, amount,
                                     bytes < word_bytes ? sub_word : misaligned);
                    after_.add_buffer(segment.tile, amount);
                }
            } else if (all_local) {
                after_.rearrange(tile, variable, amount,
                                 pieces_.size() == 1 ? misaligned : out_of_order);
            } else {
                after_.copy(tile, amount);
            }
            at += bytes;
        }
    }

    const Placement* placement_;
    const Graph* graph_;
    ComputeSetId set_;
    ExchangeBuilder before_;
    ExchangeBuilder after_;
    std::vector<Piece> pieces_;
    std::unordered_set<std::uint64_t> seen_; ///< tile and runs that were read already
};

std::vector<Piece> pieces_of(const Placement& placement, const Tensor& tensor,
                             std::string_view user) {
    std::vector<Piece> pieces;
    const std::vector<Run> runs = tensor.runs();
    placement.for_each(runs, user, [&](VariableId variable, const Segment& segment) {
        pieces.push_back({variable, segment});
    });
    return pieces;
}

} // namespace

ComputeSetExchange plan_compute_set(const Placement& placement, ComputeSetId compute_set) {
    return ComputeSetPlanner(placement, compute_set).plan();
}

ExchangePlan plan_copy(const Placement& placement, const Tensor& from, const Tensor& to,
                       std::string_view user) {
    ExchangeBuilder builder(placement);
    std::vector<Piece> sources = pieces_of(placement, from, user);
    std::vector<Piece> targets = pieces_of(placement, to, user);
    const auto size = static_cast<std::int64_t>(bytes_of(to.type()));
    std::size_t s = 0;
    for (Piece& target : targets) {
        while (target.segment.begin < target.segment.end) {
            Piece& source = sources[s];
            const std::int64_t count = std::min(target.segment.end - target.segment.begin,
                                                source.segment.end - source.segment.begin);
            Segment part = source.segment;
            part.end = part.begin + count;
            const std::int64_t bytes = count * size;
            const auto amount = static_cast<std::uint64_t>(bytes);
            const std::uint32_t tile = target.segment.tile;
            const bool aligned = part.local * size % word_bytes == 0 &&
                                 target.segment.local * size % word_bytes == 0 &&
                                 bytes % word_bytes == 0;
            if (part.tile == tile) {
                if (aligned) {
                    builder.copy(tile, amount);
                } else {
                    builder.rearrange(tile, target.variable, amount,
                                      bytes < word_bytes ? sub_word : misaligned);
                }
            } else {
                builder.move(
                    source.variable, part, tile,
                    whole_double_words(part.local * size, target.segment.local * size, bytes));
                if (!aligned) {
                    builder.rearrange(tile, target.variable, amount,
                                      bytes < word_bytes ? sub_word : misaligned);
                    builder.add_buffer(tile, amount);
                }
            }
            for (Segment* segment : {&source.segment, &target.segment}) {
                segment->begin += count;
                segment->local += count;
            }
            if (source.segment.begin == source.segment.end) ++s;
        }
    }
    return builder.finish();
}

ExchangePlan plan_host_copy(const Placement& placement, const Tensor& tensor, bool to_device,
                            std::string_view user) {
    ExchangePlan plan;
    std::map<std::uint32_t, std::uint64_t> bytes;
    for (const auto& [variable, segment] : pieces_of(placement, tensor, user)) {
        bytes[segment.tile] +=
            static_cast<std::uint64_t>(segment.end - segment.begin) * bytes_of(tensor.type());
    }
    for (const auto& [tile, amount] : bytes) {
        TileExchange entry;
        entry.tile = tile;
        (to_device ? entry.bytes_received : entry.bytes_sent) = amount;
        plan.tiles.push_back(entry);
    }
    return plan;
}

} // namespace tropic::tile
