#include "machines/tile/copy_plan.h"

#include <algorithm>

namespace tropic::tile {

namespace {

std::vector<RunCopy> pair_runs(const Tensor& from, const Tensor& to) {
    std::vector<Run> sources = from.runs();
    std::vector<Run> targets = to.runs();
    std::vector<RunCopy> pairs;
    std::size_t s = 0;
    for (Run& target : targets) {
        while (target.count > 0) {
            Run& source = sources[s];
            const std::int64_t count = std::min(source.count, target.count);
            RunCopy pair{source, target};
            pair.from.count = count;
            pair.to.count = count;
            pairs.push_back(pair);
            for (Run* run : {&source, &target}) {
                run->begin = run->at(count);
                run->count -= count;
            }
            if (source.count == 0) ++s;
        }
    }
    return pairs;
}

/// The least and greatest elements of runs, by variable, meet.
bool share_elements(const std::vector<RunCopy>& pairs) {
    struct Range {
        VariableId variable;
        std::int64_t begin;
        std::int64_t end;
    };
    const auto range = [](const Run& run) {
        const std::int64_t last = run.at(run.count - 1);
        return Range{run.variable, std::min(run.begin, last), std::max(run.begin, last) + 1};
    };
    std::vector<Range> targets;
    targets.reserve(pairs.size());
    for (const RunCopy& pair : pairs) targets.push_back(range(pair.to));
    std::ranges::sort(targets, {}, [](const Range& r) { return std::pair(r.variable, r.begin); });
    // `reach` is the furthest end so far, as ranges of strided runs may overlap.
    std::vector<std::int64_t> reach(targets.size());
    for (std::size_t i = 0; i < targets.size(); ++i) {
        const bool same = i > 0 && targets[i - 1].variable == targets[i].variable;
        reach[i] = same ? std::max(reach[i - 1], targets[i].end) : targets[i].end;
    }
    for (const RunCopy& pair : pairs) {
        const Range source = range(pair.from);
        const auto after =
            std::ranges::lower_bound(targets, std::pair(source.variable, source.end), {},
                                     [](const Range& r) { return std::pair(r.variable, r.begin); });
        if (after == targets.begin()) continue;
        const auto i = static_cast<std::size_t>(after - targets.begin()) - 1;
        if (targets[i].variable == source.variable && reach[i] > source.begin) return true;
    }
    return false;
}

} // namespace

CopyPlan copy_elements(const Tensor& from, const Tensor& to) {
    CopyPlan plan{pair_runs(from, to), false};
    plan.through_buffer = share_elements(plan.runs);
    return plan;
}

} // namespace tropic::tile
