// The recursive choice behind Kronecker and R-MAT edges: at each level of the adjacency matrix an
// edge falls into one of four quadrants. Five levels are drawn at once from a table of all 1024
// outcomes by the alias method: 10 bits choose a column, 22 bits decide between its two outcomes.
#pragma once

#include <array>
#include <span>

#include "graph/generators/random.h"
#include "tropic/types.h"

namespace tropic::generators {

/// Probabilities of the upper left, upper right and lower left quadrant in billionths; the lower
/// right one has the rest.
struct Quadrants {
    std::uint32_t a = 570'000'000;
    std::uint32_t b = 190'000'000;
    std::uint32_t c = 190'000'000;
};

struct Edge {
    std::uint64_t from;
    std::uint64_t to;
};

class QuadrantTable {
  public:
    /// Probabilities of outcomes are exact to 2^-32.
    explicit QuadrantTable(const Quadrants& quadrants);

    /// Edges number `first` and up of a graph with 2^scale vertices. Edge k depends on the stream,
    /// the scale and k only.
    void edges(const Random& random, Index first, int scale, std::span<Edge> out) const;

  private:
    static constexpr int levels = 5;
    static constexpr std::uint32_t columns = 1 << 2 * levels;
    static constexpr int threshold_bits = 32 - 2 * levels;

    template <int slices>
    void draw(const Random& random, Index first, int scale, std::span<Edge> out) const;
    template <int slices>
    std::uint64_t descend(const std::array<std::uint32_t, slices>& bits) const;

    std::array<std::uint32_t, columns> thresholds_{}; ///< from there on it is the second outcome
    /// Both outcomes of every column: bits of the row in the upper half, of the column in the
    /// lower.
    std::array<std::uint64_t, std::size_t{2} * columns> outcomes_{};
};

/// A seeded bijection on the numbers of `bits` bits: multiplications by odd numbers carry low bits
/// up, shifts carry high bits down, and both can be undone.
class Scramble {
  public:
    Scramble(int bits, const Random& random) noexcept
        : mask_((std::uint64_t{1} << bits) - 1), shift_((bits + 1) / 2), add_(random.at(0)),
          factors_{random.at(1) | 1, random.at(2) | 1, random.at(3) | 1} {}

    std::uint64_t operator()(std::uint64_t x) const noexcept {
        x = (x + add_) & mask_;
        for (const std::uint64_t factor : factors_) {
            x = (x * factor) & mask_;
            x ^= x >> shift_;
        }
        return x;
    }

  private:
    std::uint64_t mask_;
    int shift_;
    std::uint64_t add_;
    std::array<std::uint64_t, 3> factors_;
};

} // namespace tropic::generators
