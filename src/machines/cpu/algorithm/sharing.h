// Whether other threads are of use in a loop that runs many times with little work. What it costs
// to call them, and to get back what they have written, differs between machines and with what else
// these do: nobody guesses it, both ways are tried and timed.
#pragma once

#include <array>

namespace tropic::cpu {

class Sharing {
  public:
    /// How the loop should run next.
    bool pays() const noexcept { return shared_; }

    /// Tells how long it took, and how much it had to do.
    void learn(double seconds, double work) noexcept;

  private:
    struct Pace {
        double seconds = 0;
        double work = 0;
        double each() const noexcept { return work > 0 ? seconds / work : 0; }
    };

    void change_to(bool shared, int runs) noexcept;

    /// Runs of a trial. The first after a change are not counted: they wait for threads to wake and
    /// for what others have in their caches.
    static constexpr int trial_runs = 16;
    static constexpr int settling_runs = 8;
    /// Runs until the other way is tried again; more each time it was no better.
    static constexpr int shortest_stay = 32;
    static constexpr int longest_stay = 1024;
    /// What is shared leaves its traces in the caches for whatever comes next, which nobody times.
    static constexpr double worth_sharing = 0.9;

    std::array<Pace, 2> paces_; ///< alone, shared
    bool shared_ = true;
    bool trial_ = false;
    int settling_ = settling_runs;
    int stay_ = shortest_stay;
    int left_ = shortest_stay; ///< runs until something changes
};

} // namespace tropic::cpu
