// Edge weights as a hash of the edge's end points: they do not depend on the order of the edges,
// duplicates of an edge agree, and the two directions of an undirected edge have the same weight.
#pragma once

#include "graph/generators/random.h"
#include "tropic/coordinates.h"

namespace tropic::generators {

enum class WeightKind : std::uint8_t {
    own,      ///< what the family does by itself: lengths for roads, nothing for most
    none,     ///< pattern
    integers, ///< uniform int32 in [low, high]
    reals,    ///< uniform float64 in [low, high)
};

/// The weights asked for.
struct WeightRule {
    WeightKind kind = WeightKind::own;
    Index low = 1;
    Index high = 255;
    double real_low = 0;
    double real_high = 1;

    ElementType type() const noexcept;
};

/// Writes the weights of a block whose coordinates are there; `symmetric`: (i, j) and (j, i) get
/// the same one.
void fill_weights(const WeightRule& rule, const Random& random, bool symmetric,
                  CoordinateBlock& block);

} // namespace tropic::generators
