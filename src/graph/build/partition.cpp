#include "graph/build/partition.h"

#include <array>
#include <cstring>
#include <span>
#include <utility>

#include "support/memory.h"
#include "support/parallel.h"
#include "tropic/error.h"

namespace tropic::building {

int stored_key_bytes(int bits) noexcept {
    if (bits <= 32) return 4;
    if (bits <= 40) return 5;
    if (bits <= 48) return 6;
    return bits <= 64 ? 8 : 16;
}

namespace {

constexpr Index chunk = 1024; ///< keys made at a time: they stay in the L1 cache

/// Entries [begin, end) of a piece.
struct Segment {
    Index piece;
    Index begin;
    Index end;
};

using Task = std::vector<Segment>;

/// Cuts long pieces and groups short ones. Never more than about a thousand tasks, because each
/// has a counter for every bucket.
template <class Word>
std::vector<Task> tasks_of(const EntrySource<Word>& source, Index entries, const Tuning& tuning) {
    const Index target = std::max(tuning.task_entries, entries / 512);
    std::vector<Task> tasks(1);
    Index filled = 0;
    for (Index piece = 0; piece < source.pieces(); ++piece) {
        const Index size = source.piece_size(piece);
        for (Index begin = 0; begin < size;) {
            if (filled == target) {
                tasks.emplace_back();
                filled = 0;
            }
            const Index end = std::min(size, begin + target - filled);
            tasks.back().push_back({piece, begin, end});
            filled += end - begin;
            begin = end;
        }
    }
    return tasks;
}

/// Calls `action(piece, begin, keys)` for chunks of the task's entries in order.
template <class Word, class Action>
void for_each_chunk(const EntrySource<Word>& source, const Task& task, const Action& action) {
    std::array<Word, chunk> keys;
    for (const Segment& segment : task) {
        for (Index begin = segment.begin; begin < segment.end; begin += chunk) {
            const Index count = std::min(chunk, segment.end - begin);
            source.keys(segment.piece, begin, count, keys.data());
            action(segment.piece, begin, std::span<const Word>(keys.data(), count));
        }
    }
}

/// Moves the entries of one task. They are gathered in a buffer of about one cache line for each
/// bucket, so that memory is written in whole lines instead of single entries.
template <class Word, int KeyBytes, int ValueBytes> class Mover {
    static constexpr std::size_t capacity = 64 / KeyBytes;
    static constexpr std::size_t value_line = capacity * ValueBytes;

  public:
    /// `starts[b]` is the place in bucket b where the task begins.
    Mover(const std::vector<Bucket<Word>>& buckets, std::span<const Index> starts, int shift)
        : count_(buckets.size()), shift_(shift),
          lines_(std::make_unique_for_overwrite<Line[]>(count_)),
          values_(std::make_unique_for_overwrite<std::byte[]>(count_ * value_line)),
          targets_(std::make_unique_for_overwrite<Target[]>(count_)), filled_(count_) {
        for (std::size_t b = 0; b < count_; ++b) {
            targets_[b] = {buckets[b].keys + starts[b] * KeyBytes,
                           buckets[b].values + starts[b] * ValueBytes};
        }
    }

    void move(const EntrySource<Word>& source, const Task& task) {
        for_each_chunk(source, task, [&](Index piece, Index begin, std::span<const Word> keys) {
            const std::byte* values = nullptr;
            if constexpr (ValueBytes > 0) values = source.values(piece) + begin * ValueBytes;
            put(keys, values);
        });
        for (std::size_t b = 0; b < count_; ++b) flush(b, filled_[b]);
    }

  private:
    struct alignas(64) Line {
        std::byte bytes[64];
    };
    struct Target {
        std::byte* keys;
        std::byte* values;
    };

    void put(std::span<const Word> keys, const std::byte* values) {
        // Stores of bytes may change anything but local variables, so everything is one.
        Line* const lines = lines_.get();
        std::byte* const value_lines = values_.get();
        std::uint8_t* const filled = filled_.data();
        const int shift = shift_;
        const Word mask = count_ - 1;
        const Word* const first = keys.data();
        const std::size_t count = keys.size();
        for (std::size_t i = 0; i < count; ++i) {
            const Word key = first[i];
            const auto b = static_cast<std::size_t>((key >> shift) & mask);
            const std::size_t at = filled[b];
            // Keys of 5 and 6 bytes are written as 8: the next key overwrites what is too much.
            constexpr std::size_t stored = KeyBytes == 4 ? 4 : KeyBytes <= 8 ? 8 : 16;
            __builtin_memcpy(lines[b].bytes + at * KeyBytes, &key, stored);
            if constexpr (ValueBytes > 0) {
                __builtin_memcpy(value_lines + b * value_line + at * ValueBytes,
                                 values + i * ValueBytes, ValueBytes);
            }
            filled[b] = static_cast<std::uint8_t>(at + 1);
            if (at + 1 == capacity) {
                flush(b, capacity);
                filled[b] = 0;
                // By the time the next line is full, the memory it goes to should be in the cache.
                __builtin_prefetch(targets_[b].keys + 63, 1);
                if constexpr (ValueBytes > 0) {
                    __builtin_prefetch(targets_[b].values + value_line - 1, 1);
                }
            }
        }
    }

    /// Inlined twice: with the constant capacity the copies are a few vector moves.
    [[gnu::always_inline]] void flush(std::size_t b, Index count) {
        Target& target = targets_[b];
        std::memcpy(target.keys, lines_[b].bytes, count * KeyBytes);
        target.keys += count * KeyBytes;
        if constexpr (ValueBytes > 0) {
            std::memcpy(target.values, &values_[b * value_line], count * ValueBytes);
            target.values += count * ValueBytes;
        }
    }

    std::size_t count_;
    int shift_;
    std::unique_ptr<Line[]> lines_;
    std::unique_ptr<std::byte[]> values_;
    std::unique_ptr<Target[]> targets_;
    std::vector<std::uint8_t> filled_;
};

/// The buckets' key ranges; the outer ones reach to the ends of the range, so that together they
/// answer for all of it.
template <class Word>
std::vector<Bucket<Word>> bucket_ranges(const KeyRange<Word>& range, int bucket_bits,
                                        int value_bytes) {
    std::vector<Bucket<Word>> buckets(std::size_t{1} << bucket_bits);
    const int bits = range.bits - bucket_bits;
    for (std::size_t b = 0; b < buckets.size(); ++b) {
        Bucket<Word>& bucket = buckets[b];
        bucket.prefix = range.prefix | shift_left(static_cast<Word>(b), bits);
        bucket.low = b == 0 ? range.low : bucket.prefix;
        bucket.high = b + 1 == buckets.size() ? range.high : (bucket.prefix | low_mask<Word>(bits));
        bucket.bits = bits;
        bucket.key_bytes = stored_key_bytes(bits);
        bucket.value_bytes = value_bytes;
    }
    return buckets;
}

/// Where in its first page a bucket begins. Buckets fill at much the same pace: if all began on a
/// page boundary, the lines being written would compete for the same few sets of the cache.
std::size_t stagger(std::size_t bucket) {
    return bucket * 5 % 64 * 64;
}

/// Lays the buckets out in the region, each on pages of its own, and turns the tasks' counts into
/// the place in the bucket where each task begins.
template <class Word>
Buckets<Word> lay_out(std::vector<Bucket<Word>> buckets, std::vector<Index>& counts, Index first,
                      const Context& context) {
    const std::size_t tasks = counts.size() / buckets.size();
    std::size_t bytes = 0;
    for (std::size_t b = 0; b < buckets.size(); ++b) {
        Bucket<Word>& bucket = buckets[b];
        for (std::size_t task = 0; task < tasks; ++task) {
            Index& count = counts[task * buckets.size() + b];
            bucket.count += std::exchange(count, bucket.count);
        }
        bucket.offset = first;
        first += bucket.count;
        bytes += PageRegion::round_up(stagger(b) + bucket.bytes() + 64);
    }
    Buckets<Word> result{std::make_unique<PageRegion>(bytes, context), std::move(buckets)};
    std::byte* at = result.region->data();
    for (std::size_t b = 0; b < result.buckets.size(); ++b) {
        Bucket<Word>& bucket = result.buckets[b];
        bucket.begin = at;
        bucket.keys = at + stagger(b);
        const auto keys = static_cast<std::size_t>(bucket.count * bucket.key_bytes);
        bucket.values = bucket.keys + (keys + 63) / 64 * 64;
        at += PageRegion::round_up(stagger(b) + bucket.bytes() + 64);
        bucket.end = at;
    }
    return result;
}

} // namespace

template <class Word>
Buckets<Word> partition(EntrySource<Word>& source, const KeyRange<Word>& range, int value_bytes,
                        const Tuning& tuning, const Context& context) {
    const Index entries = source.entries();
    const int wanted = bits_below((entries + tuning.bucket_entries - 1) / tuning.bucket_entries);
    const int bucket_bits = std::min({wanted, tuning.most_bits, range.bits});
    const int shift = bucket_bits == 0 ? 0 : range.bits - bucket_bits;
    std::vector<Bucket<Word>> ranges = bucket_ranges(range, bucket_bits, value_bytes);

    const std::vector<Task> tasks = tasks_of(source, entries, tuning);
    const std::size_t width = ranges.size();
    const MemoryCharge charge(context.budget(), tasks.size() * width * sizeof(Index),
                              "counting entries");
    std::vector<Index> counts(tasks.size() * width);
    parallel_each(context, static_cast<Index>(tasks.size()), [&](Index t) {
        context.check_cancelled();
        Index* count = &counts[t * width];
        for_each_chunk(source, tasks[t], [&](Index piece, Index begin, std::span<const Word> keys) {
            source.check(piece, begin, static_cast<Index>(keys.size()));
            for (const Word key : keys)
                ++count[static_cast<std::size_t>(key >> shift) & (width - 1)];
        });
    });
    Buckets<Word> result = lay_out(std::move(ranges), counts, range.offset, context);

    std::vector<std::atomic<Index>> left(source.pieces());
    for (Index piece = 0; piece < source.pieces(); ++piece) left[piece] = source.piece_size(piece);
    std::atomic<Index> done{0};
    const int key_bytes = result.buckets[0].key_bytes;
    parallel_each(context, static_cast<Index>(tasks.size()), [&](Index t) {
        context.check_cancelled();
        Index moved = 0;
        for (const Segment& segment : tasks[t]) moved += segment.end - segment.begin;
        result.region->charge(static_cast<std::size_t>(moved * (key_bytes + value_bytes)));
        visit_key_bytes(key_bytes, [&](auto key_width) {
            visit_value_bytes(value_bytes, [&](auto value_width) {
                if constexpr (key_width > 8 && sizeof(Word) == 8) return;
                else
                    Mover<Word, key_width, value_width>(
                        result.buckets, std::span<const Index>(&counts[t * width], width), shift)
                        .move(source, tasks[t]);
            });
        });
        for (const Segment& segment : tasks[t]) {
            const Index size = segment.end - segment.begin;
            if (left[segment.piece].fetch_sub(size) == size) source.release(segment.piece);
        }
        context.report("sorting entries", done += moved, entries);
    });
    return result;
}

template Buckets<std::uint64_t> partition(EntrySource<std::uint64_t>&,
                                          const KeyRange<std::uint64_t>&, int, const Tuning&,
                                          const Context&);
template Buckets<Wide> partition(EntrySource<Wide>&, const KeyRange<Wide>&, int, const Tuning&,
                                 const Context&);

} // namespace tropic::building
