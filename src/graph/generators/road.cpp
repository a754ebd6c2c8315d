// road: a planar, connected network of high diameter that looks like the road graphs of countries.
// Junctions are the points of a jittered lattice. Each but the first keeps a road to its left or
// upper neighbour, which makes a spanning tree, and the other of the two with a probability that
// varies from region to region. Roads are then divided into chains of vertices of degree two, few
// in dense regions and many in sparse ones. Edges have their rounded length as weight.
#include <algorithm>
#include <array>
#include <cmath>

#include "graph/generators/families.h"
#include "graph/generators/points.h"

namespace tropic::generators {

namespace {

/// The distance of lattice points in the unit of the weights: metres, say.
constexpr double spacing = 1000;
constexpr double jitter = 0.45;     ///< of a junction, in spacings, to both sides together
constexpr double junctions = 0.6;   ///< share of all vertices; gives a mean degree of 2.6
constexpr Index longest_chain = 64; ///< largest share in the vertices of chains, see Road::share

/// What kind of country a region is: how many of the roads beyond the tree it has, and how likely
/// its roads are to be divided.
struct Region {
    double density;
    std::uint64_t division;
};
constexpr std::array<Region, 3> regions = {{{0.75, 2}, {0.5, 4}, {0.25, 8}}};

/// A road between junctions that is kept.
struct Road {
    Index from;
    Index to;
    Index share; ///< of the vertices on chains: chains get vertices in proportion to it
};

class RoadNetwork {
  public:
    RoadNetwork(Index vertices, const Request& request)
        : vertices_(vertices), edges_(request.random(Stream::edges)),
          points_(request.random(Stream::points)), chains_(request.random(Stream::chains)) {
        count_ = vertices <= 2
                     ? vertices
                     : static_cast<Index>(std::ceil(junctions * static_cast<double>(vertices)));
        width_ = std::max<Index>(1, static_cast<Index>(std::sqrt(static_cast<double>(count_))));
        region_width_ = std::clamp<Index>(width_ / 8, 4, 32);
    }

    Index junction_count() const noexcept { return count_; }

    /// Calls `visit(road)` for the roads from a junction to its left and upper neighbours.
    template <class Visit> void roads_of(Index junction, const Visit& visit) const {
        const bool has_left = junction % width_ != 0;
        const bool has_up = junction >= width_;
        if (!has_left && !has_up) return;
        const auto key = static_cast<std::uint64_t>(junction);
        const std::uint64_t bits = edges_.at(key);
        const Region& region = region_of(junction);
        const bool tree_is_left = has_left && (!has_up || (bits & 1) != 0);
        const bool both = has_left && has_up && Chance(region.density).happens(bits);
        if (has_left && (tree_is_left || both)) {
            visit(Road{junction, junction - 1, share(2 * key, region)});
        }
        if (has_up && (!tree_is_left || both)) {
            visit(Road{junction, junction - width_, share(2 * key + 1, region)});
        }
    }

    /// The number of chain vertices before a road, if `shares` of `all` come before it.
    Index chain_start(Index shares, Index all) const noexcept {
        const auto chain_vertices = static_cast<Wide>(vertices_ - count_);
        return all == 0 ? 0
                        : static_cast<Index>(chain_vertices * static_cast<Wide>(shares) /
                                             static_cast<Wide>(all));
    }

    /// Emits the pieces of a road with `inner` chain vertices, the first of them `first`.
    template <class Emit>
    void emit_road(const Road& road, Index first, Index inner, Emit& emit) const {
        const Point a = position(road.from);
        const Point b = position(road.to);
        Point last = a;
        Index at = road.from;
        for (Index i = 0; i <= inner; ++i) {
            const Index next = i == inner ? road.to : first + i;
            const Point point = i == inner ? b : bend(a, b, i + 1, inner + 1, next);
            emit(at, next, length(last, point));
            at = next;
            last = point;
        }
    }

