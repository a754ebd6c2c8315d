#include "machines/tile/run.h"

#include <algorithm>

namespace tropic::tile {

void append_run(std::vector<Run>& runs, Run next) {
    if (next.count == 0) return;
    if (next.count == 1) next.stride = 1;
    if (!runs.empty()) {
        Run& last = runs.back();
        const bool joins = last.variable == next.variable &&
                           (last.count == 1 || next.count == 1 || last.stride == next.stride);
        if (joins) {
            // Two single elements only join as neighbours: any other distance would be a guess.
            const std::int64_t stride = last.count > 1 ? last.stride : next.stride;
            if (next.begin == last.at(last.count - 1) + stride) {
                last.count += next.count;
                last.stride = stride;
                return;
            }
        }
    }
    runs.push_back(next);
}

RunList::RunList(std::vector<Run> runs) : runs_(std::move(runs)) {
    starts_.reserve(runs_.size() + 1);
    std::int64_t position = 0;
    for (const Run& run : runs_) {
        starts_.push_back(position);
        position += run.count;
    }
    starts_.push_back(position);
}

std::size_t RunList::find(std::int64_t position) const {
    const auto after = std::upper_bound(starts_.begin(), starts_.end(), position);
    return static_cast<std::size_t>(after - starts_.begin()) - 1;
}

} // namespace tropic::tile
