// The recursive choice behind Kronecker and R-MAT edges: at each level of the adjacency matrix an
// edge falls into one of four quadrants. Four levels are drawn at once from a table of all 256
// outcomes by the alias method: 8 bits choose a column, 24 bits decide between its two outcomes.
#pragma once

#include <array>

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

    /// Edge number k of a graph with 2^scale vertices.
    Edge edge(const Random& random, Index k, int scale) const noexcept {
        const int draws = (scale + 7) / 8;
        const auto first = static_cast<std::uint64_t>(k) * static_cast<std::uint64_t>(draws);
        Edge edge{0, 0};
        for (int draw = 0; draw < draws; ++draw) {
            const std::uint64_t bits = random.at(first + static_cast<std::uint64_t>(draw));
            descend(edge, static_cast<std::uint32_t>(bits));
            descend(edge, static_cast<std::uint32_t>(bits >> 32));
        }
        const int surplus = 8 * draws - scale;
        return {edge.from >> surplus, edge.to >> surplus};
    }

  private:
    struct Column {
        std::uint32_t threshold; ///< below it the outcome is the column itself, else `other`
        std::uint32_t other;
    };

    /// Four levels down. An outcome has four bits of the row, then four of the column.
    void descend(Edge& edge, std::uint32_t bits) const noexcept {
        const std::uint32_t index = bits >> 24;
        const Column column = columns_[index];
        // By mask: a branch here would be a coin the processor cannot foresee.
        const auto take_other = -static_cast<std::uint32_t>((bits & 0xffffff) >= column.threshold);
        const std::uint32_t outcome = index ^ ((index ^ column.other) & take_other);
        edge.from = edge.from << 4 | outcome >> 4;
        edge.to = edge.to << 4 | (outcome & 15);
    }

    std::array<Column, 256> columns_;
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
