// The times of a contestant on a kernel, and whether what it found is right.
#pragma once

#include <string>
#include <vector>

#include "../peers/contestant.h"

namespace tropic::bench {

double now();

/// Times of one contestant, ascending.
struct Times {
    std::vector<double> seconds;
    int rounds = 0;
    std::string complaint;

    double median() const { return seconds[seconds.size() / 2]; }
};

/// Runs a kernel once to check the answer, and `runs` times, or fewer if it takes seconds, to
/// measure it. `triangles` is what others counted, or -1: then it is set. With a `limit`, the
/// system sends the process SIGALRM when a run takes more seconds than that.
Times measure(Contestant& contestant, Kernel kernel, const BenchGraph& graph, int runs,
              std::int64_t& triangles, unsigned limit = 0);

/// As text, and back.
std::string to_text(const Times& times);
Times times_of(const std::string& text);

} // namespace tropic::bench
