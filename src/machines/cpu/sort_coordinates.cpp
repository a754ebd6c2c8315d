// The coordinates of a row in order. They are distinct and bounded, which three ways use: short
// rows are sorted by counting smaller ones, rows that fill a good part of their range by marking
// bits and reading them back, and the others by digits.
#include <algorithm>
#include <array>
#include <bit>

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "graph/build/sort_row.h"
#include "machines/cpu/loops.h"

namespace tropic::cpu {

namespace {

constexpr int digit_bits = 11;
constexpr std::size_t digit_values = std::size_t{1} << digit_bits;

/// From here on sorting by digits beats comparing.
constexpr std::int64_t many = 512;

/// Reading a word of empty bits costs about a quarter of sorting one more coordinate.
constexpr std::int64_t words_per_coordinate = 4;

#ifdef __x86_64__
const bool has_avx512 = __builtin_cpu_supports("avx512f") != 0;

/// Up to Vectors * 16 coordinates that all differ, each put where the number of smaller ones says.
template <int Vectors>
[[gnu::target("avx512f")]] void sort_by_counting(std::int32_t* coordinates, std::int64_t count) {
    constexpr std::int64_t lanes = 16;
    __m512i own[Vectors];
    __m512i smaller[Vectors];
    __mmask16 inside[Vectors];
    for (int v = 0; v < Vectors; ++v) {
        const std::int64_t left = std::clamp<std::int64_t>(count - v * lanes, 0, lanes);
        inside[v] = static_cast<__mmask16>((1U << left) - 1);
        own[v] = _mm512_maskz_loadu_epi32(inside[v], coordinates + v * lanes);
        smaller[v] = _mm512_setzero_si512();
    }
    const __m512i one = _mm512_set1_epi32(1);
    for (std::int64_t i = 0; i < count; ++i) {
        const __m512i other = _mm512_set1_epi32(coordinates[i]);
        for (int v = 0; v < Vectors; ++v) {
            const __mmask16 less = _mm512_cmplt_epi32_mask(other, own[v]);
            smaller[v] = _mm512_mask_add_epi32(smaller[v], less, smaller[v], one);
        }
    }
    for (int v = 0; v < Vectors; ++v) {
        _mm512_mask_i32scatter_epi32(coordinates, inside[v], smaller[v], own[v], 4);
    }
}
#endif

/// The coordinates of a row, of which there are no two.
template <class I> void sort_short(I* coordinates, std::int64_t count) {
#ifdef __x86_64__
    if constexpr (sizeof(I) == sizeof(std::int32_t)) {
        if (has_avx512) {
            if (count <= 16) return sort_by_counting<1>(coordinates, count);
            return sort_by_counting<2>(coordinates, count);
        }
    }
#endif
    const auto end = static_cast<std::uint32_t>(count);
    building::sort_rows(coordinates, {&end, 1});
}

template <class T>
void sort_by_bits(T* coordinates, std::int64_t count, std::int64_t words, std::uint64_t* bits) {
    for (std::int64_t i = 0; i < count; ++i) {
        const auto c = static_cast<std::uint64_t>(coordinates[i]);
        bits[c / 64] |= std::uint64_t{1} << (c % 64);
    }
    T* out = coordinates;
    for (std::int64_t w = 0; w < words; ++w) {
        std::uint64_t word = bits[w];
        if (word == 0) continue;
        bits[w] = 0;
        const T base = static_cast<T>(w * 64);
        for (; word != 0; word &= word - 1) *out++ = base + static_cast<T>(std::countr_zero(word));
    }
}

template <class T>
void sort_by_digits(T* coordinates, std::int64_t count, std::int64_t size, T* scratch) {
    const auto bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(size - 1)));
    T* source = coordinates;
    T* target = scratch;
    for (int shift = 0; shift < bits; shift += digit_bits) {
        const auto digit_of = [=](T c) {
            return static_cast<std::uint64_t>(c) >> shift & (digit_values - 1);
        };
        std::array<std::uint32_t, digit_values> places{};
        for (std::int64_t i = 0; i < count; ++i) ++places[digit_of(source[i])];
        std::uint32_t sum = 0;
        for (std::uint32_t& place : places) sum += std::exchange(place, sum);
        for (std::int64_t i = 0; i < count; ++i) target[places[digit_of(source[i])]++] = source[i];
        std::swap(source, target);
    }
    if (source != coordinates) std::copy_n(source, count, coordinates);
}

template <class T>
void sort(Worker& worker, T* coordinates, std::int64_t count, std::int64_t size) {
    static_assert(building::short_row == 32);
    if (count <= building::short_row) return sort_short(coordinates, count);
    if (const std::int64_t words = (size + 63) / 64; words <= words_per_coordinate * count) {
        auto* const bits =
            static_cast<std::uint64_t*>(worker.sort_bits.reserve(words * 8, worker.context));
        return sort_by_bits(coordinates, count, words, bits);
    }
    if (count < many || count > std::numeric_limits<std::uint32_t>::max()) {
        std::sort(coordinates, coordinates + count);
        return;
    }
    auto* const scratch = static_cast<T*>(
        worker.sort_words.reserve(count * static_cast<std::int64_t>(sizeof(T)), worker.context));
    sort_by_digits(coordinates, count, size, scratch);
}

} // namespace

void sort_coordinates(Worker* worker, void* coordinates, std::int64_t count, std::int64_t size) {
    if (count < 2) return;
    if (worker->wide) sort(*worker, static_cast<std::int64_t*>(coordinates), count, size);
    else sort(*worker, static_cast<std::int32_t*>(coordinates), count, size);
}

} // namespace tropic::cpu
