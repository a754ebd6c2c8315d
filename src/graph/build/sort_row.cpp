#include "graph/build/sort_row.h"

#include <algorithm>
#include <limits>

namespace tropic::building {

namespace {

/// Eight numbers that are compared at once; the compiler cuts them to what the machine has.
template <class Crd> struct Lanes {
    static constexpr int count = 8;
    using Vector [[gnu::vector_size(count * sizeof(Crd))]] = Crd;
};

/// Sorts up to Blocks * 8 elements.
template <int Blocks, class Crd>
[[gnu::always_inline]] inline void sort_by_rank(Crd* row, Index count) {
    constexpr int lanes = Lanes<Crd>::count;
    using Vector = typename Lanes<Crd>::Vector;
    alignas(64) Crd elements[Blocks * lanes];
    alignas(64) Crd rank[Blocks * lanes];
    std::fill_n(elements, Blocks * lanes, std::numeric_limits<Crd>::max());
    for (Index i = 0; i < count; ++i) elements[i] = row[i];
    Vector own[Blocks];
    Vector smaller[Blocks] = {};
    __builtin_memcpy(own, elements, sizeof(own));
#pragma clang loop unroll(disable)
    for (Index j = 0; j < count; ++j) {
        const Vector one = Vector{} + elements[j];
        // A comparison that holds is -1.
        for (int b = 0; b < Blocks; ++b) smaller[b] -= one < own[b];
    }
    __builtin_memcpy(rank, smaller, sizeof(rank));
    Crd sum = 0;
    for (Index i = 0; i < count; ++i) {
        row[rank[i]] = elements[i];
        sum += rank[i];
    }
    // Equal elements have claimed the same place, and their ranks add up to less.
    if (sum == static_cast<Crd>(count * (count - 1) / 2)) return;
    std::sort(elements, elements + count);
    std::copy_n(elements, count, row);
}

template <class Crd>
[[gnu::always_inline]] inline void sort_all(Crd* crd, std::span<const std::uint32_t> ends) {
    Index begin = 0;
    for (const std::uint32_t end : ends) {
        Crd* const row = crd + begin;
        const Index count = end - begin;
        begin = end;
        if (count < 2) continue;
        if (count <= 8) sort_by_rank<1>(row, count);
        else if (count <= 16) sort_by_rank<2>(row, count);
        else if (count <= 24) sort_by_rank<3>(row, count);
        else if (count <= short_row) sort_by_rank<4>(row, count);
        else std::sort(row, row + count);
    }
}

#ifdef __x86_64__
[[gnu::target("avx2")]] void sort_all_avx2(std::int32_t* crd, std::span<const std::uint32_t> ends) {
    sort_all(crd, ends);
}
const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
#endif

} // namespace

void sort_rows(std::int32_t* crd, std::span<const std::uint32_t> ends) {
#ifdef __x86_64__
    if (has_avx2) return sort_all_avx2(crd, ends);
#endif
    sort_all(crd, ends);
}

void sort_rows(std::int64_t* crd, std::span<const std::uint32_t> ends) {
    sort_all(crd, ends);
}

} // namespace tropic::building
