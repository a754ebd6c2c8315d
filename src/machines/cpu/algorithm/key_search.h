// Members of buckets, found by looking at all keys.
#pragma once

#include <limits>

#include "machines/cpu/algorithm/algorithm_session.h"

namespace tropic::cpu {

class KeySearch {
  public:
    static constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();

    /// Both outlive it. The view has a `find`, or nothing is looked for.
    KeySearch(AlgorithmSession& session, const BucketsView& view)
        : session_(session), view_(view), item_bytes_(session.set_tools().index_bytes()) {}

    /// Looks for those with a key of buckets first .. until - 1; the first bucket behind them that
    /// somebody has a key of, or none. Workers put nothing into buckets from `until` on afterwards.
    std::int64_t look(std::int64_t first, std::int64_t until);

    /// What was found, side by side, until the next look.
    std::int64_t count() const noexcept { return count_; }
    void* items();

    /// Whether keys say who waits: nobody has one who is not to begin.
    bool only_start_has_keys();

    /// How many there are to look at.
    std::int64_t space() const { return set_at(session_.frame, view_.start).size; }

  private:
    AlgorithmSession& session_;
    const BucketsView& view_;
    std::size_t item_bytes_;
    std::int64_t count_ = 0;
    std::vector<ItemList> found_; ///< by worker
    MemberList together_;
};

} // namespace tropic::cpu
