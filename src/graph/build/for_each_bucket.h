// Consumes the buckets of a partition in parallel and frees each behind it. Buckets that came out
// too large (a star's centre, a file with all entries in one row) are partitioned again, so that
// skew costs one more pass over the entries concerned and never the parallelism.
#pragma once

#include "graph/build/partition.h"
#include "support/parallel.h"

namespace tropic::building {

/// A large bucket as the source of its own partition. Its memory is given back in pieces.
template <class Word> class BucketSource final : public EntrySource<Word> {
  public:
    /// `mask` cuts the bits that all keys have in common.
    BucketSource(const Bucket<Word>& bucket, PageRegion& region, Word mask, Index piece_entries)
        : bucket_(bucket), region_(region), mask_(mask), piece_entries_(piece_entries) {}

    Index pieces() const override { return (bucket_.count + piece_entries_ - 1) / piece_entries_; }
    Index piece_size(Index piece) const override {
        return std::min(piece_entries_, bucket_.count - piece * piece_entries_);
    }
    void keys(Index piece, Index begin, Index count, Word* out) const override {
        visit_key_bytes(bucket_.key_bytes, [&](auto key_bytes) {
            const Index first = piece * piece_entries_ + begin;
            for (Index i = 0; i < count; ++i) {
                out[i] = load_key<Word, key_bytes>(bucket_.keys, first + i) & mask_;
            }
        });
    }
    const std::byte* values(Index piece) const override {
        return bucket_.values + piece * piece_entries_ * bucket_.value_bytes;
    }
    void release(Index piece) override {
        const auto give_back = [&](std::byte* data, int width) {
            std::byte* begin = data + piece * piece_entries_ * width;
            const auto bytes = static_cast<std::size_t>(piece_size(piece) * width);
            region_.release(begin, begin + bytes, bytes);
        };
        give_back(bucket_.keys, bucket_.key_bytes);
        give_back(bucket_.values, bucket_.value_bytes);
    }

  private:
    const Bucket<Word>& bucket_;
    PageRegion& region_;
    Word mask_;
    Index piece_entries_;
};

/// The keys of a bucket as a range without the bits that all of them share.
template <class Word> KeyRange<Word> narrowed(const Bucket<Word>& bucket, const Context& context) {
    const Word mask = low_mask<Word>(bucket.bits);
    Word first = 0;
    Word varying = 0;
    visit_key_bytes(bucket.key_bytes, [&](auto key_bytes) {
        first = load_key<Word, key_bytes>(bucket.keys, 0) & mask;
        varying = parallel_combine(
            context, bucket.count, 1 << 18, Word{0},
            [&](Index begin, Index end) {
                Word differs = 0;
                for (Index i = begin; i < end; ++i) {
                    differs |= load_key<Word, key_bytes>(bucket.keys, i) ^ first;
                }
                return differs & mask;
            },
            [](Word a, Word b) { return a | b; });
    });
    int bits = 0;
    while (shift_right(varying, bits) != 0) ++bits;
    const Word shared = bucket.prefix | (first & ~low_mask<Word>(bits));
    return {shared, bucket.low, bucket.high, bits, bucket.offset};
}

template <class Word, class Consume>
void for_each_bucket(const Buckets<Word>& parts, const Tuning& tuning, const Context& context,
                     const Consume& consume) {
    std::atomic<Index> done{0};
    Index total = 0;
    std::vector<const Bucket<Word>*> large;
    for (const auto& bucket : parts.buckets) {
        total += bucket.count;
        if (bucket.count > tuning.split_entries && bucket.bits > 0) large.push_back(&bucket);
    }
    const auto finish = [&](const Bucket<Word>& bucket) {
        consume(bucket);
        parts.release(bucket);
        if (bucket.count == 0) return;
        context.report("building", done += bucket.count, total);
    };
    parallel_each(context, static_cast<Index>(parts.buckets.size()), [&](Index b) {
        const auto& bucket = parts.buckets[b];
        if (bucket.count > tuning.split_entries && bucket.bits > 0) return;
        context.check_cancelled();
        finish(bucket);
    });
    for (const Bucket<Word>* bucket : large) {
        const KeyRange<Word> range = narrowed(*bucket, context);
        if (range.bits == 0) {
            finish(*bucket);
            continue;
        }
        BucketSource<Word> source(*bucket, *parts.region, low_mask<Word>(range.bits),
                                  std::max<Index>(tuning.task_entries / 4, 1));
        const auto inner = partition<Word>(source, range, bucket->value_bytes, tuning, context);
        for_each_bucket(inner, tuning, context, consume);
        context.report("building", done += bucket->count, total);
    }
}

} // namespace tropic::building
