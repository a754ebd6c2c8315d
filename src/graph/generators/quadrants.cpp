#include "graph/generators/quadrants.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace tropic::generators {

namespace {

constexpr std::uint32_t column_capacity = 1 << 24;

/// Probabilities of all outcomes of four levels, in units of 2^-32; they add up to one.
std::array<std::uint64_t, 256> outcome_weights(const Quadrants& quadrants) {
    const double unit = 1e9;
    const std::array<double, 4> probability = {
        quadrants.a / unit, quadrants.b / unit, quadrants.c / unit,
        (1'000'000'000 - quadrants.a - quadrants.b - quadrants.c) / unit};
    std::array<std::uint64_t, 256> weights{};
    for (std::uint32_t outcome = 0; outcome < 256; ++outcome) {
        double product = 0x1p32;
        for (std::uint32_t level = 0; level < 4; ++level) {
            const std::uint32_t row = outcome >> (4 + level) & 1;
            const std::uint32_t col = outcome >> level & 1;
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

QuadrantTable::QuadrantTable(const Quadrants& quadrants) : columns_{} {
    auto weights = outcome_weights(quadrants);
    std::vector<std::uint32_t> small;
    std::vector<std::uint32_t> large;
    for (std::uint32_t outcome = 0; outcome < 256; ++outcome) {
        (weights[outcome] < column_capacity ? small : large).push_back(outcome);
    }
    // Every column of a small outcome is filled up by a large one. The sum is exact, so there is
    // always a large one left for a small one.
    while (!small.empty()) {
        const std::uint32_t poor = small.back();
        const std::uint32_t rich = large.back();
        small.pop_back();
        columns_[poor] = {static_cast<std::uint32_t>(weights[poor]), rich};
        weights[rich] -= column_capacity - weights[poor];
        if (weights[rich] < column_capacity) {
            large.pop_back();
            small.push_back(rich);
        }
    }
    for (const std::uint32_t outcome : large) columns_[outcome] = {column_capacity, outcome};
}

} // namespace tropic::generators
