// Shortest paths against Dijkstra's algorithm; where edge values are negative, by their two
// properties: no edge can be relaxed, and edges without slack lead from the source to every vertex
// that has a distance.
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "verify/searches.h"

namespace tropic::verify {

namespace {

/// Lengths as reals: of values or results that are.
struct Reals {
    using Length = double;
    static constexpr double infinity = std::numeric_limits<double>::infinity();

    const Adjacency& rows;
    const Array& distance;

    double value(Index e) const { return rows.value(e); }

    /// Element `i`, with the largest value of an integer type as infinity.
    double at(Index i) const {
        const double length = distance.value_at(i);
        const bool none = visit_type(distance.type(), [&](auto tag) {
            using T = typename decltype(tag)::type;
            if constexpr (std::is_floating_point_v<T>) return false; // it has its own
            else return length == static_cast<double>(std::numeric_limits<T>::max());
        });
        return none ? infinity : length;
    }

    /// Sums of reals of either width, taken in another order.
    double tolerance() const {
        if (distance.type() == ElementType::float32) return 1e-4;
        return distance.type() == ElementType::float64 ? 1e-9 : 0;
    }
    bool same(double a, double b) const { return close(a, b, tolerance()); }

    /// What sums may be off by where terms of both signs are added up: what comes before on a path
    /// is itself a length.
    double slack() const {
        double largest = 0;
        for (Index v = 0; v < rows.rows(); ++v) {
            if (std::isfinite(at(v))) largest = std::max(largest, std::abs(at(v)));
        }
        return tolerance() * largest;
    }
    static bool same_sum(double a, double b, double slack) { return close(a, b, 0, slack); }
};

/// Lengths as whole numbers, which have to be right to the last digit.
struct Wholes {
    using Length = Whole;
    static constexpr Whole infinity = Whole{1} << 126; // beyond all sums, and below what overflows

    const Adjacency& rows;
    const Array& distance;

