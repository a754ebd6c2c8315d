// Between contestants: libgomp's threads keep looking for work for many milliseconds after a
// parallel region, and hold the cores that the next contestant would be measured on.
#pragma once

#include <chrono>
#include <thread>

namespace tropic::bench {

/// Long enough for the threads of whoever ran last to fall asleep.
inline void let_threads_sleep() {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
}

} // namespace tropic::bench
