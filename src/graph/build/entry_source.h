// Where entries to be sorted come from: a coordinate list, a matrix, or a bucket of an earlier
// partition. Entries come in pieces; a piece can be given back once its entries were moved.
#pragma once

#include <atomic>
#include <cstddef>
#include <vector>

#include "graph/build/keys.h"
#include "tropic/coordinates.h"

namespace tropic::building {

template <class Word> class EntrySource {
  public:
    virtual ~EntrySource() = default;

    virtual Index pieces() const = 0;
    virtual Index piece_size(Index piece) const = 0;

    /// Throws Error(range) if an entry of [begin, begin + count) of the piece is outside the shape.
    virtual void check(Index, Index, Index) const {}

    /// The keys of entries [begin, begin + count) of the piece.
    virtual void keys(Index piece, Index begin, Index count, Word* out) const = 0;

    /// The values of the piece, or null.
    virtual const std::byte* values(Index piece) const = 0;

    /// The piece is not looked at again.
    virtual void release(Index) {}

    Index entries() const {
        Index total = 0;
        for (Index piece = 0; piece < pieces(); ++piece) total += piece_size(piece);
        return total;
    }
};

/// The blocks of a coordinate list.
template <class Word> class ListSource final : public EntrySource<Word> {
  public:
    ListSource(CoordinateList& list, const KeyLayout& layout) : list_(list), layout_(layout) {}

    Index pieces() const override { return static_cast<Index>(list_.blocks.size()); }
    Index piece_size(Index piece) const override { return list_.blocks[piece].size(); }
    void check(Index piece, Index begin, Index count) const override;
    void keys(Index piece, Index begin, Index count, Word* out) const override;
    const std::byte* values(Index piece) const override {
        return static_cast<const std::byte*>(list_.blocks[piece].values.data());
    }
    void release(Index piece) override { list_.blocks[piece] = {}; }

  private:
    CoordinateList& list_;
    const KeyLayout& layout_;
};

extern template class ListSource<std::uint64_t>;
extern template class ListSource<Wide>;

} // namespace tropic::building
