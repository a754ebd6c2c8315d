// Sorting inside one bucket: words of key and place in the bucket, by least significant digit. The
// place makes every sort stable and finds the values afterwards, so that values of any width cost
// the sort nothing.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
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
        constexpr Index units = sizeof(Word) / 8; // elements of uint64
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

/// An entry whose key leaves no room for its place in one word.
struct KeyAndPlace {
    Wide key;
    Index place;
};

/// The entries of a bucket as pairs, seen as `SortedWords` are.
struct SortedPairs {
    KeyAndPlace* words = nullptr;
    Index count = 0;

    Wide key(Index i) const noexcept { return words[i].key; }
    Index place(Index i) const noexcept { return words[i].place; }
};

inline constexpr int digit_bits = 11;
inline constexpr int digit_values = 1 << digit_bits;

using DigitCounts = std::array<std::uint32_t, digit_values>;

/// Counts `Digits` digits of `width` bits each in one reading.
template <int Digits, class Word>
void count_digits(const Word* words, Index count, int shift, int width, DigitCounts* counts) {
    const Word mask = low_mask<Word>(width);
    for (int digit = 0; digit < Digits; ++digit) {
        std::fill_n(counts[digit].begin(), Index{1} << width, 0u);
    }
    for (Index i = 0; i < count; ++i) {
        Word rest = words[i] >> shift;
        for (int digit = 0; digit < Digits; ++digit) {
            ++counts[digit][static_cast<std::size_t>(rest & mask)];
            rest >>= width;
        }
    }
}

/// Sorts by bits [from, to) and returns where the result is: in `words` or in `scratch()`. The last
/// digit of a group may reach a little higher; whoever calls has nothing there, or sorts by it
/// next.
template <class Word, class Scratch>
Word* sort_digits(Word* words, Index count, int from, int to, const Scratch& scratch) {
    const int passes = (to - from + digit_bits - 1) / digit_bits;
    if (passes == 0 || count < 2) return words;
    std::array<DigitCounts, 3> counts;
    Word* source = words;
    Word* target = nullptr;
    for (int done = 0; done < passes; done += 3) {
        // The bits left are shared out evenly among the passes left.
        const int group = std::min(3, passes - done);
        const int first = from + (to - from) * done / passes;
        const int last = from + (to - from) * (done + group) / passes;
        const int width = (last - first + group - 1) / group;
        if (group == 3) count_digits<3>(source, count, first, width, counts.data());
        else if (group == 2) count_digits<2>(source, count, first, width, counts.data());
        else count_digits<1>(source, count, first, width, counts.data());
        const Word mask = low_mask<Word>(width);
        for (int pass = 0; pass < group; ++pass) {
            std::uint32_t* const places = counts[pass].data();
            const int shift = first + pass * width;
            const auto digit_of = [=](Word word) {
                return static_cast<std::size_t>((word >> shift) & mask);
            };
            if (places[digit_of(source[0])] == static_cast<std::uint32_t>(count)) continue;
            std::uint32_t sum = 0;
            for (Index digit = 0; digit < Index{1} << width; ++digit) {
                sum += std::exchange(places[digit], sum);
            }
            if (target == nullptr) target = scratch();
            for (Index i = 0; i < count; ++i) {
                const Word word = source[i];
                target[places[digit_of(word)]++] = word;
            }
            std::swap(source, target);
        }
    }
    return source;
}

/// Calls action(i, key) for the stored keys of a bucket in order and returns the action. It is
/// copied where it is used, so that its members live in registers: as members of an object in
/// memory, every store of an entry might change them.
template <class Word, class Stored, class Action>
Action for_each_key(const Bucket<Stored>& bucket, Action action) {
    visit_key_bytes(bucket.key_bytes, [&](auto key_bytes) {
        Action local = action;
        const auto mask = low_mask<Stored>(bucket.bits);
        const std::byte* const keys = bucket.keys;
        const Index count = bucket.count;
        for (Index i = 0; i < count; ++i) {
            local(i, static_cast<Word>(load_key<Stored, key_bytes>(keys, i) & mask));
        }
        action = local;
    });
    return action;
}

/// Writes words and sees whether their keys ascend.
template <class Word> struct LoadWord {
    Word* out;
    int place_bits;
    Word place_mask;
    Word previous = 0;
    bool ascending = true;

    void operator()(Index i, Word key) {
        out[i] = key << place_bits | (static_cast<Word>(i) & place_mask);
        ascending &= previous <= key;
        previous = key;
    }
};

struct LoadPair {
    KeyAndPlace* out;

    void operator()(Index i, Wide key) { out[i] = {key, i}; }
};

/// Bits that tell a bucket's places apart, as far as anybody asks for them.
template <class Stored> int place_bits_of(const Bucket<Stored>& bucket) noexcept {
    return bucket.value_bytes == 0 ? 0 : bits_below(bucket.count);
}

/// Whether key and place fit one word.
template <class Word, class Stored> bool fits(const Bucket<Stored>& bucket) noexcept {
    return bucket.bits + place_bits_of(bucket) <= static_cast<int>(sizeof(Word)) * 8;
}

/// Loads a bucket's words in the order they are stored; `ascending` becomes whether they are
/// sorted.
template <class Word, class Stored>
SortedWords<Word> load_words(const Bucket<Stored>& bucket, Word* out, bool& ascending) {
    assert(fits<Word>(bucket));
    const int place_bits = place_bits_of(bucket);
    const auto loaded =
        for_each_key<Word>(bucket, LoadWord<Word>{out, place_bits, low_mask<Word>(place_bits)});
    ascending = loaded.ascending;
    return {out, bucket.count, place_bits};
}

/// All of a bucket's words in ascending order; equal keys in source order.
template <class Word, class Stored>
SortedWords<Word> sorted_words(const Bucket<Stored>& bucket, SortScratch<Word>& scratch,
                               const Context& context) {
    bool ascending = false;
    SortedWords<Word> sorted =
        load_words<Word>(bucket, scratch.first(bucket.count, context), ascending);
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

/// The same where key and place fit no word. Keys that wide are rare: comparing them is fast
/// enough.
template <class Stored>
SortedPairs sorted_pairs(const Bucket<Stored>& bucket, SortScratch<KeyAndPlace>& scratch,
                         const Context& context) {
    KeyAndPlace* const pairs = scratch.first(bucket.count, context);
    for_each_key<Wide>(bucket, LoadPair{pairs});
    std::sort(pairs, pairs + bucket.count, [](const KeyAndPlace& a, const KeyAndPlace& b) {
        return a.key != b.key ? a.key < b.key : a.place < b.place;
    });
    return {pairs, bucket.count};
}

} // namespace tropic::building
