// The mesh, computed again in double precision together with bounds of what roundings may change.
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "verify/adjacency.h"

namespace tropic::verify {

namespace {

/// Numbers, and how far those that were computed with roundings may be off them.
struct Inexact {
    Inexact(Index numbers, const Context& context)
        : value(numbers, 0, context), slack(numbers, 0, context) {}

    Scratch<double> value;
    Scratch<double> slack;

    /// What a product of two such numbers may be off by.
    static double slack_of(const Inexact& a, Index i, const Inexact& b, Index j) {
        return std::abs(a.value[i]) * b.slack[j] + std::abs(b.value[j]) * a.slack[i] +
               a.slack[i] * b.slack[j];
    }
};

/// One round; `unit` is what one operation rounds by, in proportion.
void update(const Adjacency& rows, Inexact& nodes, Inexact& edges, double unit,
            const Context& context) {
    Inexact next(3 * rows.rows(), context);
    for (Index i = 0; i < rows.rows(); ++i) {
        std::array<double, 3> size{};
        for (Index k = 0; k < 3; ++k) {
            next.value[3 * i + k] = 0.8 * nodes.value[3 * i + k];
            next.slack[3 * i + k] = 0.8 * nodes.slack[3 * i + k];
            size[k] = std::abs(next.value[3 * i + k]);
        }
        for (Index e = rows.begin(i); e < rows.end(i); ++e) {
            double product = 0;
            double product_size = 0;
            double product_slack = 0;
            for (Index k = 0; k < 3; ++k) {
                const Index here = 3 * i + k;
                const Index there = 3 * rows.target(e) + k;
                const double term = 0.2 * edges.value[e] * nodes.value[there];
                next.value[here] += term;
                next.slack[here] += 0.2 * Inexact::slack_of(edges, e, nodes, there);
                size[k] += std::abs(term);
                const double part = nodes.value[here] * nodes.value[there];
                product += part;
                product_size += std::abs(part);
                product_slack += Inexact::slack_of(nodes, here, nodes, there);
            }
            edges.value[e] = product / 6;
            edges.slack[e] = (product_slack + 6 * unit * product_size) / 6;
        }
        const auto operations = static_cast<double>(rows.degree(i) + 4);
        for (Index k = 0; k < 3; ++k) next.slack[3 * i + k] += operations * unit * size[k];
    }
    nodes.value.elements().swap(next.value.elements());
    nodes.slack.elements().swap(next.slack.elements());
}

} // namespace

Verdict mesh_update(const Graph& graph, const Array& start, int rounds, const Array& node,
                    const Array& edge, const Context& context) {
    const Adjacency rows = square_rows(graph, context, true);
    const Index n = rows.rows();
    Verdict verdict{"sums in double precision, row by row", size_complaint(node, 3 * n, "node")};
    if (verdict.correct()) verdict.complaint = size_complaint(start, 3 * n, "start");
    if (verdict.correct()) verdict.complaint = size_complaint(edge, rows.entries(), "edge");
    if (!verdict.correct()) return verdict;
    const double unit = node.type() == ElementType::float32 ? 0x1p-24 : 0x1p-53;
    Inexact nodes(3 * n, context);
    Inexact edges(rows.entries(), context);
    for (Index i = 0; i < 3 * n; ++i) nodes.value[i] = start.value_at(i);
    for (Index e = 0; e < rows.entries(); ++e) {
        edges.value[e] = rows.value(e);
        edges.slack[e] = unit * std::abs(rows.value(e));
    }
    for (int round = 0; round < rounds; ++round) {
        context.check_cancelled();
        update(rows, nodes, edges, unit, context);
    }
    constexpr double least = 1e-37; // single precision has few digits for what is less
    for (Index i = 0; i < 3 * n; ++i) {
        if (close(node.value_at(i), nodes.value[i], 0, 2 * nodes.slack[i] + least)) continue;
        verdict.complaint = fmt::format("{} holds {}, not {}", vertex_text(graph, i / 3),
                                        nodes.value[i], node.value_at(i));
        return verdict;
    }
    for (Index e = 0; e < rows.entries(); ++e) {
        if (close(edge.value_at(e), edges.value[e], 0, 2 * edges.slack[e] + least)) continue;
        verdict.complaint =
            fmt::format("entry {} holds {}, not {}", e, edges.value[e], edge.value_at(e));
        return verdict;
    }
    return verdict;
}

} // namespace tropic::verify
