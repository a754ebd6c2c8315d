#include "graph/statistics/symmetry.h"

#include <array>
#include <atomic>
#include <cmath>

#include "support/is_nan.h"
#include "support/memory.h"
#include "support/parallel.h"

namespace tropic {

namespace {

/// Rows of one task; few, because the first asymmetry should end all tasks soon.
constexpr Index grain = 1 << 10;

/// Who go from row to row at the same time.
constexpr int most_walkers = 8;

/// Entries whose mirrors are looked up together, so that their cache misses overlap.
constexpr int batch = 32;

template <class T> bool same(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) return a == b || (std::isnan(a) && std::isnan(b));
    else return a == b;
}

/// The same values, each equally often; there are as many of both.
template <class T> bool same_values(std::span<const T> a, std::span<const T> b) {
    if (a.size() == 1) return same(a[0], b[0]);
    using Plain = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;
    const auto ordered = [](std::span<const T> values) {
        std::vector<Plain> result(values.begin(), values.end());
        // NaN has no place in an order: behind the others.
        const auto numbers = std::partition(result.begin(), result.end(),
                                            [](Plain value) { return !is_nan(value); });
        std::sort(result.begin(), numbers);
        return result;
    };
    const auto left = ordered(a);
    const auto right = ordered(b);
    return std::equal(left.begin(), left.end(), right.begin(), same<Plain>);
}

/// Looks mirrors up. If no coordinate is stored twice it is enough that every entry above the
/// diagonal has a mirror and that as many lie below as above; and mirrors come one after the other
/// then: those of a row, from row to row, so that nobody has to search for them.
template <class Pos, class Crd, class T> class MirrorCheck {
  public:
    /// `values` is empty if they are of no interest.
    MirrorCheck(const CsrView<Pos, Crd>& view, std::span<const T> values, bool unique)
        : view_(view), values_(values), unique_(unique) {}

    Symmetry run(const Context& context) {
        // Everybody who goes from row to row has a note for each row: few do, and nobody where
        // there is hardly any memory left.
        const auto walkers = static_cast<Index>(std::min(context.threads(), most_walkers));
        const auto notes = static_cast<std::uint64_t>(walkers * view_.rows) * sizeof(Crd);
        const MemoryBudget& budget = *context.budget();
        const bool follow = unique_ && budget.used() < budget.limit() &&
                            notes <= (budget.limit() - budget.used()) / 2;
        const Index rows = follow ? view_.rows / walkers + 1 : grain;
        const Index surplus = parallel_combine(
            context, view_.rows, rows, Index{0},
            [&](Index begin, Index end) {
                if (broken_) return Index{0};
                return follow ? follow_rows(begin, end, context) : check_rows(begin, end);
            },
            std::plus<>{});
        const bool pattern = !broken_ && surplus == 0;
        return {pattern, pattern && !values_differ_};
    }

  private:
    struct Lookup {
        Index row;
        Index entry;
    };

    /// No coordinate is stored twice. Returns by how many entries more lie above the diagonal than
    /// below.
    Index follow_rows(Index begin, Index end, const Context& context) {
        // How many entries of each row have been met as mirrors.
        Array notes = Array::allocate(element_type_of<Crd>(), view_.rows, context, "mirrors");
        const auto met = notes.template mutable_as<Crd>();
        std::fill(met.begin(), met.end(), Crd{0});
        for (Index i = begin == 0 ? view_.rows : begin; i < view_.rows; ++i) {
            met[i] = static_cast<Crd>(find(view_.pos[i], view_.pos[i + 1], begin) - view_.pos[i]);
        }
        Index surplus = 0;
        for (Index i = begin; i < end && !broken_.load(std::memory_order_relaxed); ++i) {
            const Index first = view_.pos[i];
            const Index last = view_.pos[i + 1];
            // Entries before the diagonal are mirrors of those that came before, if all is well.
            const Index diagonal = find(first, last, i);
            const Index above =
                diagonal < last && view_.crd[diagonal] == i ? diagonal + 1 : diagonal;
            surplus += (last - above) - (diagonal - first);
            for (Index stretch = above; stretch < last; stretch += batch) {
                const Index until = std::min<Index>(last, stretch + batch);
                for (Index e = stretch; e < until; ++e) {
                    const Index at = view_.pos[view_.crd[e]] + met[view_.crd[e]];
                    __builtin_prefetch(view_.crd.data() + at);
                    if (!values_.empty()) __builtin_prefetch(values_.data() + at);
                }
                for (Index e = stretch; e < until; ++e) {
                    const Index row = view_.crd[e];
                    const Index mirror = view_.pos[row] + met[row]++;
                    if (mirror >= view_.pos[row + 1] || view_.crd[mirror] != i) {
                        broken_.store(true, std::memory_order_relaxed);
                        return surplus;
                    }
                    if (!values_.empty() && !same(values_[e], values_[mirror])) {
                        values_differ_.store(true, std::memory_order_relaxed);
                    }
                }
                // What lies this far on is asked for before its turn comes.
                for (Index e = until; e < std::min<Index>(last, until + batch); ++e) {
                    __builtin_prefetch(&view_.pos[view_.crd[e]]);
                    __builtin_prefetch(&met[view_.crd[e]]);
                }
            }
        }
        return surplus;
    }

    /// Wherever coordinates are stored, once or several times, by a search for every mirror: 0.
    Index check_rows(Index begin, Index end) {
        std::array<Lookup, batch> pending;
        int count = 0;
        for (Index i = begin; i < end && !broken_.load(std::memory_order_relaxed); ++i) {
            const Index first = view_.pos[i];
            const Index last = view_.pos[i + 1];
            for (Index e = first; e < last; ++e) {
                const bool repeated = e > first && view_.crd[e] == view_.crd[e - 1];
                if (repeated || view_.crd[e] == i) continue;
                __builtin_prefetch(&view_.pos[view_.crd[e]]);
                pending[count++] = {i, e};
                if (count == batch) {
                    look_up({pending.data(), batch});
                    count = 0;
                }
            }
        }
        look_up({pending.data(), static_cast<std::size_t>(count)});
        return 0;
    }

    void look_up(std::span<const Lookup> lookups) {
        for (const auto& [row, entry] : lookups) {
            const Index mirror_row = view_.crd[entry];
            const Index first = view_.pos[mirror_row];
            const Index last = view_.pos[mirror_row + 1];
            __builtin_prefetch(view_.crd.data() + first + (last - first) / 2);
            __builtin_prefetch(view_.crd.data() + first);
        }
        for (const auto& [row, entry] : lookups) {
            const Index mirror_row = view_.crd[entry];
            const Index last = view_.pos[mirror_row + 1];
            const Index mirror = find(view_.pos[mirror_row], last, row);
            if (mirror == last || view_.crd[mirror] != row) {
                broken_.store(true, std::memory_order_relaxed);
                return;
            }
            // Pairs are compared from above the diagonal only.
            if (mirror_row < row) continue;
            const Index times = times_stored(entry, view_.pos[row + 1]);
            if (times_stored(mirror, last) != times) {
                broken_.store(true, std::memory_order_relaxed);
                return;
            }
            if (values_.empty() || values_differ_.load(std::memory_order_relaxed)) continue;
            if (!same_values(values_.subspan(entry, times), values_.subspan(mirror, times))) {
                values_differ_.store(true, std::memory_order_relaxed);
            }
        }
    }

    /// The first of the entries [first, last) with a column not below `column`.
    Index find(Index first, Index last, Index column) const {
        const Crd* base = view_.crd.data();
        return std::lower_bound(base + first, base + last, static_cast<Crd>(column)) - base;
    }

    /// How many entries have the coordinates of `entry`, the first of them.
    Index times_stored(Index entry, Index last) const {
        Index end = entry + 1;
        while (end < last && view_.crd[end] == view_.crd[entry]) ++end;
        return end - entry;
    }

    const CsrView<Pos, Crd>& view_;
    std::span<const T> values_;
    bool unique_;
    std::atomic<bool> broken_{false};
    std::atomic<bool> values_differ_{false};
};

} // namespace

Symmetry symmetry_of(const Tensor& matrix, const Context& context) {
    if (matrix.dim(0) != matrix.dim(1)) return {false, false};
    return visit_csr(matrix, [&]<class Pos, class Crd>(const CsrView<Pos, Crd>& view) {
        if (matrix.is_pattern()) {
            return MirrorCheck<Pos, Crd, bool>(view, {}, matrix.unique()).run(context);
        }
        return visit_type(matrix.type(), [&](auto tag) {
            using T = typename decltype(tag)::type;
            return MirrorCheck<Pos, Crd, T>(view, matrix.values().as<T>(), matrix.unique())
                .run(context);
        });
    });
}

bool pattern_symmetric(const Tensor& matrix, const Context& context) {
    return symmetry_of(matrix.with_values(Array::allocate(ElementType::pattern, matrix.entries(),
                                                          context, "pattern")),
                       context)
        .pattern;
}

} // namespace tropic
