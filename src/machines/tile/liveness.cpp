#include "machines/tile/liveness.h"

#include <algorithm>
#include <map>

namespace tropic::tile {

namespace {

/// Ranges of elements, joined where they meet.
class Covered {
  public:
    void add(std::int64_t begin, std::int64_t end) {
        auto it = ranges_.upper_bound(begin);
        if (it != ranges_.begin() && std::prev(it)->second >= begin) --it;
        while (it != ranges_.end() && it->first <= end) {
            begin = std::min(begin, it->first);
            end = std::max(end, it->second);
            size_ -= it->second - it->first;
            it = ranges_.erase(it);
        }
        ranges_[begin] = end;
        size_ += end - begin;
    }
    void add(const Run& run) {
        if (run.contiguous()) {
            add(run.begin, run.begin + run.count);
        } else {
            for (std::int64_t i = 0; i < run.count; ++i) add(run.at(i), run.at(i) + 1);
        }
    }
    std::int64_t size() const { return size_; }

  private:
    std::map<std::int64_t, std::int64_t> ranges_;
    std::int64_t size_ = 0;
};

/// A part of the program that may run any number of times, or not at all.
struct Region {
    std::int32_t outer = -1;
    bool may_be_skipped = false; ///< an arm of a branch, the body of a while loop
    bool repeats = false;
    std::int64_t end = 0; ///< the position behind it
};

struct Use {
    Life life;
    std::int32_t region = -1; ///< around the first access
    bool written = false;     ///< all of it, before anything read it
    Covered covered;
};

class Walker {
  public:
    explicit Walker(const Executable& executable)
        : executable_(&executable), graph_(executable.graph.get()),
          uses_(graph_->variables().size()) {
        result_.steps.resize(executable.steps.size());
    }

    Liveness run() {
        for (const std::uint32_t root : executable_->functions) walk_unit(root);
        for (const std::uint32_t root : executable_->programs) walk_unit(root);
        finish();
        return std::move(result_);
    }

  private:
    void walk_unit(std::uint32_t root) {
        ++unit_;
        at_ = 0;
        regions_.clear();
        touches_.clear();
        walk(root, -1);
        extend_over_loops();
        result_.unit_sizes.push_back(at_);
    }

    void walk(std::uint32_t index, std::int32_t region) {
        const Step& step = executable_->steps[index];
        const Program& program = *step.program;
        const bool visited_later = program.kind == ProgramKind::count_cycles ||
                                   program.kind == ProgramKind::while_true ||
                                   program.kind == ProgramKind::while_false;
        if (!visited_later) visit(index, region);
        switch (program.kind) {
        case ProgramKind::while_true:
        case ProgramKind::while_false: {
            // The condition runs at least once; the body may not.
            const std::int32_t loop = open(region, false, true);
            walk(step.children[0], loop);
            visit(index, loop);
            const std::int32_t body = open(loop, true, false);
            walk(step.children[1], body);
            close(body);
            close(loop);
            break;
        }
        case ProgramKind::repeat: {
            const std::int32_t loop = open(region, program.count == 0, true);
            for (const std::uint32_t child : step.children) walk(child, loop);
            close(loop);
            break;
        }
        case ProgramKind::branch:
        case ProgramKind::choose:
            for (const std::uint32_t child : step.children) {
                const std::int32_t arm = open(region, true, false);
                walk(child, arm);
                close(arm);
            }
            break;
        default:
            for (const std::uint32_t child : step.children) walk(child, region);
            break;
        }
        if (program.kind == ProgramKind::count_cycles) visit(index, region);
    }

    std::int32_t open(std::int32_t outer, bool may_be_skipped, bool repeats) {
        regions_.push_back({outer, may_be_skipped, repeats, 0});
        return static_cast<std::int32_t>(regions_.size() - 1);
    }
    void close(std::int32_t region) { regions_[static_cast<std::size_t>(region)].end = at_; }

    void visit(std::uint32_t index, std::int32_t region) {
        const std::int64_t at = at_++;
        result_.steps[index] = {unit_, at};
        const StepAccess access = accesses_of(*graph_, *executable_->steps[index].program);
        for (const Run& run : access.reads) touch(run, at, region, false);
        for (const Run& run : access.writes) touch(run, at, region, true);
    }

    void touch(const Run& run, std::int64_t at, std::int32_t region, bool writes) {
        Use& use = uses_[run.variable];
        Life& life = use.life;
        if (life.unit == Life::unused) {
            life.unit = unit_;
            life.first = at;
            life.last = at;
            use.region = region;
        }
        if (life.unit != unit_) life.always = true;
        if (life.always) return;
        life.last = std::max(life.last, at);
        if (!reaches(use.region, region)) {
            life.always = true; // used where what was written first may not have been
            return;
        }
        if (region != use.region) touches_.emplace_back(run.variable, region);
        if (use.written) return;
        if (!writes) {
            life.always = true; // read before it is all written
        } else if (region == use.region) {
            use.covered.add(run);
            use.written = use.covered.size() == graph_->variable(run.variable).elements;
            if (use.written) use.covered = {};
        }
    }

    /// What happens in `first` has happened whenever `later` runs.
    bool reaches(std::int32_t first, std::int32_t later) const {
        while (first != -1) {
            for (std::int32_t r = later; r != -1; r = regions_[static_cast<std::size_t>(r)].outer) {
                if (r == first) return true;
            }
            if (regions_[static_cast<std::size_t>(first)].may_be_skipped) return false;
            first = regions_[static_cast<std::size_t>(first)].outer;
        }
        return true;
    }

    /// What is written before a loop and used in it must last until the loop ends.
    void extend_over_loops() {
        for (const auto& [variable, region] : touches_) {
            Use& use = uses_[variable];
            for (std::int32_t r = region; r != -1 && r != use.region;
                 r = regions_[static_cast<std::size_t>(r)].outer) {
                const Region& around = regions_[static_cast<std::size_t>(r)];
                if (around.repeats) use.life.last = std::max(use.life.last, around.end - 1);
            }
        }
    }

    void finish() {
        result_.variables.reserve(uses_.size());
        for (std::size_t v = 0; v < uses_.size(); ++v) {
            const Variable& variable = graph_->variables()[v];
            Life life = uses_[v].life;
            if (variable.constant || !variable.initial.empty()) life.always = true;
            result_.variables.push_back(life);
        }
        for (const auto& [handle, access] : graph_->host_accesses()) {
            access.tensor.for_each_run([&](const Run& run) {
                Life& life = result_.variables[run.variable];
                life.always = true;
                if (life.unit == Life::unused) life.unit = 0;
            });
        }
    }

    const Executable* executable_;
    const Graph* graph_;
    std::vector<Use> uses_;
    std::vector<Region> regions_;
    std::vector<std::pair<VariableId, std::int32_t>> touches_;
    Liveness result_;
    std::int32_t unit_ = -1;
    std::int64_t at_ = 0;
};

} // namespace

Liveness find_liveness(const Executable& executable) {
    return Walker(executable).run();
}

} // namespace tropic::tile
