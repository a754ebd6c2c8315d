// Whether other threads are of use in a loop that runs many times with little work. What it costs
// to call them, and to get back what they have written, differs between machines and with what else
// these do: nobody guesses it, both ways are tried and timed.
#pragma once

#include <array>
#include <map>
#include <mutex>
#include <utility>

namespace tropic::cpu {

class Sharing {
  public:
    /// How the loop should run next.
    bool pays() const noexcept { return shared_; }

    /// For a loop that begins anew, perhaps on another graph: what was settled, and no paces.
    Sharing begin_again() const noexcept;

    /// Tells how long it took, and how much it had to do.
    void learn(double seconds, double work) noexcept;

  private:
    struct Pace {
        double seconds = 0;
        double work = 0;
        double each() const noexcept { return work > 0 ? seconds / work : 0; }
    };

    void change_to(bool shared, int runs) noexcept;
    bool is_hopeless() const noexcept;

    /// Runs of a trial. The first after a change are not counted: they wait for threads to wake and
    /// for what others have in their caches.
    static constexpr int trial_runs = 16;
    static constexpr int settling_runs = 4;
    /// So many runs are enough to give up a trial that takes this much longer.
    static constexpr int hopeless_runs = 4;
    static constexpr double hopeless = 1.5;
    /// Runs until the other way is tried again; more each time it was no better.
    static constexpr int shortest_stay = 32;
    static constexpr int longest_stay = 1024;
    static constexpr int longest_stay_again = 256;
    /// What is shared leaves its traces in the caches for whatever comes next, which nobody times.
    static constexpr double worth_sharing = 0.9;

    std::array<Pace, 2> paces_; ///< alone, shared
    bool shared_ = true;
    bool trial_ = false;
    int settling_ = settling_runs;
    int stay_ = shortest_stay;
    int left_ = trial_runs; ///< runs until something changes
};

/// What runs of a program have learned about its loops, for the next runs. Several threads may ask.
class SharingMemory {
  public:
    /// `loop` is the same in all runs.
    Sharing recall(const void* loop, int threads) const;
    void keep(const void* loop, int threads, const Sharing& learned);

  private:
    mutable std::mutex mutex_;
    std::map<std::pair<const void*, int>, Sharing> known_;
};

} // namespace tropic::cpu
