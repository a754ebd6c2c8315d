#include "machines/cpu/algorithm/sharing.h"

#include <algorithm>

namespace tropic::cpu {

void Sharing::change_to(bool shared, int runs) noexcept {
    if (shared != shared_) settling_ = settling_runs;
    shared_ = shared;
    paces_[shared ? 1 : 0] = {};
    left_ = runs;
}

Sharing Sharing::begin_again() const noexcept {
    Sharing next;
    next.shared_ = shared_ != trial_;
    next.stay_ = std::min(stay_, longest_stay_again);
    next.left_ = next.stay_;
    return next;
}

bool Sharing::is_hopeless() const noexcept {
    const double other = paces_[shared_ ? 0 : 1].each();
    return trial_runs - left_ >= hopeless_runs && other > 0 &&
           paces_[shared_ ? 1 : 0].each() > hopeless * other;
}

void Sharing::learn(double seconds, double work) noexcept {
    if (settling_ > 0) {
        --settling_;
        return;
    }
    Pace& pace = paces_[shared_ ? 1 : 0];
    pace.seconds += seconds;
    pace.work += work;
    --left_;
    if (trial_ && is_hopeless()) left_ = 0;
    if (left_ > 0) return;
    if (!trial_) {
        trial_ = true;
        change_to(!shared_, trial_runs);
        return;
    }
    const bool better = paces_[1].each() < worth_sharing * paces_[0].each();
    // What was tried is the other way of what it is compared with.
    stay_ = better == shared_ ? shortest_stay : std::min(2 * stay_, longest_stay);
    trial_ = false;
    change_to(better, stay_);
}

Sharing SharingMemory::recall(const void* loop, int threads) const {
    const std::scoped_lock lock(mutex_);
    const auto found = known_.find({loop, threads});
    return found == known_.end() ? Sharing() : found->second.begin_again();
}

void SharingMemory::keep(const void* loop, int threads, const Sharing& learned) {
    const std::scoped_lock lock(mutex_);
    known_[{loop, threads}] = learned;
}

} // namespace tropic::cpu
