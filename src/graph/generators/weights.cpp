#include "graph/generators/weights.h"

#include <algorithm>

namespace tropic::generators {

namespace {

template <class T, class Weight, class Draw>
void fill(CoordinateBlock& block, const Random& random, bool symmetric, const Draw& draw) {
    const auto from = block.coordinates[0].as<T>();
    const auto to = block.coordinates[1].as<T>();
    const auto weights = block.values.mutable_as<Weight>();
    for (Index e = 0; e < block.size(); ++e) {
        auto u = static_cast<std::uint64_t>(from[e]);
        auto v = static_cast<std::uint64_t>(to[e]);
        if (symmetric && u > v) std::swap(u, v);
        weights[e] = draw(random.at(u, v));
    }
}

} // namespace

ElementType WeightRule::type() const noexcept {
    switch (kind) {
    case WeightKind::integers:
        return ElementType::int32;
    case WeightKind::reals:
        return ElementType::float64;
    case WeightKind::own:
    case WeightKind::none:
        break;
    }
    return ElementType::pattern;
}

void fill_weights(const WeightRule& rule, const Random& random, bool symmetric,
                  CoordinateBlock& block) {
    visit_index(block.coordinates[0].type(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        if (rule.kind == WeightKind::integers) {
            const auto count = static_cast<std::uint64_t>(rule.high - rule.low + 1);
            fill<T, std::int32_t>(block, random, symmetric, [&](std::uint64_t bits) {
                return static_cast<std::int32_t>(rule.low + static_cast<Index>(below(bits, count)));
            });
        } else if (rule.kind == WeightKind::reals) {
            const double width = rule.real_high - rule.real_low;
            fill<T, double>(block, random, symmetric, [&](std::uint64_t bits) {
                // Rounding may reach the upper end of a narrow range, never pass it.
                return std::min(rule.real_low + unit_real(bits) * width, rule.real_high);
            });
        }
    });
}

} // namespace tropic::generators
