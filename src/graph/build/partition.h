// A stable radix partition of entries by the highest bits of their keys into buckets that fit the
// cache. Every task counts its entries first, so each knows exactly where its entries go: the
// buckets hold them in source order whatever the number of threads. Only the low bits that a bucket
// does not imply are stored, and sources are given back on the way, so that the peak is near the
// size of the source alone.
#pragma once

#include <memory>
#include <vector>

#include "graph/build/entry_source.h"
#include "graph/build/page_region.h"

namespace tropic::building {

/// Entries whose keys lie in [low, high], in source order. Of each key, `key_bytes` bytes are
/// stored: its lowest `bits` bits and whatever was above them.
template <class Word> struct Bucket {
    Word prefix = 0; ///< the key's bits above `bits`
    Word low = 0;    ///< the bucket answers for every key from here...
    Word high = 0;   ///< ...up to and including this one
    int bits = 0;
    int key_bytes = 0;
    int value_bytes = 0;
    Index offset = 0; ///< entries in all buckets before this one
    Index count = 0;
    std::byte* begin = nullptr; ///< of its memory: whole pages
    std::byte* end = nullptr;
    std::byte* keys = nullptr;
    std::byte* values = nullptr; ///< may be changed by whoever consumes the bucket

    std::size_t bytes() const noexcept {
        return static_cast<std::size_t>(count) * static_cast<std::size_t>(key_bytes + value_bytes);
    }
};

/// Bytes that store keys of so many bits: 4, 5, 6, 8 or 16.
int stored_key_bytes(int bits) noexcept;

template <class Word> struct Buckets {
    std::unique_ptr<PageRegion> region;
    std::vector<Bucket<Word>> buckets;

    void release(const Bucket<Word>& bucket) const noexcept {
        region->release(bucket.begin, bucket.end, bucket.bytes());
    }
};

/// What the entries of a source have in common: keys in [low, high], of which the lowest `bits`
/// bits differ and the others are `prefix`; `offset` entries come before them.
template <class Word> struct KeyRange {
    Word prefix = 0;
    Word low = 0;
    Word high = 0;
    int bits = 0;
    Index offset = 0;
};

/// The source gives keys without the range's prefix.
template <class Word>
Buckets<Word> partition(EntrySource<Word>& source, const KeyRange<Word>& range, int value_bytes,
                        const Tuning& tuning, const Context& context);

extern template Buckets<std::uint64_t> partition(EntrySource<std::uint64_t>&,
                                                 const KeyRange<std::uint64_t>&, int, const Tuning&,
                                                 const Context&);
extern template Buckets<Wide> partition(EntrySource<Wide>&, const KeyRange<Wide>&, int,
                                        const Tuning&, const Context&);

/// Calls `action(std::integral_constant<int, key_bytes>)` for the widths that are stored.
template <class Action> void visit_key_bytes(int key_bytes, Action&& action) {
    switch (key_bytes) {
    case 4:
        return action(std::integral_constant<int, 4>{});
    case 5:
        return action(std::integral_constant<int, 5>{});
    case 6:
        return action(std::integral_constant<int, 6>{});
    case 8:
        return action(std::integral_constant<int, 8>{});
    default:
        return action(std::integral_constant<int, 16>{});
    }
}

/// The same for the widths of values: 0, 1, 2, 4 or 8.
template <class Action> void visit_value_bytes(int value_bytes, Action&& action) {
    switch (value_bytes) {
    case 0:
        return action(std::integral_constant<int, 0>{});
    case 1:
        return action(std::integral_constant<int, 1>{});
    case 2:
        return action(std::integral_constant<int, 2>{});
    case 4:
        return action(std::integral_constant<int, 4>{});
    default:
        return action(std::integral_constant<int, 8>{});
    }
}

/// Key `i` of those stored at `keys`, with bits above that are not its own. Keys of 5 and 6 bytes
/// are read as 8: a bucket's memory goes on behind its keys.
template <class Word, int KeyBytes> Word load_key(const std::byte* keys, Index i) noexcept {
    constexpr std::size_t wanted = KeyBytes == 4 ? 4 : KeyBytes <= 8 ? 8 : 16;
    Word word = 0;
    __builtin_memcpy(&word, keys + i * KeyBytes, std::min(wanted, sizeof(Word)));
    return word;
}

} // namespace tropic::building
