#include "graph/build/emit_coordinates.h"

namespace tropic::building {

namespace {

/// Merges words of equal keys in place; the combined value is left at the place of the word that
/// stays. Returns how many sums overflowed.
template <class T, class Sorted>
Index merge_words(Sorted& sorted, std::byte* value_bytes, Duplicates rule) {
    [[maybe_unused]] T* values = reinterpret_cast<T*>(value_bytes);
    Index out = 0;
    Index overflows = 0;
    for (Index i = 0; i < sorted.count; ++i) {
        if (out > 0 && sorted.key(out - 1) == sorted.key(i)) {
            if constexpr (!std::is_same_v<T, NoValue>) {
                T& kept = values[sorted.place(out - 1)];
                kept = combine(rule, kept, values[sorted.place(i)], overflows);
            }
        } else {
            sorted.words[out++] = sorted.words[i];
        }
    }
    sorted.count = out;
    return overflows;
}

template <class Sorted> bool has_equal_keys(const Sorted& sorted) {
    bool found = false;
    for (Index i = 1; i < sorted.count; ++i) found |= sorted.key(i - 1) == sorted.key(i);
    return found;
}

} // namespace

template <class Stored> void CoordinateEmitter<Stored>::emit(const Bucket<Stored>& bucket) {
    if (bucket.count == 0) return;
    if (fits<std::uint64_t>(bucket)) {
        emit_sorted(bucket, sorted_words<std::uint64_t>(bucket, narrow_.local(), context_));
    } else if (fits<Wide>(bucket)) {
        emit_sorted(bucket, sorted_words<Wide>(bucket, wide_.local(), context_));
    } else {
        emit_sorted(bucket, sorted_pairs(bucket, pairs_.local(), context_));
    }
}

template <class Stored>
template <class Sorted>
void CoordinateEmitter<Stored>::emit_sorted(const Bucket<Stored>& bucket, Sorted sorted) {
    if (has_equal_keys(sorted)) {
        if (target_.rule == Duplicates::keep) {
            target_.repeated = true;
        } else {
            visit_value(target_.values.type(), [&](auto tag) {
                target_.overflows +=
                    merge_words<typename decltype(tag)::type>(sorted, bucket.values, target_.rule);
            });
            target_.gaps.add(bucket.offset + sorted.count, bucket.offset + bucket.count);
        }
    }
    for (std::size_t level = 0; level < target_.coordinates.size(); ++level) {
        const int shift = target_.layout->shift[level];
        const auto mask = low_mask<Stored>(target_.layout->bits[level]);
        Array& array = target_.coordinates[level];
        visit_index(array.type(), [&](auto tag) {
            using T = typename decltype(tag)::type;
            T* out = array.template mutable_as<T>().data() + bucket.offset;
            for (Index i = 0; i < sorted.count; ++i) {
                const auto key = bucket.prefix | static_cast<Stored>(sorted.key(i));
                out[i] = static_cast<T>(shift_right(key, shift) & mask);
            }
        });
    }
    visit_value_bytes(bucket.value_bytes, [&](auto width) {
        if constexpr (width > 0) {
            auto* out =
                static_cast<std::byte*>(target_.values.mutable_data()) + bucket.offset * width;
            for (Index i = 0; i < sorted.count; ++i) {
                __builtin_memcpy(out + i * width, bucket.values + sorted.place(i) * width, width);
            }
        }
    });
}

template class CoordinateEmitter<std::uint64_t>;
template class CoordinateEmitter<Wide>;

} // namespace tropic::building
