// What becomes of two values at the same coordinates, and of the gaps that merging leaves.
#pragma once

#include <algorithm>
#include <mutex>
#include <span>
#include <type_traits>
#include <vector>

#include "tropic/coordinates.h"

namespace tropic::building {

/// Stands for the value of an entry that has none.
struct NoValue {};

/// The value of `earlier` and `later` (in list order) under a rule other than `keep`. Integer sums
/// wrap; the sum of booleans is their "or".
template <class T> T combine(Duplicates rule, T earlier, T later) noexcept {
    if constexpr (std::is_same_v<T, NoValue>) {
        return {};
    } else {
        switch (rule) {
        case Duplicates::sum:
            if constexpr (std::is_same_v<T, bool>) return earlier || later;
            else if constexpr (std::is_floating_point_v<T>) return earlier + later;
            else
                return static_cast<T>(static_cast<std::uint64_t>(earlier) +
                                      static_cast<std::uint64_t>(later));
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
