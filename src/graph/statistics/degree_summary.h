// Minimum, maximum, median, mean and histogram of degrees, in parallel passes over them without a
// copy.
#pragma once

#include <array>
#include <bit>

#include "support/parallel.h"
#include "tropic/statistics.h"

namespace tropic {

inline constexpr Index degree_grain = 1 << 16;

/// How many of `degree(0)` to `degree(count - 1)` fall into each of N buckets; `bucket_of` gives -1
/// for none.
template <std::size_t N, class Degree, class Bucket>
std::array<Index, N> count_degrees(const Context& context, Index count, const Degree& degree,
                                   const Bucket& bucket_of) {
    using Counts = std::array<Index, N>;
    return parallel_combine(
        context, count, degree_grain, Counts{},
        [&](Index begin, Index end) {
            Counts counts{};
            for (Index v = begin; v < end; ++v) {
                const Index bucket = bucket_of(degree(v));
                if (bucket >= 0) ++counts[bucket];
            }
            return counts;
        },
        [](Counts a, const Counts& b) {
            for (std::size_t k = 0; k < N; ++k) a[k] += b[k];
            return a;
        });
}

/// The degree with `rank` smaller ones before it among those in [low, low + width), by narrowing
/// the interval 256-fold in every pass.
template <class Degree>
Index select_degree(const Context& context, Index count, Index low, Index width, Index rank,
                    const Degree& degree) {
    while (width > 1) {
        const Index step = (width + 255) / 256;
        const auto counts = count_degrees<256>(context, count, degree, [&](Index d) {
            return d >= low && d - low < width ? (d - low) / step : Index{-1};
        });
        Index bucket = 0;
        while (rank >= counts[bucket]) rank -= counts[bucket++];
        low += bucket * step;
        width = std::min(step, width - bucket * step);
    }
    return low;
}

/// Summarises `degree(0)` to `degree(count - 1)` and `further_zeros` more of degree 0. The median
/// is the lower of the two middle ones.
template <class Degree>
DegreeSummary summarise_degrees(const Context& context, Index count, Index further_zeros,
                                const Degree& degree) {
    struct Extremes {
        Index min = std::numeric_limits<Index>::max();
        Index max = 0;
        Index sum = 0;
    };
    DegreeSummary summary;
    const Index total = count + further_zeros;
    if (total == 0) return summary;
    const Extremes extremes = parallel_combine(
        context, count, degree_grain, Extremes{},
        [&](Index begin, Index end) {
            Extremes piece;
            for (Index v = begin; v < end; ++v) {
                const Index d = degree(v);
                piece.min = std::min(piece.min, d);
                piece.max = std::max(piece.max, d);
                piece.sum += d;
            }
            return piece;
        },
        [](const Extremes& a, const Extremes& b) {
            return Extremes{std::min(a.min, b.min), std::max(a.max, b.max), a.sum + b.sum};
        });
    summary.min = further_zeros > 0 ? 0 : extremes.min;
    summary.max = extremes.max;
    summary.mean = static_cast<double>(extremes.sum) / static_cast<double>(total);

    const auto width_of = [](Index d) {
        return static_cast<Index>(std::bit_width(static_cast<std::uint64_t>(d)));
    };
    const auto counts = count_degrees<64>(context, count, degree, width_of);
    summary.log2_counts.assign(counts.begin(), counts.begin() + width_of(extremes.max) + 1);
    summary.log2_counts[0] += further_zeros;
    summary.zeros = summary.log2_counts[0];

    Index rank = (total - 1) / 2;
    Index bucket = 0;
    while (rank >= summary.log2_counts[bucket]) rank -= summary.log2_counts[bucket++];
    if (bucket > 0) {
        const Index low = Index{1} << (bucket - 1);
        summary.median = select_degree(context, count, low, low, rank, degree);
    }
    return summary;
}

} // namespace tropic