    Whole value(Index e) const { return rows.whole_value(e); }
    Whole at(Index i) const {
        return visit_type(distance.type(), [&](auto tag) {
            using T = typename decltype(tag)::type;
            const T length = distance.as<T>()[i];
            if constexpr (std::is_floating_point_v<T>) return infinity; // those are reals
            else return length == std::numeric_limits<T>::max() ? infinity : Whole{length};
        });
    }
    static bool same(Whole a, Whole b) { return a == b; }
    static Whole slack() { return 0; }
    static bool same_sum(Whole a, Whole b, Whole) { return a == b; }
};

/// Calls `check` with the lengths in the numbers that fit them.
template <class Check>
std::string with_lengths(const Adjacency& rows, const Array& distance, const Check& check) {
    const ElementType type = distance.type();
    const bool whole = rows.is_whole() && !is_float(type) && type != ElementType::pattern;
    return whole ? check(Wholes{rows, distance}) : check(Reals{rows, distance});
}

std::string length_text(double length) {
    return fmt::format("{}", length);
}

std::string length_text(Whole length) {
    return length == Wholes::infinity ? "inf" : fmt::format("{}", length);
}

template <class Lengths>
std::string compare(const Graph& graph, const Lengths& lengths, Index source, Index offset,
                    const Context& context) {
    const auto right = heap_distances(
        lengths.rows, source, Lengths::infinity, [&](Index e) { return lengths.value(e); },
        context);
    for (Index v = 0; v < static_cast<Index>(right.size()); ++v) {
        const auto found = lengths.at(offset + v);
        if (lengths.same(found, right[v])) continue;
        return fmt::format("{} is at distance {}, but its distance is {}", vertex_text(graph, v),
                           length_text(found), length_text(right[v]));
    }
    return {};
}

template <class Lengths>
std::string check_properties(const Graph& graph, const Lengths& lengths, Index source,
                             const Context& context) {
    const Adjacency& rows = lengths.rows;
    if (lengths.at(source) != 0) return "the source is not at distance 0";
    const auto slack = lengths.slack();
    Patience patience(context);
    Scratch<char> reached(rows.rows(), 0, context);
    std::vector<Index> queue{source};
    reached[source] = 1;
    for (Index u = 0; u < rows.rows(); ++u) {
        const auto length = lengths.at(u);
        if (length == Lengths::infinity) continue;
        for (Index e = rows.begin(u); e < rows.end(u); ++e) {
            patience.step();
            if (lengths.value(e) == Lengths::infinity) continue; // leads nowhere
            const auto longer = length + lengths.value(e);
            const auto there = lengths.at(rows.target(e));
            if (there <= longer || lengths.same_sum(there, longer, slack)) continue;
            return fmt::format("the edge from {} gives {} a distance of {}, less than {}",
                               vertex_text(graph, u), vertex_text(graph, rows.target(e)),
                               length_text(longer), length_text(there));
        }
    }
    for (std::size_t head = 0; head < queue.size(); ++head) {
        const Index u = queue[head];
        for (Index e = rows.begin(u); e < rows.end(u); ++e) {
            patience.step();
            const Index v = rows.target(e);
            if (reached[v] != 0) continue;
            const auto longer = lengths.at(u) + lengths.value(e);
            if (!lengths.same_sum(lengths.at(v), longer, slack)) continue;
            reached[v] = 1;
            queue.push_back(v);
        }
    }
    for (Index v = 0; v < rows.rows(); ++v) {
        if (reached[v] == 0 && lengths.at(v) != Lengths::infinity) {
            return fmt::format("{} is at distance {}, but no path has that length",
                               vertex_text(graph, v), length_text(lengths.at(v)));
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

/// Edges without a number leave no length that could be checked.
std::string value_complaint(const Graph& graph, const Adjacency& rows) {
    for (Index u = 0; u < rows.rows(); ++u) {
        for (Index e = rows.begin(u); e < rows.end(u); ++e) {
            if (!std::isnan(rows.value(e))) continue;
            return fmt::format("the value of the edge from {} to {} is not a number",
                               vertex_text(graph, u), vertex_text(graph, rows.target(e)));
        }
    }
    return {};
}

} // namespace

Verdict shortest_paths(const Graph& graph, Index source, const Array& distance,
                       const Context& context) {
    const Adjacency rows = square_rows(graph, context, true);
    Verdict verdict{"Dijkstra's algorithm with a binary heap",
                    size_complaint(distance, rows.rows(), "distance")};
    if (verdict.correct()) verdict.complaint = value_complaint(graph, rows);
    if (!verdict.correct()) return verdict;
    require_vertex(rows, source);
    if (has_negative(rows)) {
        verdict.method = "relaxing every edge and following those without slack";
        verdict.complaint = with_lengths(rows, distance, [&](const auto& lengths) {
            return check_properties(graph, lengths, source, context);
        });
    } else {
        verdict.complaint = with_lengths(rows, distance, [&](const auto& lengths) {
            return compare(graph, lengths, source, 0, context);
        });
    }
    return verdict;
}

Verdict all_shortest_paths(const Graph& graph, const Array& distances, const Context& context) {
    const Adjacency rows = square_rows(graph, context, true);
    const Index n = rows.rows();
    Verdict verdict{"Dijkstra's algorithm from every vertex",
                    size_complaint(distances, n * n, "the table of distances")};
    if (verdict.correct()) verdict.complaint = value_complaint(graph, rows);
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
            verdict.complaint = with_lengths(rows, row, [&](const auto& lengths) {
                return check_properties(graph, lengths, s, context);
            });
        } else {
            verdict.complaint = with_lengths(rows, distances, [&](const auto& lengths) {
                return compare(graph, lengths, s, s * n, context);
            });
        }
        if (!verdict.correct()) {
            verdict.complaint = "from " + vertex_text(graph, s) + ": " + verdict.complaint;
        }
    }
    return verdict;
}

} // namespace tropic::verify
