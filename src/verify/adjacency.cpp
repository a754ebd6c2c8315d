#include "verify/adjacency.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "graph/statistics/csr_form.h"
#include "tropic/error.h"

namespace tropic::verify {

Adjacency::Adjacency(const Tensor& matrix, const Context& context, bool weighted)
    : rows_(matrix.dim(0)), cols_(matrix.dim(1)) {
    const Tensor csr = sorted_csr(matrix, context);
    pos_ = csr.level(1).pos;
    crd_ = csr.level(1).crd;
    if (weighted && !csr.is_pattern()) {
        values_ = cast(csr.values(), ElementType::float64, context);
        own_values_ = csr.values();
    }
}

Whole whole_at(const Array& array, Index i) {
    return visit_type(array.type(), [&](auto tag) {
        return static_cast<Whole>(array.as<typename decltype(tag)::type>()[i]);
    });
}

SimpleAdjacency::SimpleAdjacency(const Graph& graph, const Context& context) {
    const Adjacency rows = square_rows(graph, context);
    const Index n = rows.rows();
    charge_ = MemoryCharge(context.budget(),
                           static_cast<std::uint64_t>(n + 1 + 2 * rows.entries()) * sizeof(Index),
                           "verifying");
    pos_.assign(static_cast<std::size_t>(n) + 1, 0);
    for (Index i = 0; i < n; ++i) {
        for (Index e = rows.begin(i); e < rows.end(i); ++e) {
            const Index j = rows.target(e);
            if (i == j) continue;
            ++pos_[i + 1];
            ++pos_[j + 1];
        }
    }
    for (Index i = 0; i < n; ++i) pos_[i + 1] += pos_[i];
    crd_.resize(static_cast<std::size_t>(pos_[n]));
    context.check_cancelled();
    Scratch<Index> next(n, 0, context);
    for (Index i = 0; i < n; ++i) next[i] = pos_[i];
    for (Index i = 0; i < n; ++i) {
        for (Index e = rows.begin(i); e < rows.end(i); ++e) {
            const Index j = rows.target(e);
            if (i == j) continue;
            crd_[next[i]++] = j;
            crd_[next[j]++] = i;
        }
    }
    context.check_cancelled();
    Index kept = 0;
    for (Index i = 0; i < n; ++i) {
        const auto first = crd_.begin() + pos_[i];
        const auto last = crd_.begin() + pos_[i + 1];
        std::sort(first, last);
        pos_[i] = kept;
        Index before = -1;
        for (auto neighbour = first; neighbour != last; ++neighbour) {
            if (*neighbour == before) continue;
            before = *neighbour;
            crd_[kept++] = before;
        }
    }
    pos_[n] = kept;
}

bool SimpleAdjacency::joined(Index a, Index b) const noexcept {
    const auto row = (*this)[a];
    return std::binary_search(row.begin(), row.end(), b);
}

Adjacency square_rows(const Graph& graph, const Context& context, bool weighted) {
    if (graph.tensor.rank() != 2 || graph.tensor.dim(0) != graph.tensor.dim(1)) {
        std::string shape;
        for (const Index size : graph.tensor.shape()) {
            shape += fmt::format("{}{}", shape.empty() ? "" : " x ", size);
        }
        throw Error({.code = ErrorCode::usage,
                     .message = fmt::format("a square graph is wanted, this one is {}", shape)});
    }
    return {graph.tensor, context, weighted};
}

void require_vertex(const Adjacency& rows, Index vertex) {
    if (vertex >= 0 && vertex < rows.rows()) return;
    throw Error({.code = ErrorCode::range,
                 .message = fmt::format("{} is no vertex of a graph of {}", vertex, rows.rows())});
}

WholeNumbers::WholeNumbers(const Array& array, Index size, std::string_view what)
    : array_(array), complaint_(size_complaint(array, size, what)) {
    if (!complaint_.empty() || !is_float(array.type())) return;
    constexpr double most = 9e18;
    for (Index i = 0; i < size; ++i) {
        const double value = array.value_at(i);
        if (value > -most && value < most && value == std::floor(value)) continue;
        complaint_ = fmt::format("{} holds {}, which is no whole number", what, value);
        return;
    }
}

Index WholeNumbers::operator[](Index i) const noexcept {
    if (array_.type() == ElementType::pattern) return 1;
    return visit_type(array_.type(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        return static_cast<Index>(array_.as<T>()[static_cast<std::size_t>(i)]);
    });
}

std::string vertex_text(const Graph& graph, Index vertex) {
    return fmt::format("vertex {}", graph.ids.empty() ? vertex : graph.ids[0][vertex]);
}

Index label_id(const Graph& graph, Index label) {
    const bool named = !graph.ids.empty() && label >= 0 && label < graph.vertices();
    return named ? graph.ids[0][label] : label;
}

std::string size_complaint(const Array& array, Index size, std::string_view what) {
    if (array.size() == size) return {};
    return fmt::format("{} has {} elements instead of {}", what, array.size(), size);
}

bool close(double a, double b, double relative, double absolute) noexcept {
    if (a == b) return true;
    // Nothing is close to infinity but itself.
    if (!std::isfinite(a) || !std::isfinite(b)) return false;
    return std::abs(a - b) <= std::max(absolute, relative * std::max(std::abs(a), std::abs(b)));
}

double precision_of(ElementType type) noexcept {
    return type == ElementType::float32 ? 1e-6 : 1e-12;
}

} // namespace tropic::verify
