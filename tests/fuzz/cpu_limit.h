// What an input may take. libFuzzer's own -timeout counts the time of the clock, which says little
// where other work has the processor; this counts what the process itself used. An input that never
// ends is left to -timeout.
#pragma once

#include <cstdio>
#include <ctime>

namespace tropic::fuzz {

/// Made when an input begins; stops the fuzzer, which keeps the input, if it took too long.
class CpuLimit {
  public:
    CpuLimit() : begin_(now()) {}
    ~CpuLimit() {
        const double used = now() - begin_;
        if (used < most_seconds) return;
        std::fprintf(stderr, "the input took %.1f s of CPU time; %.0f are allowed\n", used,
                     most_seconds);
        __builtin_trap();
    }
    CpuLimit(const CpuLimit&) = delete;
    CpuLimit& operator=(const CpuLimit&) = delete;

  private:
    static constexpr double most_seconds = 10;

    static double now() {
        timespec time{};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
    }

    double begin_;
};

} // namespace tropic::fuzz
