// Runs: evenly spaced elements of one variable. Everything a tensor shows is a sequence of runs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tropic::tile {

using VariableId = std::uint32_t;

/// Elements begin, begin + stride, ... of a variable, `count` of them. A stride of 0 repeats one.
struct Run {
    VariableId variable = 0;
    std::int64_t stride = 1;
    std::int64_t begin = 0;
    std::int64_t count = 0;

    bool contiguous() const { return stride == 1 || count == 1; }
    std::int64_t at(std::int64_t i) const { return begin + i * stride; }
    friend bool operator==(const Run&, const Run&) = default;
};

/// Appends a run, as part of the one before where it goes on from there.
void append_run(std::vector<Run>& runs, Run next);

/// Runs with where each begins in the sequence, for finding an element by its position.
class RunList {
  public:
    RunList() = default;
    explicit RunList(std::vector<Run> runs);

    const std::vector<Run>& runs() const { return runs_; }
    std::int64_t size() const { return starts_.empty() ? 0 : starts_.back(); }

    /// Calls `visit(run)` for the parts of runs at positions [begin, end).
    template <class Visit>
    void for_each(std::int64_t begin, std::int64_t end, const Visit& visit) const {
        if (begin >= end) return;
        for (std::size_t r = find(begin); begin < end; ++r) {
            Run part = runs_[r];
            const std::int64_t skip = begin - starts_[r];
            part.begin = part.at(skip);
            part.count = std::min(end, starts_[r + 1]) - begin;
            begin += part.count;
            visit(part);
        }
    }

  private:
    /// The run that holds a position.
    std::size_t find(std::int64_t position) const;

    std::vector<Run> runs_;
    std::vector<std::int64_t> starts_; ///< one more than runs
};

} // namespace tropic::tile
