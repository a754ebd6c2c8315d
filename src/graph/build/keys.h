// Sorting keys: the coordinates of an entry, in level order, packed into one integer. All of
// building is sorting these keys, whatever the rank.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "tropic/types.h"

namespace tropic::building {

/// Keys of up to 128 bits; most tensors and all matrices with 32-bit coordinates need 64 at most.
__extension__ using Wide = unsigned __int128;

inline constexpr int widest_key = 128;

/// The lowest `bits` bits set, for 0 up to and including all of them.
template <class Word> constexpr Word low_mask(int bits) noexcept {
    if (bits <= 0) return 0;
    return static_cast<Word>(~Word{0}) >> (static_cast<int>(sizeof(Word)) * 8 - bits);
}

/// `word >> shift` that is 0 where the shift is the whole width.
template <class Word> constexpr Word shift_right(Word word, int shift) noexcept {
    return shift >= static_cast<int>(sizeof(Word)) * 8 ? Word{0} : static_cast<Word>(word >> shift);
}

/// `word << shift` that is 0 where the shift is the whole width.
template <class Word> constexpr Word shift_left(Word word, int shift) noexcept {
    return shift >= static_cast<int>(sizeof(Word)) * 8 ? Word{0} : static_cast<Word>(word << shift);
}

/// Bits that hold every number below `count`.
constexpr int bits_below(Index count) noexcept {
    return count <= 1 ? 0 : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(count - 1)));
}

/// Where each level's coordinate sits in the key; the outermost level is highest.
struct KeyLayout {
    std::vector<int> order; ///< order[level] = dimension
    std::vector<int> bits;
    std::vector<int> shift;
    int total = 0;

    KeyLayout(const std::vector<Index>& extents, const std::vector<int>& level_order)
        : order(level_order), bits(level_order.size()), shift(level_order.size()) {
        for (std::size_t level = order.size(); level-- > 0;) {
            bits[level] = bits_below(extents[order[level]]);
            shift[level] = total;
            total += bits[level];
        }
    }
};

/// How finely the work is cut. The result never depends on it; tests use tiny numbers to reach
/// every boundary.
struct Tuning {
    Index task_entries = 1 << 20;   ///< entries that one task counts and moves
    Index bucket_entries = 1 << 15; ///< aimed at: a bucket and its sorting scratch fit the L2 cache
    Index split_entries = 1 << 20;  ///< larger buckets are partitioned again, in parallel
    int most_bits = 10;             ///< at most 2^10 buckets: their write buffers fit the L2 cache
};

} // namespace tropic::building
