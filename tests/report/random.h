// Random numbers for made-up profiles.
#pragma once

#include <cstdint>
#include <random>

namespace tropic::testing {

/// The same numbers everywhere, unlike the distributions of the standard library.
class Random {
  public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}
    std::uint64_t below(std::uint64_t bound) { return bound == 0 ? 0 : engine_() % bound; }
    double real() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
    bool chance(double p) { return real() < p; }
    std::uint64_t bits() { return engine_(); }

  private:
    std::mt19937_64 engine_;
};

} // namespace tropic::testing
