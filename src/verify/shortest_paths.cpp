// Shortest paths against Dijkstra's algorithm; where edge values are negative, by their two
// properties: no edge can be relaxed, and edges without slack lead from the source to every vertex
// that has a distance.
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "verify/searches.h"

namespace tropic::verify {

namespace {

/// Sums of reals of either width, taken in another order.
double tolerance_of(const Array& distance) {
    if (distance.type() == ElementType::float32) return 1e-4;
    return distance.type() == ElementType::float64 ? 1e-9 : 0;
}

/// Element `i`, with the largest value of an integer type as infinity.
double length_at(const Array& distance, Index i) {
    const double value = distance.value_at(i);
    const bool none = visit_type(distance.type(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        if constexpr (std::is_floating_point_v<T>) return std::isinf(value);
        else return value == static_cast<double>(std::numeric_limits<T>::max());
    });
    return none ? std::numeric_limits<double>::infinity() : value;
}

std::string compare(const Graph& graph, const std::vector<double>& right, const Array& distance,
                    Index offset) {
    const double tolerance = tolerance_of(distance);
    for (Index v = 0; v < static_cast<Index>(right.size()); ++v) {
        const double found = length_at(distance, offset + v);
        if (close(found, right[v], tolerance)) continue;
        return fmt::format("{} is at distance {}, but its distance is {}", vertex_text(graph, v),
                           found, right[v]);
    }
    return {};
}

std::string check_properties(const Graph& graph, const Adjacency& rows, Index source,
                             const Array& distance, const Context& context) {
    const double tolerance = tolerance_of(distance);
    if (length_at(distance, source) != 0) return "the source is not at distance 0";
    Patience patience(context);
    Scratch<char> reached(rows.rows(), 0, context);
    std::vector<Index> queue{source};
    reached[source] = 1;
    for (Index u = 0; u < rows.rows(); ++u) {
        const double length = length_at(distance, u);
        if (std::isinf(length)) continue;
        for (Index e = rows.begin(u); e < rows.end(u); ++e) {
            patience.step();
            const double longer = length + rows.value(e);
            const double there = length_at(distance, rows.target(e));
            if (there <= longer || close(there, longer, tolerance, tolerance)) continue;
            return fmt::format("the edge from {} gives {} a distance of {}, less than {}",
                               vertex_text(graph, u), vertex_text(graph, rows.target(e)), longer,
                               there);
        }
    }
    for (std::size_t head = 0; head < queue.size(); ++head) {
        const Index u = queue[head];
        for (Index e = rows.begin(u); e < rows.end(u); ++e) {
            const Index v = rows.target(e);
            if (reached[v] != 0) continue;
            const double longer = length_at(distance, u) + rows.value(e);
            if (!close(length_at(distance, v), longer, tolerance, tolerance)) continue;
            reached[v] = 1;
            queue.push_back(v);
        }
    }
    for (Index v = 0; v < rows.rows(); ++v) {
        if (reached[v] == 0 && !std::isinf(length_at(distance, v))) {
            return fmt::format("{} is at distance {}, but no path has that length",
                               vertex_text(graph, v), length_at(distance, v));
        }
    }
    return {};
}

bool has_negative(const Adjacency& rows) {
    for (Index e = 0; e < rows.entries(); ++e) {
        if (rows.value(e) < 0) return true;
    }
    return false;
}

} // namespace

Verdict shortest_paths(const Graph& graph, Index source, const Array& distance,
                       const Context& context) {
    const Adjacency rows = square_rows(graph, context, true);
    Verdict verdict{"Dijkstra's algorithm with a binary heap",
                    size_complaint(distance, rows.rows(), "distance")};
    if (!verdict.correct()) return verdict;
    require_vertex(rows, source);
    if (has_negative(rows)) {
        verdict.method = "relaxing every edge and following those without slack";
        verdict.complaint = check_properties(graph, rows, source, distance, context);
    } else {
        verdict.complaint = compare(graph, heap_distances(rows, source, context), distance, 0);
    }
    return verdict;
}

Verdict all_shortest_paths(const Graph& graph, const Array& distances, const Context& context) {
    const Adjacency rows = square_rows(graph, context, true);
    const Index n = rows.rows();
    Verdict verdict{"Dijkstra's algorithm from every vertex",
                    size_complaint(distances, n * n, "the table of distances")};
    if (!verdict.correct()) return verdict;
    const bool negative = has_negative(rows);
    if (negative) verdict.method = "relaxing every edge and following those without slack";
    for (Index s = 0; s < n && verdict.correct(); ++s) {
        if (negative) {
            const Array row =
                Array::borrow(distances.type(),
                              static_cast<const char*>(distances.data()) +
                                  static_cast<std::size_t>(s * n) * size_of(distances.type()),
                              n);
            verdict.complaint = check_properties(graph, rows, s, row, context);
        } else {
            verdict.complaint = compare(graph, heap_distances(rows, s, context), distances, s * n);
        }
        if (!verdict.correct()) {
            verdict.complaint = "from " + vertex_text(graph, s) + ": " + verdict.complaint;
        }
    }
    return verdict;
}

} // namespace tropic::verify
