// Sorting inside one bucket: words of key and place in the bucket, by least significant digit. The
// place makes every sort stable and finds the values afterwards, so that values of any width cost
// the sort nothing.
#pragma once

#include <algorithm>
#include <array>
#include <span>

#include "graph/build/partition.h"
#include "support/memory.h"
#include "tropic/array.h"

namespace tropic::building {

/// Two arrays of words that are kept from bucket to bucket.
template <class Word> class SortScratch {
  public:
    Word* first(Index count, const Context& context) { return grown(first_, count, context); }
    Word* second(Index count, const Context& context) { return grown(second_, count, context); }

  private:
    static Word* grown(Array& array, Index count, const Context& context) {
        constexpr Index units = sizeof(Word) / sizeof(std::uint64_t);
        if (array.size() < count * units) {
            array = {};
            array = Array::allocate(ElementType::uint64, (count + count / 4) * units, context,
                                    "sorting entries");
        }
        return static_cast<Word*>(array.mutable_data());
    }

    Array first_;
    Array second_;
};

/// The entries of a bucket as words: the stored key above `place_bits` bits of the place in the
/// bucket (none if there are no values: equal entries are the same then).
template <class Word> struct SortedWords {
    Word* words = nullptr;
    Index count = 0;
    int place_bits = 0;

    Word key(Index i) const noexcept { return words[i] >> place_bits; }
    Index place(Index i) const noexcept {
        return static_cast<Index>(words[i] & low_mask<Word>(place_bits));
    }
};

inline constexpr int digit_bits = 11;
inline constexpr int digit_values = 1 << digit_bits;

/// Sorts by bits [from, to) and returns where the result is: in `words` or in `scratch()`.
template <class Word, class Scratch>
Word* sort_digits(Word* words, Index count, int from, int to, const Scratch& scratch) {
    constexpr int most_passes = (widest_key + 31 + digit_bits) / digit_bits;
    const int passes = std::max(1, (to - from + digit_bits - 1) / digit_bits);
    const int width = (to - from + passes - 1) / passes;
    if (width == 0 || count < 2) return words;
    const Word mask = low_mask<Word>(width);
    if (passes > most_passes) return words;

    // Histograms of four digits at a time: reading once for several passes.
    std::array<std::array<std::uint32_t, digit_values>, 4> counts;
    Word* source = words;
    Word* target = nullptr;
    for (int group = 0; group < passes; group += 4) {
        const int in_group = std::min(4, passes - group);
        const int first_shift = from + group * width;
        for (int pass = 0; pass < in_group; ++pass) {
            std::fill_n(counts[pass].begin(), Index{1} << width, 0u);
        }
        for (Index i = 0; i < count; ++i) {
            Word rest = source[i] >> first_shift;
            for (int pass = 0; pass < in_group; ++pass) {
                // The last digit may reach above `to`, where there is nothing but zeros.
                ++counts[pass][static_cast<std::size_t>(rest & mask)];
                rest >>= width;
            }
        }
        for (int pass = 0; pass < in_group; ++pass) {
            auto& count_of = counts[pass];
            const int shift = first_shift + pass * width;
            const auto digit_of = [&](Word word) {
                return static_cast<std::size_t>((word >> shift) & mask);
            };
            if (count_of[digit_of(source[0])] == static_cast<std::uint32_t>(count)) continue;
            std::uint32_t sum = 0;
            for (Index digit = 0; digit < Index{1} << width; ++digit) {
                sum += std::exchange(count_of[digit], sum);
            }
            if (target == nullptr) target = scratch();
            for (Index i = 0; i < count; ++i) {
                const Word word = source[i];
                target[count_of[digit_of(word)]++] = word;
            }
            std::swap(source, target);
        }
    }
    return source;
}

/// Loads a bucket's words in the order they are stored. `action(i, key)` sees every key.
template <class Word, class Stored, class Action>
SortedWords<Word> load_words(const Bucket<Stored>& bucket, Word* out, const Action& action) {
    const int place_bits = bucket.value_bytes == 0 ? 0 : bits_below(bucket.count);
    visit_key_bytes(bucket.key_bytes, [&](auto key_bytes) {
        const auto mask = low_mask<Stored>(bucket.bits);
        for (Index i = 0; i < bucket.count; ++i) {
            const auto key = static_cast<Word>(load_key<Stored, key_bytes>(bucket.keys, i) & mask);
            action(i, key);
            out[i] = place_bits == 0 ? key : key << place_bits | static_cast<Word>(i);
        }
    });
    return {out, bucket.count, place_bits};
}

/// Whether key and place fit 64 bits.
template <class Stored> bool fits_64(const Bucket<Stored>& bucket) noexcept {
    return bucket.bits + (bucket.value_bytes == 0 ? 0 : bits_below(bucket.count)) <= 64;
}

/// All of a bucket's words in ascending order; equal keys in source order.
template <class Word, class Stored>
SortedWords<Word> sorted_words(const Bucket<Stored>& bucket, SortScratch<Word>& scratch,
                               const Context& context) {
    bool ascending = true;
    Word previous = 0;
    SortedWords<Word> sorted =
        load_words<Word>(bucket, scratch.first(bucket.count, context), [&](Index, Word key) {
            ascending &= previous <= key;
            previous = key;
        });
    if (ascending) return sorted;
    constexpr Index few = 256;
    if (bucket.count <= few) {
        // Words are distinct, or equal ones are interchangeable: any sort is stable here.
        std::sort(sorted.words, sorted.words + sorted.count);
    } else {
        sorted.words = sort_digits(sorted.words, sorted.count, sorted.place_bits,
                                   sorted.place_bits + bucket.bits,
                                   [&] { return scratch.second(bucket.count, context); });
    }
    return sorted;
}

} // namespace tropic::building
