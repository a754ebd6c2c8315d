// rgg: random points in the unit square, joined where they are at most a radius apart. Points are
// sorted into square cells at least a radius wide, so that only neighbouring cells are compared.
#include "graph/generators/geometric.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "graph/generators/families.h"
#include "graph/generators/points.h"

namespace tropic::generators {

namespace {

/// The natural logarithm. Not std::log: its last bit may differ from machine to machine.
double logarithm(double x) noexcept {
    int exponent = 0;
    const double mantissa = std::frexp(x, &exponent); // in [0.5, 1)
    // ln m = 2 artanh((m - 1) / (m + 1)); the argument is in [-1/3, 0], so 20 terms are plenty.
    const double t = (mantissa - 1) / (mantissa + 1);
    const double square = t * t;
    double sum = 0;
    for (int k = 39; k >= 1; k -= 2) sum = sum * square + 1.0 / k;
    return 2 * t * sum + exponent * std::numbers::ln2;
}

/// Even in a corner a point sees a quarter of its disc: so many pairs are near each other, but for
/// a chance that is nothing for the many points it matters for.
Index edges_at_least(Index n, double radius) noexcept {
    if (n < 1000) return 0;
    const double reach = std::min(1.0, radius);
    const auto count = static_cast<double>(n);
    return static_cast<Index>(std::min(0x1p56, 0.3 * count * count * reach * reach));
}

/// Points sorted by cell, cells row by row; `start[c]` is the first point of cell c.
struct Cells {
    Index side = 1;
    Array points; ///< x and y by turns
    Array ids;    ///< the number of each point
    Array start;
};

Index cell_of(const Point& point, Index side) noexcept {
    const auto along = [&](double x) {
        return std::min(side - 1, static_cast<Index>(x * static_cast<double>(side)));
    };
    return along(point.y) * side + along(point.x);
}

Cells sort_into_cells(Index n, double radius, const Random& random, const Context& context) {
    Cells cells;
    // A little wider than the radius, so that rounding cannot hide a neighbour two cells away; not
    // more cells than points.
    const double most = std::sqrt(static_cast<double>(n));
    const double across = radius > 0 ? std::min(0.999 / radius, most) : most;
    cells.side = std::max<Index>(1, static_cast<Index>(across));
    const Index count = cells.side * cells.side;
    cells.points = Array::allocate(ElementType::float64, 2 * n, context, "points");
    cells.ids = Array::allocate(ElementType::int64, n, context, "point numbers");
    cells.start = Array::zeros(ElementType::int64, count + 2, context, "cells of points");
    const auto points = cells.points.mutable_as<double>();
    const auto ids = cells.ids.mutable_as<std::int64_t>();
    const auto start = cells.start.mutable_as<std::int64_t>();
    // Counts stand two places ahead, so that after summing and placing start[c] is in its place.
    for (Index i = 0; i < n; ++i) ++start[cell_of(point_at(random, i), cells.side) + 2];
    context.check_cancelled();
    std::partial_sum(start.begin(), start.end(), start.begin());
    for (Index i = 0; i < n; ++i) {
        const Point point = point_at(random, i);
        const Index at = start[cell_of(point, cells.side) + 1]++;
        points[2 * at] = point.x;
        points[2 * at + 1] = point.y;
        ids[at] = i;
    }
    context.check_cancelled();
    return cells;
}

} // namespace

double default_radius(Index n) noexcept {
    const auto count = static_cast<double>(n);
    // The logarithm of 1 may come out a little below 0.
    return 0.55 * std::sqrt(std::max(0.0, logarithm(count)) / count);
}

GeneratedEdges make_rgg(const Request& request, const Context& context) {
    const Index n = request.whole(0, "number of vertices", 0, most_vertices);
    const double usual = n > 0 ? default_radius(n) : 0;
    const double radius = request.real_or(1, "radius", 0, 2, usual);
    const EdgeSource source{.vertices = n,
                            .items = n,
                            .edges_per_item = 8,
                            .counted = true,
                            .edges_at_least = edges_at_least(n, radius),
                            .random = true};
    require_room(source, request, context, source.edges_at_least);
    if (n == 0) return write_edges(source, request, context, [](Index, Index, auto&) {});

    const Cells cells = sort_into_cells(n, radius, request.random(Stream::points), context);
    const auto points = cells.points.as<double>();
    const auto ids = cells.ids.as<std::int64_t>();
    const auto start = cells.start.as<std::int64_t>();
    const Index side = cells.side;
    const double limit = radius * radius;
    return write_edges(source, request, context, [&](Index begin, Index end, auto& emit) {
        const auto compare = [&](Index p, Index first, Index last) {
            for (Index q = first; q < last; ++q) {
                const double dx = points[2 * p] - points[2 * q];
                const double dy = points[2 * p + 1] - points[2 * q + 1];
                if (dx * dx + dy * dy <= limit) emit(ids[p], ids[q]);
            }
        };
        // Each pair once: with later points of the same cell and its right neighbour, and with the
        // three cells of the next row. Neighbouring cells of a row are one run of points.
        for (Index p = begin; p < end; ++p) {
            const Index cell = cell_of({points[2 * p], points[2 * p + 1]}, side);
            const Index column = cell % side;
            const Index right = column + 1 < side ? 1 : 0;
            const Index left = column > 0 ? 1 : 0;
            compare(p, p + 1, start[cell + right + 1]);
            if (cell + side < side * side) {
                compare(p, start[cell + side - left], start[cell + side + right + 1]);
            }
        }
    });
}

} // namespace tropic::generators
