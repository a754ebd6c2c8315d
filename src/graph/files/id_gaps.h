// Closes the gaps between the ids that entries use: ids become positions 0 to n-1 in ascending
// order of the ids, and the way back is kept.
#pragma once

#include <limits>
#include <span>

#include "tropic/coordinates.h"
#include "tropic/graph.h"

namespace tropic {

struct IdRange {
    Index smallest = std::numeric_limits<Index>::max();
    Index largest = -1; ///< -1: no ids

    void include(const IdRange& other) noexcept {
        smallest = std::min(smallest, other.smallest);
        largest = std::max(largest, other.largest);
    }
};

/// The ids used in some dimensions of a list, which share one id space.
class IdMap {
  public:
    /// All coordinates of these dimensions must be in `range`.
    IdMap(std::span<const CoordinateBlock> blocks, std::span<const int> dimensions, IdRange range,
          const Context& context);

    Index count() const noexcept { return count_; }

    /// Ids between the smallest and the largest that no entry uses.
    Index gaps() const noexcept { return gaps_; }

    /// The way back: an offset where there are no gaps, else a table.
    VertexIds ids() const { return gaps_ == 0 ? VertexIds(first_) : VertexIds(table_); }

    /// Replaces ids by positions, which are stored as `index_type`: in place where that is the type
    /// already.
    void renumber(std::span<CoordinateBlock> blocks, std::span<const int> dimensions,
                  ElementType index_type, const Context& context) const;

  private:
    /// Used ids marked in a bitmap. A word is 32 marks and, above them, how many marks all words
    /// before it have, so that a lookup is one access.
    void mark(std::span<const CoordinateBlock> blocks, std::span<const int> dimensions,
              const Context& context);
    void rank_marks(const Context& context);

    /// Used ids sorted, for ranges too wide for a bitmap, with a directory from their leading bits
    /// to where such ids begin in the table.
    void sort(std::span<const CoordinateBlock> blocks, std::span<const int> dimensions,
              const Context& context);
    void make_directory(const Context& context);

    Index position_by_marks(Index id) const noexcept;
    Index position_by_table(Index id) const noexcept;

    Index first_ = 0;
    Index count_ = 0;
    Index gaps_ = 0;
    std::uint64_t span_ = 0; ///< ids from the smallest to the largest
    Array words_;
    Array table_;
    Array directory_;
    int shift_ = 0;
};

} // namespace tropic
