// Collects what one exchange phase moves, and adds it up.
#pragma once

#include <map>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "machines/tile/exchange.h"

namespace tropic::tile {

class ExchangeBuilder {
  public:
    explicit ExchangeBuilder(const Placement& placement)
        : placement_(&placement), machine_(&placement.graph().machine()) {}

    /// Elements of a variable travel from the tile of `part` to another; `aligned` if they are
    /// whole 64-bit words on both.
    void move(VariableId variable, const Segment& part, std::uint32_t to, bool aligned);
    /// The same, from a tile that is not where they are kept.
    void move(VariableId variable, std::int64_t begin, std::int64_t end, std::uint32_t from,
              std::uint32_t to, bool aligned);
    /// Bytes are copied within a tile as part of the phase.
    void copy(std::uint32_t tile, std::uint64_t bytes);
    /// Bytes of a variable are put in order on a tile, for a reason.
    void rearrange(std::uint32_t tile, VariableId variable, std::uint64_t bytes,
                   std::string_view why);
    void add_landing(std::uint32_t tile, std::uint64_t bytes) { landing_[tile] += bytes; }
    void add_buffer(std::uint32_t tile, std::uint64_t bytes) { buffers_[tile] += bytes; }

    ExchangePlan finish();

  private:
    struct Move {
        std::uint32_t to;
        std::uint32_t from;
        VariableId variable;
        std::int64_t begin;
        std::int64_t end;
        bool aligned; ///< to 64 bits on both tiles
    };
    struct Rearranged {
        VariableId variable;
        std::string_view why;
        std::uint32_t tile;
        std::uint64_t bytes;
        std::uint64_t cycles;
    };
    struct Sum {
        std::uint64_t sent = 0;
        std::uint64_t received = 0;
        std::uint64_t local = 0;
        std::uint64_t send_words = 0; ///< that are not aligned
        std::uint64_t receive_words = 0;
        std::uint64_t send_aligned = 0; ///< words that are
        std::uint64_t receive_aligned = 0;
        std::uint64_t regions_in = 0;
        std::uint64_t regions_out = 0;
        std::uint64_t local_cycles = 0;
        std::uint64_t rearrange_cycles = 0;
        std::uint64_t link_cycles = 0;
    };

    std::uint32_t chip(std::uint32_t tile) const { return tile / machine_->tiles_per_chip; }
    void receive_each_once(std::vector<Move>& distinct);
    void send_each_once(std::vector<Move>& distinct);
    void add_links(std::vector<Move>& distinct);
    std::vector<Rearrangement> rearrangements() const;

    const Placement* placement_;
    const Machine* machine_;
    std::vector<Move> moves_;
    std::vector<Rearranged> rearranged_;
    std::map<std::uint32_t, Sum> sums_;
    std::unordered_map<std::uint32_t, std::uint64_t> landing_;
    std::unordered_map<std::uint32_t, std::uint64_t> buffers_;
    bool between_chips_ = false;
};

} // namespace tropic::tile
