// A random permutation of 0..n-1 as a function of the seed: no memory, any order, any thread.
#pragma once

#include <bit>

#include "tropic/types.h"

namespace tropic {

/// A Feistel network over the smallest even number of bits that holds n, walked until the value is
/// below n (less than four steps on average): a bijection whatever the round function is.
class Shuffle {
  public:
    Shuffle(Index n, std::uint64_t seed)
        : n_(static_cast<std::uint64_t>(n)), seed_(mix(seed)),
          half_bits_((static_cast<int>(std::bit_width(n_ > 0 ? n_ - 1 : 0)) + 1) / 2),
          mask_((std::uint64_t{1} << half_bits_) - 1) {}

    Index operator()(Index position) const noexcept {
        auto value = static_cast<std::uint64_t>(position);
        do {
            value = permute(value);
        } while (value >= n_);
        return static_cast<Index>(value);
    }

  private:
    static constexpr int rounds = 6;

    /// The finaliser of splitmix64.
    static std::uint64_t mix(std::uint64_t x) noexcept {
        x += 0x9e3779b97f4a7c15;
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
        x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
        return x ^ (x >> 31);
    }

    std::uint64_t permute(std::uint64_t value) const noexcept {
        std::uint64_t left = value >> half_bits_;
        std::uint64_t right = value & mask_;
        for (int round = 0; round < rounds; ++round) {
            const std::uint64_t key =
                seed_ + static_cast<std::uint64_t>(round) * 0x632be59bd9b4e019;
            const std::uint64_t next = left ^ (mix(right ^ key) & mask_);
            left = right;
            right = next;
        }
        return left << half_bits_ | right;
    }

    std::uint64_t n_;
    std::uint64_t seed_;
    int half_bits_;
    std::uint64_t mask_;
};

} // namespace tropic
