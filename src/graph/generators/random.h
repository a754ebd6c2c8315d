// Random numbers by counter: number i of a stream is a hash of (seed, stream, i). Any thread can
// compute any of them without the others, so a graph does not depend on who generated which part.
// Only integer operations and exact floating-point ones are used: the same bits on every machine.
#pragma once

#include <cstdint>

namespace tropic::generators {

__extension__ using Wide = unsigned __int128;

inline constexpr std::uint64_t golden_ratio = 0x9e3779b97f4a7c15;

/// A bijection on 64 bits in which every input bit moves every output bit (the finaliser of
/// SplitMix64).
constexpr std::uint64_t mix(std::uint64_t x) noexcept {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

/// What the numbers are for: different purposes never share numbers.
enum class Stream : std::uint64_t {
    edges = 1,
    permutation,
    weights,
    points,
    removal,
    chains,
    algorithms
};

class Random {
  public:
    constexpr Random(std::uint64_t seed, Stream stream) noexcept
        : key_(mix(mix(seed + golden_ratio) + static_cast<std::uint64_t>(stream) * golden_ratio)) {}

    /// Number i of the stream: 64 uniform bits.
    constexpr std::uint64_t at(std::uint64_t i) const noexcept {
        return mix(key_ + i * golden_ratio);
    }

    /// The number of an ordered pair.
    constexpr std::uint64_t at(std::uint64_t i, std::uint64_t j) const noexcept {
        return mix(at(i) + j * 0xd1342543de82ef95);
    }

  private:
    std::uint64_t key_;
};

/// One of 0 .. count-1 from 64 uniform bits.
constexpr std::uint64_t below(std::uint64_t bits, std::uint64_t count) noexcept {
    return static_cast<std::uint64_t>((static_cast<Wide>(bits) * count) >> 64);
}

/// A real in [0, 1), a multiple of 2^-53, from 64 uniform bits.
constexpr double unit_real(std::uint64_t bits) noexcept {
    return static_cast<double>(bits >> 11) * 0x1p-53;
}

/// An event of a given probability.
class Chance {
  public:
    constexpr explicit Chance(double probability) noexcept
        : threshold_(static_cast<std::uint64_t>(probability * 0x1p53)) {}

    constexpr bool happens(std::uint64_t bits) const noexcept { return (bits >> 11) < threshold_; }

  private:
    std::uint64_t threshold_;
};

} // namespace tropic::generators
