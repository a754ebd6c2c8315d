// The times a program of the language measured itself.
#pragma once

#include <cstdlib>
#include <string>
#include <vector>

namespace tropic::bench {

/// The seconds of each printElapsedTime in what a program printed.
inline std::vector<double> elapsed_times(const std::string& printed) {
    const std::string mark = "ELAPSED_TIME = ";
    std::vector<double> seconds;
    for (std::size_t at = printed.find(mark); at != std::string::npos;
         at = printed.find(mark, at + 1)) {
        seconds.push_back(std::strtod(printed.c_str() + at + mark.size(), nullptr));
    }
    return seconds;
}

} // namespace tropic::bench
