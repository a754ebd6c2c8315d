// What becomes of two values at the same coordinates, and of the gaps that merging leaves.
#pragma once

#include <algorithm>
#include <mutex>
#include <span>
#include <type_traits>
#include <vector>

#include "tropic/coordinates.h"
#include "tropic/graph.h"

namespace tropic::building {

/// Stands for the value of an entry that has none.
struct NoValue {};

/// The value of `earlier` and `later` (in list order) under a rule other than `keep`. A sum that
/// does not fit an integer type wraps and is counted, for require_no_overflow at the end; the sum
/// of booleans is their "or".
template <class T>
T combine(Duplicates rule, T earlier, T later, [[maybe_unused]] Index& overflows) noexcept {
    if constexpr (std::is_same_v<T, NoValue>) {
        return {};
    } else {
        switch (rule) {
        case Duplicates::sum:
            if constexpr (std::is_same_v<T, bool>) return earlier || later;
            else if constexpr (std::is_floating_point_v<T>) return earlier + later;
            else {
                T sum;
                overflows += __builtin_add_overflow(earlier, later, &sum) ? 1 : 0;
                return sum;
            }
        case Duplicates::min:
            return std::min(earlier, later);
        case Duplicates::max:
            return std::max(earlier, later);
        case Duplicates::last:
            return later;
        case Duplicates::keep:
        case Duplicates::first:
            break;
        }
        return earlier;
    }
}

/// Throws Error(range) if sums of values of that type overflowed; `file` as far as it is known.
void require_no_overflow(Index overflows, ElementType type, std::string file = {});

/// Sums of entries without values are entries without values: who asked for sums may have wanted
/// counts.
void warn_of_lost_counts(Graph& graph, Duplicates rule, Index merged);

/// Like visit_type, with NoValue for `pattern`.
template <class Action> decltype(auto) visit_value(ElementType type, Action&& action) {
    if (type == ElementType::pattern) return action(TypeTag<NoValue>{});
    return visit_type(type, std::forward<Action>(action));
}

/// Places [begin, end) of the result that merging left unused. Collected from all threads.
class Gaps {
  public:
    void add(Index begin, Index end) {
        const std::scoped_lock lock(mutex_);
        gaps_.push_back({begin, end});
        dropped_ += end - begin;
    }
    bool empty() const noexcept { return gaps_.empty(); }
    Index dropped() const noexcept { return dropped_; }

    /// Closes the gaps in an array of `size` elements, which then has dropped() fewer.
    void close(Array& array);

    /// The positions after closing; a position is never inside a gap.
    void move_positions(Array& positions, const Context& context);

  private:
    struct Gap {
        Index begin;
        Index end;
    };
    void sort();

    std::mutex mutex_;
    std::vector<Gap> gaps_;
    Index dropped_ = 0;
};

} // namespace tropic::building
