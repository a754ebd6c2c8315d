// New members that several workers have claimed at the same time, without locking: whose claim
// counts is decided when all are done, by what the element of each member holds then.
#pragma once

#include <array>
#include <atomic>

#include "machines/cpu/algorithm/algorithm_session.h"

namespace tropic::cpu {

/// Whether a loop's body claims members in that way.
bool claims_members(const EachView& view);

/// The workers of one loop, waiting for each other. Not all of a team come, and who comes late
/// finds nothing left to do; those who came are waited for.
class Meeting {
  public:
    /// Before a worker takes its first piece.
    void enter() noexcept { entered_.fetch_add(1); }
    /// Comes back when all who have entered have come to this stage; the first is that there are no
    /// pieces left.
    enum class Stage : std::uint8_t { done, settled };
    void wait(Stage stage) noexcept;

  private:
    alignas(64) std::atomic<int> entered_{0};
    std::array<std::atomic<int>, 2> there_{};
};

/// Moves a full appender's items to where they wait.
void keep_claims(AlgorithmSession& session, LoopWorker& worker, std::int64_t insert);
/// Drops the items whose element is another's. All workers are done.
void settle_claims(AlgorithmSession& session, LoopWorker& worker);
/// Appends what is left to the lists, in the order of the workers, so that who found a member has a
/// good chance to get it in the next loop. All workers have settled.
void append_claims(AlgorithmSession& session, LoopWorker& worker);
/// How many members a set has behind the loop.
std::int64_t claimed_members(const AlgorithmSession& session, std::int64_t insert);

} // namespace tropic::cpu
