#include "graph/partition/adjacency.h"

#include <fmt/format.h>

#include "graph/statistics/symmetry.h"
#include "support/parallel.h"
#include "tropic/error.h"
#include "tropic/transform.h"

namespace tropic {

namespace {

constexpr Index grain = 1 << 12;

/// METIS allocates twice the entries, counted in 32 bits.
constexpr Index most_entries = (Index{1} << 30) - 1;

using Ints = std::span<const std::int32_t>;
using Doubles = std::span<const double>;

void require_32_bits(std::string_view library, Index vertices, Index entries) {
    if (vertices <= most_entries && entries <= most_entries) return;
    throw Error({.code = ErrorCode::unsupported,
                 .message = fmt::format("{} works with 32-bit numbers, too small for {} vertices "
                                        "with {} neighbours",
                                        library, vertices, entries),
                 .accepted = fmt::format("up to {} of each", most_entries),
                 .hint = "partition into blocks"});
}

/// One side of the union A | A^T at 32 bits. `values` is empty if they do not matter.
struct Side {
    Array pos_array;
    Array crd_array;
    Array value_array;

    Side(const Tensor& matrix, bool with_values, const Context& context)
        : pos_array(cast(matrix.level(1).pos, ElementType::int32, context)),
          crd_array(cast(matrix.level(1).crd, ElementType::int32, context)) {
        if (with_values) value_array = cast(matrix.values(), ElementType::float64, context);
    }
    Ints pos() const { return pos_array.as<std::int32_t>(); }
    Ints crd() const { return crd_array.as<std::int32_t>(); }
    double value(Index e) const { return value_array.empty() ? 1 : value_array.as<double>()[e]; }
};

/// Calls `action(neighbour, weight)` for the distinct neighbours of `v` on either side, ascending;
/// weights of equal ones are added.
template <class Action>
void merge_row(const Side& a, const Side* b, std::int32_t v, const Action& action) {
    Index x = a.pos()[v];
    const Index x_end = a.pos()[v + 1];
    Index y = b != nullptr ? b->pos()[v] : 0;
    const Index y_end = b != nullptr ? b->pos()[v + 1] : 0;
    while (x < x_end || y < y_end) {
        const std::int32_t left = x < x_end ? a.crd()[x] : std::numeric_limits<std::int32_t>::max();
        const std::int32_t right =
            y < y_end ? b->crd()[y] : std::numeric_limits<std::int32_t>::max();
        const std::int32_t neighbour = std::min(left, right);
        double weight = 0;
        for (; x < x_end && a.crd()[x] == neighbour; ++x) weight += a.value(x);
        for (; y < y_end && b->crd()[y] == neighbour; ++y) weight += b->value(y);
        if (neighbour != v) action(neighbour, weight);
    }
}

enum class Values : std::uint8_t { none, usable, unusable };

Values judge(const Array& values, const Context& context) {
    const ElementType type = values.type();
    if (type == ElementType::pattern || type == ElementType::boolean) return Values::none;
    if (is_float(type)) return Values::unusable;
    return visit_type(type, [&](auto tag) {
        using T = typename decltype(tag)::type;
        const auto all = values.as<T>();
        const bool positive = parallel_combine(
            context, values.size(), Index{1} << 16, true,
            [&](Index begin, Index end) {
                return std::all_of(all.begin() + begin, all.begin() + end,
                                   [](T value) { return value > T{0}; });
            },
            std::logical_and<>{});
        return positive ? Values::usable : Values::unusable;
    });
}

/// Turns summed weights into 32-bit integers, smaller ones if their sum is too large.
Array integer_weights(const Array& sums, std::string_view library, Partition& result,
                      const Context& context) {
    const auto from = sums.as<double>();
    const double total = parallel_combine(
        context, sums.size(), Index{1} << 16, 0.0,
        [&](Index begin, Index end) {
            double sum = 0;
            for (Index e = begin; e < end; ++e) sum += from[e];
            return sum;
        },
        std::plus<>{});
    double factor = 1;
    if (total > static_cast<double>(largest_weight_sum)) {
        factor = static_cast<double>(largest_weight_sum - sums.size()) / total;
        result.warnings.push_back(fmt::format(
            "edge weights are scaled by {:.3g} for {}, whose sums have 32 bits", factor, library));
    }
    Array weights =
        Array::allocate(ElementType::int32, sums.size(), context, "edge weights to partition by");
    const auto to = weights.mutable_as<std::int32_t>();
    parallel_ranges(context, sums.size(), Index{1} << 16, [&](Index begin, Index end) {
        for (Index e = begin; e < end; ++e) {
            to[e] = static_cast<std::int32_t>(std::max(1.0, from[e] * factor));
        }
    });
    return weights;
}

/// What the union leaves out of the matrix.
struct Removed {
    Index loops = 0;
    Index duplicates = 0;
};

Removed count_removed(const Side& side, Index vertices, const Context& context) {
    return parallel_combine(
        context, vertices, grain, Removed{},
        [&](Index begin, Index end) {
            Removed removed;
            for (Index v = begin; v < end; ++v) {
                for (Index e = side.pos()[v]; e < side.pos()[v + 1]; ++e) {
                    const std::int32_t j = side.crd()[e];
                    if (j == v) ++removed.loops;
                    else if (e > side.pos()[v] && side.crd()[e - 1] == j) ++removed.duplicates;
                }
            }
            return removed;
        },
        [](const Removed& a, const Removed& b) {
            return Removed{a.loops + b.loops, a.duplicates + b.duplicates};
        });
}

/// The union of both sides; `sums` gets the weights if they are wanted.
Adjacency merge(const Side& own, const Side* mirror, Index vertices, bool weighted, Array& sums,
                std::string_view library, const Context& context) {
    Adjacency result;
    result.positions = Array::allocate(ElementType::int32, vertices + 1, context,
                                       "positions of neighbours to partition by");
    const auto pos = result.positions.mutable_as<std::int32_t>();
    parallel_ranges(context, vertices, grain, [&](Index begin, Index end) {
        for (Index v = begin; v < end; ++v) {
            std::int32_t degree = 0;
            merge_row(own, mirror, static_cast<std::int32_t>(v),
                      [&](std::int32_t, double) { ++degree; });
            pos[v + 1] = degree;
        }
    });
    Index total = 0;
    pos[0] = 0;
    for (Index v = 0; v < vertices; ++v) {
        total += pos[v + 1];
        if (total > most_entries) require_32_bits(library, vertices, total);
        pos[v + 1] = static_cast<std::int32_t>(total);
    }
    result.neighbours =
        Array::allocate(ElementType::int32, total, context, "neighbours to partition by");
    if (weighted) {
        sums = Array::allocate(ElementType::float64, total, context, "sums of edge weights");
    }
    const auto adj = result.neighbours.mutable_as<std::int32_t>();
    const auto weights = weighted ? sums.mutable_as<double>() : std::span<double>();
    parallel_ranges(context, vertices, grain, [&](Index begin, Index end) {
        for (Index v = begin; v < end; ++v) {
            Index at = pos[v];
            merge_row(own, mirror, static_cast<std::int32_t>(v),
                      [&](std::int32_t neighbour, double weight) {
                          adj[at] = neighbour;
                          if (weighted) weights[at] = weight;
                          ++at;
                      });
        }
    });
    return result;
}

} // namespace

Adjacency adjacency_for(std::string_view library, const Tensor& csr, Partition& result,
                        const Context& context) {
    const Index vertices = csr.dim(0);
    require_32_bits(library, vertices, csr.entries());
    const Values values = judge(csr.values(), context);
    const bool weighted = values == Values::usable;
    const Symmetry symmetry = symmetry_of(csr, context);
    // Without equal values both directions of an edge must be added up to one weight.
    const bool mirrored = !(weighted ? symmetry.values : symmetry.pattern);
    const Side own(csr, weighted, context);
    const Removed removed = count_removed(own, vertices, context);
    const auto tell = [&](std::string_view what, std::string_view count, Index number) {
        result.steps.push_back(
            {fmt::format("{} for {}", what, library), {{std::string(count), number}}});
    };
    if (removed.loops > 0) tell("left out self loops", "entries", removed.loops);
    if (removed.duplicates > 0) tell("merged duplicates", "entries", removed.duplicates);
    if (values == Values::unusable) {
        tell("took every edge as 1, values not being positive integers,", "values", csr.entries());
    }

    Adjacency adjacency;
    Array sums;
    if (!mirrored && removed.loops == 0 && removed.duplicates == 0) {
        adjacency.positions = own.pos_array;
        adjacency.neighbours = own.crd_array;
        if (weighted) sums = own.value_array;
    } else if (mirrored) {
        const Side mirror(transpose(csr, context), weighted, context);
        adjacency = merge(own, &mirror, vertices, weighted, sums, library, context);
    } else {
        adjacency = merge(own, nullptr, vertices, weighted, sums, library, context);
    }
    if (!symmetry.pattern) {
        const Index kept = csr.entries() - removed.loops - removed.duplicates;
        tell("symmetrised", "entries added", adjacency.neighbours.size() - kept);
    }
    if (weighted && !sums.empty()) {
        tell(mirrored ? "added the values of both directions to edge weights"
                      : "took values as edge weights",
             "edges", adjacency.neighbours.size() / 2);
        adjacency.edge_weights = integer_weights(sums, library, result, context);
        adjacency.both_added = mirrored;
    }
    return adjacency;
}

double weight_of_cut(const Tensor& csr, const Adjacency& adjacency, const Array& part_of,
                     const Context& context) {
    const Side side(csr, true, context);
    const auto part = part_of.as<std::int32_t>();
    const double both = parallel_combine(
        context, csr.dim(0), grain, 0.0,
        [&](Index begin, Index end) {
            double sum = 0;
            for (Index v = begin; v < end; ++v) {
                for (Index e = side.pos()[v]; e < side.pos()[v + 1]; ++e) {
                    if (part[side.crd()[e]] != part[v]) sum += side.value(e);
                }
            }
            return sum;
        },
        std::plus<>{});
    return adjacency.both_added ? both : both / 2;
}

} // namespace tropic
