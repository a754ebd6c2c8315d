// Properties that make a graph what its generator promises, checked by brute force.
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "graph/generators/geometric.h"
#include "graph/generators/points.h"
#include "graph/generators/quadrants.h"
#include "unit/generate_helpers.h"

namespace tropic::testing {
namespace {

using namespace generators;

std::vector<Point> points_of(Index n, std::uint64_t seed) {
    std::vector<Point> points;
    for (Index i = 0; i < n; ++i) points.push_back(point_at(Random(seed, Stream::points), i));
    return points;
}

/// Twice the signed area; long double has room to spare for points this far apart.
long double turn(const Point& a, const Point& b, const Point& c) {
    return (static_cast<long double>(b.x) - a.x) * (static_cast<long double>(c.y) - a.y) -
           (static_cast<long double>(b.y) - a.y) * (static_cast<long double>(c.x) - a.x);
}

/// Positive if d is inside the circle through a, b, c (counterclockwise).
long double in_circle(const Point& a, const Point& b, const Point& c, const Point& d) {
    const auto row = [&](const Point& p) {
        const long double x = static_cast<long double>(p.x) - d.x;
        const long double y = static_cast<long double>(p.y) - d.y;
        return std::array<long double, 3>{x, y, x * x + y * y};
    };
    const auto p = row(a);
    const auto q = row(b);
    const auto r = row(c);
    return p[0] * (q[1] * r[2] - q[2] * r[1]) - p[1] * (q[0] * r[2] - q[2] * r[0]) +
           p[2] * (q[0] * r[1] - q[1] * r[0]);
}

TEST(GenerateDelaunay, IsAllTrianglesWithEmptyCircumcircles) {
    for (const std::uint64_t seed : {1, 2, 3}) {
        constexpr Index n = 40;
        const auto points = points_of(n, seed);
        std::set<std::pair<Index, Index>> expected;
        for (Index a = 0; a < n; ++a) {
            for (Index b = 0; b < n; ++b) {
                for (Index c = 0; c < n; ++c) {
                    if (a == b || b == c || a == c) continue;
                    if (turn(points[a], points[b], points[c]) <= 0) continue;
                    bool empty = true;
                    for (Index d = 0; d < n && empty; ++d) {
                        if (d == a || d == b || d == c) continue;
                        empty = in_circle(points[a], points[b], points[c], points[d]) <= 0;
                    }
                    if (!empty) continue;
                    for (const auto& [u, v] : {std::pair(a, b), std::pair(b, c), std::pair(c, a)}) {
                        expected.emplace(u, v);
                        expected.emplace(v, u);
                    }
                }
            }
        }
        std::set<std::pair<Index, Index>> found;
        for (const auto& [u, v, w] : edges_of("delaunay:40", {}, {}, seed).entries) {
            found.emplace(u, v);
        }
        EXPECT_EQ(found, expected);
    }
}

/// Corners of the convex hull by Andrew's monotone chain.
Index hull_size(std::vector<Point> points) {
    std::sort(points.begin(), points.end(), [](const Point& a, const Point& b) {
        return std::pair(a.x, a.y) < std::pair(b.x, b.y);
    });
    Index corners = 0;
    for (int side = 0; side < 2; ++side) {
        std::vector<Point> chain;
        for (const Point& point : points) {
            while (chain.size() > 1 && turn(chain[chain.size() - 2], chain.back(), point) <= 0) {
                chain.pop_back();
            }
            chain.push_back(point);
        }
        corners += static_cast<Index>(chain.size()) - 1;
        std::reverse(points.begin(), points.end());
    }
    return corners;
}

TEST(GenerateDelaunay, HasAsManyEdgesAsEulerSays) {
    for (const Index n : {3, 10, 1000, 20000}) {
        const Edges edges = edges_of("delaunay:" + std::to_string(n));
        const auto m = static_cast<Index>(edges.entries.size()) / 2;
        EXPECT_EQ(m, 3 * n - 3 - hull_size(points_of(n, 1))) << n;
        EXPECT_EQ(components(edges), 1);
        EXPECT_EQ(simple_faults(edges), "");
    }
}

TEST(GenerateRgg, AgreesWithComparingAllPairs) {
    struct Row {
        Index n;
        double radius; ///< 0: the default
    };
    for (const Row& row : {Row{2, 0}, Row{300, 0}, Row{1000, 0}, Row{300, 0.03}, Row{300, 0.34},
                           Row{300, 0.5}, Row{100, 1.2}, Row{500, 1e-9}, Row{10, 0.1}}) {
        const double radius = row.radius > 0 ? row.radius : default_radius(row.n);
        const auto points = points_of(row.n, 1);
        std::vector<Entry> expected;
        for (Index a = 0; a < row.n; ++a) {
            for (Index b = 0; b < row.n; ++b) {
                const double dx = points[a].x - points[b].x;
                const double dy = points[a].y - points[b].y;
                if (a != b && dx * dx + dy * dy <= radius * radius) expected.emplace_back(a, b, 1);
            }
        }
        std::string text = "rgg:" + std::to_string(row.n);
        if (row.radius > 0) text += "," + std::to_string(row.radius);
        if (row.radius == 1e-9) text = "rgg:500,1e-9";
        EXPECT_EQ(built(edges_of(text)), expected) << text;
    }
}

TEST(GenerateRgg, DefaultRadius) {
    for (const Index n : {2, 3, 1000, 1 << 20}) {
        const double wide =
            0.55 * std::sqrt(std::log(static_cast<double>(n)) / static_cast<double>(n));
        EXPECT_NEAR(default_radius(n), wide, 1e-15);
    }
    EXPECT_NEAR(default_radius(1), 0, 1e-8);
}

TEST(GenerateRoad, IsConnectedSparseAndOfHighDiameter) {
    for (const Index n : {2, 3, 4, 5, 6, 7, 10, 100, 1023, 5000, 50000}) {
        SCOPED_TRACE(n);
        const Edges edges = edges_of("road:" + std::to_string(n));
        EXPECT_EQ(edges.vertices, n);
        EXPECT_EQ(components(edges), 1);
        EXPECT_EQ(simple_faults(edges), "");
        for (const auto& [u, v, w] : edges.entries) ASSERT_TRUE(w >= 1 && w < 3000);
        if (n < 1000) continue;
        const double degree = static_cast<double>(edges.entries.size()) / static_cast<double>(n);
        EXPECT_GT(degree, 2.4);
        EXPECT_LT(degree, 2.8);
        const auto degrees = degrees_of(edges);
        EXPECT_LE(*std::max_element(degrees.begin(), degrees.end()), 4);
        const auto share = [&](Index d) {
            return static_cast<double>(std::count(degrees.begin(), degrees.end(), d)) /
                   static_cast<double>(n);
        };
        EXPECT_GT(share(1), 0.02);
        EXPECT_GT(share(2), 0.3);
        EXPECT_GT(share(3), 0.2);

        // Breadth-first levels from vertex 0: no fewer than the lattice is wide.
        std::vector<std::vector<Index>> neighbours(n);
        for (const auto& [u, v, w] : edges.entries) neighbours[u].push_back(v);
        std::vector<Index> level(n, -1);
        std::vector<Index> queue = {0};
        level[0] = 0;
        for (std::size_t at = 0; at < queue.size(); ++at) {
            for (const Index v : neighbours[queue[at]]) {
                if (level[v] >= 0) continue;
                level[v] = level[queue[at]] + 1;
                queue.push_back(v);
            }
        }
        EXPECT_GT(static_cast<double>(level[queue.back()]), std::sqrt(static_cast<double>(n)));
    }
}

/// Sum of (observed - expected)^2 / expected over cells of given probabilities.
double chi_square(const std::vector<Index>& observed, const std::vector<double>& probability) {
    const auto total =
        static_cast<double>(std::accumulate(observed.begin(), observed.end(), Index{0}));
    double sum = 0;
    for (std::size_t i = 0; i < observed.size(); ++i) {
        const double expected = total * probability[i];
        const double difference = static_cast<double>(observed[i]) - expected;
        sum += difference * difference / expected;
    }
    return sum;
}

TEST(GenerateKron, FallsIntoQuadrantsAtEveryLevelAsItShould) {
    struct Row {
        const char* expression;
        std::vector<double> probability;
    };
    // Scale 11 is not a multiple of the four levels drawn at once.
    for (const Row& row : {Row{"rmat:11,64,raw", {.57, .19, .19, .05}},
                           Row{"rmat:11,64,raw,a=.1,b=.2,c=.3,seed=5", {.1, .2, .3, .4}}}) {
        const Edges edges = edges_of(row.expression);
        for (int level = 0; level < 11; ++level) {
            std::vector<Index> observed(4);
            for (const auto& [u, v, w] : edges.entries) {
                ++observed[2 * (u >> level & 1) + (v >> level & 1)];
            }
            // 3 degrees of freedom: 21.1 is passed once in ten thousand times.
            EXPECT_LT(chi_square(observed, row.probability), 21.1) << "level " << level;
        }
        // Two levels together, inside one draw and across draws: they must be independent.
        for (const auto& [low, high] : {std::pair(0, 1), std::pair(2, 3), std::pair(6, 7),
                                        std::pair(3, 9), std::pair(0, 10)}) {
            std::vector<Index> observed(16);
            std::vector<double> probability(16);
            for (const auto& [u, v, w] : edges.entries) {
                const Index first = 2 * (u >> low & 1) + (v >> low & 1);
                const Index second = 2 * (u >> high & 1) + (v >> high & 1);
                ++observed[4 * first + second];
            }
            for (std::size_t i = 0; i < 16; ++i) {
                probability[i] = row.probability[i / 4] * row.probability[i % 4];
            }
            EXPECT_LT(chi_square(observed, probability), 44.3) << low << " and " << high;
        }
    }
}

TEST(GenerateKron, QuadrantsOfProbabilityZeroStayEmpty) {
    for (const auto& [u, v, w] : edges_of("rmat:9,raw,a=1,b=0,c=0").entries) {
        ASSERT_EQ(u + v, 0);
    }
    for (const auto& [u, v, w] : edges_of("rmat:9,raw,a=0.5,b=0,c=0").entries) ASSERT_EQ(u, v);
    for (const auto& [u, v, w] : edges_of("rmat:9,raw,a=0,b=0,c=1").entries) {
        ASSERT_EQ(u, 511);
        ASSERT_EQ(v, 0);
    }
}

TEST(GenerateKron, PermutesVertices) {
    for (const int bits : {0, 1, 2, 3, 7, 12}) {
        const Scramble scramble(bits, Random(1, Stream::permutation));
        std::set<std::uint64_t> images;
        for (std::uint64_t x = 0; x < std::uint64_t{1} << bits; ++x) images.insert(scramble(x));
        EXPECT_EQ(images.size(), std::size_t{1} << bits);
        EXPECT_LT(*images.rbegin(), std::uint64_t{1} << bits);
    }
    // The same edges as the unpermuted recursion with other names: the degrees agree as a multiset,
    // the busiest vertices do not come first.
    const Edges kron = edges_of("kron:10,raw");
    const Edges plain = edges_of("rmat:10,raw");
    const Scramble scramble(10, Random(1, Stream::permutation));
    std::vector<Entry> renamed;
    for (const auto& [u, v, w] : plain.entries) {
        renamed.emplace_back(scramble(static_cast<std::uint64_t>(u)),
                             scramble(static_cast<std::uint64_t>(v)), w);
    }
    EXPECT_EQ(kron.entries, renamed);
    std::vector<Index> halves(2);
    const auto degrees = degrees_of(edges_of("kron:14"));
    for (std::size_t v = 0; v < degrees.size(); ++v) halves[v >> 13] += degrees[v];
    EXPECT_NEAR(static_cast<double>(halves[0]) / static_cast<double>(halves[0] + halves[1]), 0.5,
                0.05);
}

TEST(GenerateUrand, IsUniform) {
    const Edges edges = edges_of("urand:8,256,raw");
    std::vector<Index> from(256);
    std::vector<Index> to(256);
    std::vector<Index> pairs(1024);
    for (const auto& [u, v, w] : edges.entries) {
        ++from[u];
        ++to[v];
        ++pairs[u % 32 * 32 + v / 8];
    }
    // Means of 255 and 1023 with deviations of 22.6 and 45.2: five of them are far away.
    EXPECT_LT(chi_square(from, std::vector<double>(256, 1.0 / 256)), 370);
    EXPECT_LT(chi_square(to, std::vector<double>(256, 1.0 / 256)), 370);
    EXPECT_LT(chi_square(pairs, std::vector<double>(1024, 1.0 / 1024)), 1250);
}

TEST(GenerateGrid, RemovesTheShareAskedFor) {
    const auto count = [](const char* expression) {
        return static_cast<double>(edges_of(expression).entries.size());
    };
    EXPECT_NEAR(count("grid:300x300,remove=0.1") / count("grid:300x300"), 0.9, 0.005);
    EXPECT_NEAR(count("grid:40x40x40,remove=0.75") / count("grid:40x40x40"), 0.25, 0.008);
}

TEST(GenerateBipartite, JoinsWithTheProbabilityAskedFor) {
    struct Row {
        const char* expression;
        double expected;
    };
    for (const Row& row :
         {Row{"bipartite:300x400,0.5", 60000}, Row{"bipartite:300x400,0.9", 108000},
          Row{"bipartite:3000x4000,0.001", 12000}, Row{"bipartite:1e6x1e6,1e-8", 10000}}) {
        const Edges edges = edges_of(row.expression);
        EXPECT_NEAR(static_cast<double>(edges.entries.size()) / 2, row.expected,
                    5 * std::sqrt(row.expected))
            << row.expression;
        EXPECT_EQ(simple_faults(edges), "");
    }
    // Every pair is as likely as any other.
    std::vector<Index> observed(12);
    for (int seed = 0; seed < 3000; ++seed) {
        const Edges edges =
            edges_of("bipartite:3x4,0.25,directed", {}, {}, static_cast<std::uint64_t>(seed));
        for (const auto& [u, v, w] : edges.entries) ++observed[u * 4 + v - 3];
    }
    for (const Index count : observed) EXPECT_NEAR(static_cast<double>(count), 750, 5 * 23.7);
}

} // namespace
} // namespace tropic::testing
