// Errors of the machine as exceptions of the interface.
#pragma once

#include <utility>

namespace poplar::core {

/// Throws the exception that stands for the one under way.
[[noreturn]] void rethrow();

/// Calls `f`, so that what it throws is the interface's.
template <class F> auto translated(F&& f) -> decltype(std::forward<F>(f)()) {
    try {
        return std::forward<F>(f)();
    } catch (...) {
        rethrow();
    }
}

} // namespace poplar::core
