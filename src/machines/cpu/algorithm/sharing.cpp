#include "machines/cpu/algorithm/sharing.h"

#include <algorithm>

namespace tropic::cpu {

void Sharing::change_to(bool shared, int runs) noexcept {
    if (shared != shared_) settling_ = settling_runs;
    shared_ = shared;
    paces_[shared ? 1 : 0] = {};
    left_ = runs;
}

void Sharing::learn(double seconds, double work) noexcept {
    if (settling_ > 0) {
        --settling_;
        return;
    }
    Pace& pace = paces_[shared_ ? 1 : 0];
    pace.seconds += seconds;
    pace.work += work;
    if (--left_ > 0) return;
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

} // namespace tropic::cpu
