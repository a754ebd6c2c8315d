// Which worker of a vertex that has several read and wrote each 32-bit word of what they share.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "machines/tile/vertex_code.h"

namespace tropic::tile {

/// What another worker did to the same word.
struct Conflict {
    int worker = 0;
    std::uint32_t line = 0;
    bool wrote = false;
    bool same_bytes = false; ///< otherwise only the word is the same
};

/// Workers run at the same time between two points where all are waited for: a phase. Two workers
/// conflict in one phase if one writes a word that the other writes, or bytes that the other reads.
class RaceCheck {
  public:
    void begin_vertex(std::span<const FieldRegion> regions);
    void begin_phase() { ++phase_; }

    /// `region` is one of those given to begin_vertex.
    std::optional<Conflict> note(std::size_t region, std::uint64_t offset, std::uint32_t bytes,
                                 int worker, std::uint32_t line, bool store);

  private:
    /// The last to read and the last to write, and which bytes of the word.
    struct Word {
        std::uint64_t phase = 0;
        std::uint32_t read_line = 0;
        std::uint32_t write_line = 0;
        std::int8_t reader = 0;
        std::int8_t writer = 0;
        std::uint8_t read = 0;
        std::uint8_t written = 0;
        bool several_readers = false;
    };

    std::vector<std::size_t> first_; ///< word of each region
    std::vector<Word> words_;        ///< older phases are as good as empty
    std::uint64_t phase_ = 0;
};

} // namespace tropic::tile
