// Loops that the hardware repeats by itself.
#pragma once

/// Counts the rounds of a loop that has few enough of them for the hardware's counter of 16 bits.
/// A `for` loop that declares its counter with this type is a candidate; the codelet compiler
/// looks for this name.
typedef unsigned rptsize_t;

namespace poplar {

using ::rptsize_t;

/// Calls body(0), ..., body(count - 1).
template <class Body> inline __attribute__((always_inline)) void rpt(rptsize_t count, Body&& body) {
    for (rptsize_t i = 0; i < count; i += 1) body(i);
}

/// The same, for a body that does not want to know the round.
template <class Body>
inline __attribute__((always_inline)) void repeat(rptsize_t count, Body&& body) {
    for (rptsize_t i = 0; i < count; i += 1) body();
}

} // namespace poplar
