#include "graph/build/emit_csr.h"

#include "graph/build/sort_row.h"

namespace tropic::building {

namespace {

/// Writes values[place of entry i] to out[i].
template <class PlaceOf>
void gather_values(const Bucket<std::uint64_t>& bucket, std::byte* out, const PlaceOf& place_of) {
    visit_value_bytes(bucket.value_bytes, [&](auto width) {
        if constexpr (width > 0) {
            for (Index i = 0; i < bucket.count; ++i) {
                __builtin_memcpy(out + i * width, bucket.values + place_of(i) * width, width);
            }
        }
    });
}

/// Counts the entries of rows and sees whether columns ascend.
template <class Word> struct CountRow {
    std::uint32_t* counts;
    int col_bits;
    Word col_mask;
    Word previous = 0;
    bool ascending = true;

    void operator()(Index, Word key) {
        ++counts[static_cast<std::size_t>(key >> col_bits)];
        const Word col = key & col_mask;
        ascending &= previous <= col;
        previous = col;
    }
};

/// Puts an entry where its row goes on.
template <class Word, class Crd, int ValueBytes> struct DropEntry {
    std::uint32_t* starts;
    int col_bits;
    Word col_mask;
    Crd* crd;
    const std::byte* from;
    std::byte* to;

    void operator()(Index i, Word key) {
        const std::size_t at = starts[static_cast<std::size_t>(key >> col_bits)]++;
        crd[at] = static_cast<Crd>(key & col_mask);
        if constexpr (ValueBytes > 0) {
            __builtin_memcpy(to + at * ValueBytes, from + i * ValueBytes, ValueBytes);
        }
    }
};

} // namespace

/// One bucket's way into the arrays.
template <class Word, class Pos, class Crd> class BucketEmission {
  public:
    BucketEmission(const Bucket<std::uint64_t>& bucket, CsrTarget& target,
                   CsrEmitter::Scratch<Word>& scratch, const Context& context)
        : bucket_(bucket), target_(target), scratch_(scratch), context_(context),
          col_bits_(target.col_bits), pos_(target.pos.mutable_as<Pos>()),
          crd_(target.crd.mutable_as<Crd>().data() + bucket.offset) {
        const std::uint64_t low = bucket.low;
        first_row_ = static_cast<Index>(low >> col_bits_) +
                     ((low & low_mask<std::uint64_t>(col_bits_)) != 0 ? 1 : 0);
        const std::uint64_t last = bucket.high >> col_bits_;
        end_row_ = last >= static_cast<std::uint64_t>(target.rows) ? target.rows
                                                                   : static_cast<Index>(last) + 1;
    }

    void run() {
        if (bucket_.count == 0) return set_rows(first_row_, end_row_, 0);
        if (can_count()) count_rows();
        else walk_rows();
        handle_duplicates();
    }

  private:
    std::byte* values_out() {
        return static_cast<std::byte*>(target_.values.mutable_data()) +
               bucket_.offset * bucket_.value_bytes;
    }

    /// Rows [begin, end) that are this bucket's begin at its entry `at`.
    void set_rows(Index begin, Index end, Index at) {
        begin = std::max(begin, first_row_);
        end = std::min(end, end_row_);
        for (Index row = begin; row < end; ++row) pos_[row] = static_cast<Pos>(bucket_.offset + at);
    }

    /// Whether the bucket is whole rows, and few enough to count each.
    bool can_count() const {
        constexpr int most_row_bits = 15;
        const int row_bits = bucket_.bits - col_bits_;
        return row_bits >= 0 && row_bits <= most_row_bits &&
               (Index{1} << row_bits) <= 4 * bucket_.count;
    }

    /// Whether nearly all entries counted in `starts` are in rows that sort_row is fast on.
    bool rows_are_short() const {
        Index in_long_rows = 0;
        for (const std::uint32_t count : scratch_.starts)
            in_long_rows += count > short_row ? count : 0;
        return in_long_rows * 16 <= bucket_.count;
    }

    /// Counts the entries of each row and drops every entry into its row: the last pass of a sort
    /// writes the result itself. The columns are in order before (because they came so, or by
    /// sorting) or, where rows are short, are put in order afterwards.
    void count_rows() {
        const Index rows = Index{1} << (bucket_.bits - col_bits_);
        const auto col_mask = low_mask<Word>(col_bits_);
        scratch_.starts.assign(rows, 0);
        std::uint32_t* const starts = scratch_.starts.data();
        const bool ascending =
            for_each_key<Word>(bucket_, CountRow<Word>{starts, col_bits_, col_mask}).ascending;
        const bool rows_last = !ascending && bucket_.value_bytes == 0 && rows_are_short();
        place_rows(rows);
        if (!ascending && !rows_last) return drop_sorted();
        visit_value_bytes(bucket_.value_bytes, [&](auto width) {
            for_each_key<Word>(bucket_,
                               DropEntry<Word, Crd, width>{starts, col_bits_, col_mask, crd_,
                                                           bucket_.values, values_out()});
        });
        // What was the start of a row is now its end.
        if (rows_last) sort_rows(crd_, std::span<const std::uint32_t>(scratch_.starts));
    }

    /// Turns the counts of rows into where they start, in the scratch and in the result.
    void place_rows(Index rows) {
        auto& starts = scratch_.starts;
        const auto base = static_cast<Index>(bucket_.prefix >> col_bits_);
        set_rows(first_row_, base, 0);
        std::uint32_t sum = 0;
        for (Index row = 0; row < rows; ++row) {
            sum += std::exchange(starts[row], sum);
            if (base + row >= first_row_ && base + row < end_row_) {
                pos_[base + row] = static_cast<Pos>(bucket_.offset + starts[row]);
            }
        }
        set_rows(base + rows, end_row_, bucket_.count);
    }

    void drop_sorted() {
        std::uint32_t* const starts = scratch_.starts.data();
        const auto col_mask = low_mask<Word>(col_bits_);
        Word* const first = scratch_.words.first(bucket_.count, context_);
        bool ascending = false;
        SortedWords<Word> sorted = load_words<Word>(bucket_, first, ascending);
        sorted.words =
            sort_digits(first, bucket_.count, sorted.place_bits, sorted.place_bits + col_bits_,
                        [&] { return scratch_.words.second(bucket_.count, context_); });
        Word* const spare =
            sorted.words == first ? scratch_.words.second(bucket_.count, context_) : first;
        // Values are fetched in the order they are written, not in the order of columns.
        auto* const places = reinterpret_cast<std::uint32_t*>(spare);
        for (Index i = 0; i < bucket_.count; ++i) {
            const Word key = sorted.key(i);
            const std::uint32_t at = starts[static_cast<std::size_t>(key >> col_bits_)]++;
            crd_[at] = static_cast<Crd>(key & col_mask);
            places[at] = static_cast<std::uint32_t>(sorted.place(i));
        }
        gather_values(bucket_, values_out(), [&](Index i) { return places[i]; });
    }

    /// Sorts completely and walks through the entries: for parts of a row and for rows far more
    /// numerous than entries.
    void walk_rows() {
        const SortedWords<Word> sorted = sorted_words<Word>(bucket_, scratch_.words, context_);
        const auto col_mask = low_mask<std::uint64_t>(col_bits_);
        Index next = first_row_;
        for (Index i = 0; i < bucket_.count; ++i) {
            const auto key = bucket_.prefix | static_cast<std::uint64_t>(sorted.key(i));
            const auto row = static_cast<Index>(key >> col_bits_);
            if (next <= row) {
                set_rows(next, row + 1, i);
                next = row + 1;
            }
            crd_[i] = static_cast<Crd>(key & col_mask);
        }
        set_rows(next, end_row_, bucket_.count);
        gather_values(bucket_, values_out(), [&](Index i) { return sorted.place(i); });
    }

    void handle_duplicates() {
        if (target_.rule == Duplicates::keep && target_.repeated) return;
        // A quick look without rows: most buckets have no two equal neighbours at all.
        bool suspicious = false;
        for (Index i = 1; i < bucket_.count; ++i) suspicious |= crd_[i] == crd_[i - 1];
        if (!suspicious) return;
        visit_value(target_.values.type(),
                    [&](auto tag) { merge<typename decltype(tag)::type>(); });
    }

    /// Merges equal neighbours within rows, in place, or only looks for them.
    template <class T> void merge() {
        const bool keep = target_.rule == Duplicates::keep;
        T* values = reinterpret_cast<T*>(values_out());
        Index out = 0;
        Index overflows = 0;
        const auto take_row = [&](Index begin, Index end) {
            for (Index i = begin; i < end; ++i) {
                constexpr bool has_value = !std::is_same_v<T, NoValue>;
                if (i > begin && crd_[i] == crd_[out - 1]) {
                    if constexpr (has_value) {
                        values[out - 1] =
                            combine(target_.rule, values[out - 1], values[i], overflows);
                    }
                } else {
                    crd_[out] = crd_[i];
                    if constexpr (has_value) values[out] = values[i];
                    ++out;
                }
            }
        };
        bool found = false;
        const auto look_at_row = [&](Index begin, Index end) {
            if (!keep) return take_row(begin, end);
            for (Index i = begin + 1; i < end; ++i) found |= crd_[i] == crd_[i - 1];
        };
        Index begin = 0;
        for (Index row = first_row_; row < end_row_; ++row) {
            const Index end = static_cast<Index>(pos_[row]) - bucket_.offset;
            look_at_row(begin, end);
            if (!keep) pos_[row] = static_cast<Pos>(bucket_.offset + out);
            begin = end;
        }
        look_at_row(begin, bucket_.count);
        if (found) target_.repeated = true;
        if (overflows > 0) target_.overflows += overflows;
        if (!keep && out < bucket_.count) {
            target_.gaps.add(bucket_.offset + out, bucket_.offset + bucket_.count);
        }
    }

    const Bucket<std::uint64_t>& bucket_;
    CsrTarget& target_;
    CsrEmitter::Scratch<Word>& scratch_;
    const Context& context_;
    int col_bits_;
    std::span<Pos> pos_;
    Crd* crd_;
    Index first_row_;
    Index end_row_;
};

void CsrEmitter::emit(const Bucket<std::uint64_t>& bucket) {
    visit_index(target_.pos.type(), [&](auto pos_tag) {
        visit_index(target_.crd.type(), [&](auto crd_tag) {
            using Pos = typename decltype(pos_tag)::type;
            using Crd = typename decltype(crd_tag)::type;
            if (fits<std::uint64_t>(bucket)) {
                BucketEmission<std::uint64_t, Pos, Crd>(bucket, target_, narrow_.local(), context_)
                    .run();
            } else {
                BucketEmission<Wide, Pos, Crd>(bucket, target_, wide_.local(), context_).run();
            }
        });
    });
}

} // namespace tropic::building