  private:
    const Region& region_of(Index junction) const noexcept {
        const auto column = static_cast<std::uint64_t>(junction % width_ / region_width_);
        const auto row = static_cast<std::uint64_t>(junction / width_ / region_width_);
        return regions[below(edges_.at(column, row), regions.size())];
    }

    /// Mostly small, sometimes long: a spread that depends on the region, times a run of heads.
    Index share(std::uint64_t road, const Region& region) const noexcept {
        const std::uint64_t bits = chains_.at(road);
        const auto run = static_cast<std::uint64_t>(__builtin_ctzll(bits | 1 << 6));
        const auto spread = below(bits, region.division) + 1;
        return std::min(longest_chain, static_cast<Index>(spread * (run + 1)));
    }

    Point position(Index junction) const noexcept {
        const Point shift = point_at(points_, junction);
        const Index row = junction / width_;
        return {(static_cast<double>(junction % width_) + jitter * (shift.x - 0.5)) * spacing,
                (static_cast<double>(row) + jitter * (shift.y - 0.5)) * spacing};
    }

    /// A point on the way from a to b, beside the straight line.
    Point bend(const Point& a, const Point& b, Index part, Index parts,
               Index vertex) const noexcept {
        const double t = static_cast<double>(part) / static_cast<double>(parts);
        const double aside = (point_at(points_, vertex).x - 0.5) / static_cast<double>(parts) * 0.5;
        return {a.x + (b.x - a.x) * t - (b.y - a.y) * aside,
                a.y + (b.y - a.y) * t + (b.x - a.x) * aside};
    }

    static std::int32_t length(const Point& a, const Point& b) noexcept {
        const double dx = a.x - b.x;
        const double dy = a.y - b.y;
        return std::max(1, static_cast<std::int32_t>(std::lround(std::sqrt(dx * dx + dy * dy))));
    }

    Index vertices_;
    Index count_;
    Index width_;
    Index region_width_; ///< in junctions: small networks have several regions too
    Random edges_;
    Random points_;
    Random chains_;
};

/// Junctions whose shares are summed together: how the numbers of chain vertices are found without
/// looking at all roads before.
constexpr Index group = 1024;

} // namespace

GeneratedEdges make_road(const Request& request, const Context& context) {
    const Index n = request.whole(0, "number of vertices", 0, most_vertices);
    const RoadNetwork network(n, request);
    const Index count = network.junction_count();
    const Index groups = (count + group - 1) / group;
    const EdgeSource source{.vertices = n,
                            .items = groups,
                            .edges_per_item = 3 * group,
                            .counted = true,
                            .edges_at_least = n - 1, // connected
                            .random = true,
                            .lengths = true};
    require_room(source, request, context, source.edges_at_least);
    Array sums = Array::zeros(ElementType::int64, groups + 1, context, "road groups");
    const auto before = sums.mutable_as<std::int64_t>();
    parallel_ranges(context, groups, 64, [&](Index begin, Index end) {
        for (Index g = begin; g < end; ++g) {
            Index sum = 0;
            for (Index j = g * group; j < std::min(count, (g + 1) * group); ++j) {
                network.roads_of(j, [&](const Road& road) { sum += road.share; });
            }
            before[g + 1] = sum;
        }
    });
    for (Index g = 0; g < groups; ++g) before[g + 1] += before[g];

    const Index all = before[groups];
    return write_edges(source, request, context, [&](Index begin, Index end, auto& emit) {
        for (Index g = begin; g < end; ++g) {
            Index shares = before[g];
            for (Index j = g * group; j < std::min(count, (g + 1) * group); ++j) {
                network.roads_of(j, [&](const Road& road) {
                    const Index first = network.chain_start(shares, all);
                    shares += road.share;
                    const Index inner = network.chain_start(shares, all) - first;
                    network.emit_road(road, count + first, inner, emit);
                });
            }
        }
    });
}

} // namespace tropic::generators
