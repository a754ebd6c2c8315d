#include "graph/generators/quadrants.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace tropic::generators {

namespace {

/// Probabilities of all outcomes, in units of 2^-32; they add up to one. An outcome has the row's
/// bits of all levels above the column's.
std::vector<std::uint64_t> outcome_weights(const Quadrants& quadrants, int levels) {
    const double unit = 1e9;
    const std::array<double, 4> probability = {
        quadrants.a / unit, quadrants.b / unit, quadrants.c / unit,
        (1'000'000'000 - quadrants.a - quadrants.b - quadrants.c) / unit};
    std::vector<std::uint64_t> weights(std::size_t{1} << 2 * levels);
    for (std::size_t outcome = 0; outcome < weights.size(); ++outcome) {
        double product = 0x1p32;
        for (int level = 0; level < levels; ++level) {
            const std::size_t row = outcome >> (levels + level) & 1;
            const std::size_t col = outcome >> level & 1;
            product *= probability[2 * row + col];
        }
        weights[outcome] = static_cast<std::uint64_t>(product);
    }
    // What rounding down has lost goes to the likeliest outcome, where it matters least.
    const auto sum = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
    auto& largest = *std::max_element(weights.begin(), weights.end());
    largest = largest + (std::uint64_t{1} << 32) - sum;
    return weights;
}

} // namespace

QuadrantTable::QuadrantTable(const Quadrants& quadrants) {
    constexpr std::uint64_t capacity = std::uint64_t{1} << threshold_bits;
    const auto spread = [](std::uint64_t outcome) {
        return (outcome >> levels) << 32 | (outcome & ((1 << levels) - 1));
    };
    auto weights = outcome_weights(quadrants, levels);
    std::vector<std::uint32_t> small;
    std::vector<std::uint32_t> large;
    for (std::uint32_t outcome = 0; outcome < columns; ++outcome) {
        const std::size_t at = std::size_t{2} * outcome;
        thresholds_[outcome] = capacity;
        outcomes_[at] = outcomes_[at + 1] = spread(outcome);
        (weights[outcome] < capacity ? small : large).push_back(outcome);
    }
    // The column of every small outcome is filled up by a large one. The sum is exact, so there is
    // always a large one left for a small one.
    while (!small.empty()) {
        const std::uint32_t poor = small.back();
        const std::uint32_t rich = large.back();
        small.pop_back();
        thresholds_[poor] = static_cast<std::uint32_t>(weights[poor]);
        outcomes_[2 * poor + 1] = spread(rich);
        weights[rich] -= capacity - weights[poor];
        if (weights[rich] < capacity) {
            large.pop_back();
            small.push_back(rich);
        }
    }
}

/// Row and column bits of up to six slices, in the two halves of a word.
template <int slices>
std::uint64_t QuadrantTable::descend(const std::array<std::uint32_t, slices>& bits) const {
    static_assert(slices * levels <= 32);
    std::uint64_t place = 0;
    for (const std::uint32_t slice : bits) {
        const std::uint32_t column = slice >> threshold_bits;
        const std::uint32_t rest = slice & ((1 << threshold_bits) - 1);
        // The sign of a difference, not a comparison: compilers make a branch of that, and it would
        // be a coin the processor cannot foresee.
        const std::uint32_t second = 1 - ((rest - thresholds_[column]) >> 31);
        place = place << levels | outcomes_[2 * column + second];
    }
    return place;
}

template <int slices>
void QuadrantTable::draw(const Random& random, Index first, int scale, std::span<Edge> out) const {
    constexpr int draws = (slices + 1) / 2;
    constexpr int high = std::min(slices, 6); // slices of the first word, the rest in the second
    constexpr int low = slices - high;
    const int surplus = slices * levels - scale;
    auto counter = static_cast<std::uint64_t>(first) * draws;
    for (Edge& edge : out) {
        std::array<std::uint32_t, std::size_t{2} * draws> bits;
        for (int i = 0; i < draws; ++i) {
            const std::uint64_t word = random.at(counter++);
            bits[2 * i] = static_cast<std::uint32_t>(word);
            bits[2 * i + 1] = static_cast<std::uint32_t>(word >> 32);
        }
        std::array<std::uint32_t, high> upper;
        std::copy_n(bits.begin(), high, upper.begin());
        std::uint64_t place = descend<high>(upper);
        edge = {place >> 32, place & 0xffffffff};
        if constexpr (low > 0) {
            std::array<std::uint32_t, low> lower;
            std::copy_n(bits.begin() + high, low, lower.begin());
            place = descend<low>(lower);
            edge = {edge.from << low * levels | place >> 32,
                    edge.to << low * levels | (place & 0xffffffff)};
        }
        edge = {edge.from >> surplus, edge.to >> surplus};
    }
}

void QuadrantTable::edges(const Random& random, Index first, int scale, std::span<Edge> out) const {
    switch ((scale + levels - 1) / levels) {
    case 0:
        std::fill(out.begin(), out.end(), Edge{0, 0});
        return;
    case 1:
        return draw<1>(random, first, scale, out);
    case 2:
        return draw<2>(random, first, scale, out);
    case 3:
        return draw<3>(random, first, scale, out);
    case 4:
        return draw<4>(random, first, scale, out);
    case 5:
        return draw<5>(random, first, scale, out);
    case 6:
        return draw<6>(random, first, scale, out);
    case 7:
        return draw<7>(random, first, scale, out);
    case 8:
        return draw<8>(random, first, scale, out);
    case 9:
        return draw<9>(random, first, scale, out);
    default:
        return draw<10>(random, first, scale, out);
    }
}

} // namespace tropic::generators
