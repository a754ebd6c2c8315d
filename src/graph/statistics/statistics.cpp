// The numbers that describe a matrix. Everything is computed on its csr form; a csc matrix is
// described as its transpose and rows and columns are exchanged at the end.
#include "tropic/statistics.h"

#include <fmt/format.h>

#include "graph/build/squeeze.h"
#include "graph/statistics/csr_form.h"
#include "graph/statistics/degree_summary.h"
#include "graph/statistics/degrees.h"
#include "graph/statistics/symmetry.h"
#include "graph/statistics/value_summary.h"
#include "support/parallel.h"
#include "tropic/error.h"

namespace tropic {

namespace {

constexpr std::string_view phase = "describing";

/// The transpose, by exchanging what the levels stand for.
Tensor flipped(const Tensor& matrix) {
    return {{matrix.dim(1), matrix.dim(0)},
            {matrix.format().levels, {0, 1}},
            matrix.levels(),
            matrix.values(),
            matrix.unique(),
            matrix.sorted()};
}

struct RowCounts {
    Index self_loops = 0;
    Index duplicates = 0;
};

/// Loops are found by bisection; only rows that may hold duplicates are walked.
RowCounts count_in_rows(const Tensor& csr, bool square, const Context& context) {
    return visit_csr(csr, [&]<class Pos, class Crd>(const CsrView<Pos, Crd>& view) {
        return parallel_combine(
            context, view.rows, Index{1} << 13, RowCounts{},
            [&](Index begin, Index end) {
                RowCounts counts;
                for (Index i = begin; i < end; ++i) {
                    const Crd* first = view.crd.data() + view.pos[i];
                    const Crd* last = view.crd.data() + view.pos[i + 1];
                    if (square) {
                        const auto loops = std::equal_range(first, last, static_cast<Crd>(i));
                        counts.self_loops += loops.second - loops.first;
                    }
                    if (csr.unique()) continue;
                    for (const Crd* c = first; c + 1 < last; ++c) {
                        counts.duplicates += c[0] == c[1] ? 1 : 0;
                    }
                }
                return counts;
            },
            [](const RowCounts& a, const RowCounts& b) {
                return RowCounts{a.self_loops + b.self_loops, a.duplicates + b.duplicates};
            });
    });
}

/// Vertices whose row and column are both empty.
template <class Pos, class Crd, class Degrees>
Index count_isolated(const CsrView<Pos, Crd>& view, const Degrees& in_degrees,
                     const Context& context) {
    return parallel_combine(
        context, view.rows, degree_grain, Index{0},
        [&](Index begin, Index end) {
            Index isolated = 0;
            for (Index v = begin; v < end; ++v) {
                isolated += view.pos[v] == view.pos[v + 1] && in_degrees[v] == 0 ? 1 : 0;
            }
            return isolated;
        },
        std::plus<>{});
}

void describe_degrees(Statistics& result, const Tensor& csr, const building::Squeezed& squeezed,
                      bool square, const Context& context) {
    visit_csr(csr, [&]<class Pos, class Crd>(const CsrView<Pos, Crd>& view) {
        result.row_degrees =
            summarise_degrees(context, view.rows, squeezed.dropped_rows,
                              [&](Index i) { return Index{view.pos[i + 1] - view.pos[i]}; });
        if (result.pattern_symmetric && result.duplicates == 0) {
            result.column_degrees = result.row_degrees;
            result.isolated = result.row_degrees.zeros;
        } else {
            const Array in_degrees = inner_degrees(csr, context);
            visit_index(in_degrees.type(), [&](auto tag) {
                using T = typename decltype(tag)::type;
                const auto degrees = in_degrees.as<T>();
                result.column_degrees =
                    summarise_degrees(context, view.cols, squeezed.dropped_cols,
                                      [&](Index j) { return Index{degrees[j]}; });
                if (square) {
                    result.isolated =
                        count_isolated(view, degrees, context) + squeezed.dropped_rows;
                }
            });
        }
    });
}

Statistics describe_sparse(const Tensor& matrix, const Context& context) {
    Statistics result;
    // Asked of the matrix itself: a rectangular one may be square once squeezed.
    const bool square = matrix.dim(0) == matrix.dim(1);
    const building::Squeezed squeezed = building::squeeze_if_hypersparse(
        matrix, square ? building::Numbering::alike : building::Numbering::apart, context);
    const Tensor csr = sorted_csr(squeezed.matrix, context);
    const RowCounts counts = count_in_rows(csr, square, context);
    result.self_loops = counts.self_loops;
    result.duplicates = counts.duplicates;
    context.check_cancelled();
    context.report(phase, 1, 4);
    if (square) {
        const Symmetry symmetry = symmetry_of(csr, context);
        result.pattern_symmetric = symmetry.pattern;
        result.value_symmetric = symmetry.values;
    }
    context.check_cancelled();
    context.report(phase, 2, 4);
    describe_degrees(result, csr, squeezed, square, context);
    return result;
}

bool dense_symmetric(const Tensor& matrix, const Context& context) {
    const Index n = matrix.dim(0);
    return visit_type(matrix.type(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        const auto values = matrix.values().as<T>();
        return parallel_combine(
            context, n, 64, true,
            [&](Index begin, Index end) {
                for (Index i = begin; i < end; ++i) {
                    for (Index j = 0; j < i; ++j) {
                        const T a = values[i * n + j];
                        const T b = values[j * n + i];
                        if (a != b && (a == a || b == b)) return false;
                    }
                }
                return true;
            },
            std::logical_and<>{});
    });
}

DegreeSummary uniform_degrees(Index count, Index degree) {
    DegreeSummary summary;
    if (count == 0) return summary;
    summary.min = summary.max = summary.median = degree;
    summary.mean = static_cast<double>(degree);
    summary.log2_counts.resize(std::bit_width(static_cast<std::uint64_t>(degree)) + 1);
    summary.log2_counts.back() = count;
    summary.zeros = summary.log2_counts[0];
    return summary;
}

/// Every element of a dense matrix is stored, so that all degrees are the same.
Statistics describe_dense(const Tensor& matrix, const Context& context) {
    Statistics result;
    const Index rows = matrix.dim(0);
    const Index cols = matrix.dim(1);
    result.row_degrees = uniform_degrees(rows, cols);
    result.column_degrees = uniform_degrees(cols, rows);
    if (rows == cols) {
        result.self_loops = rows;
        result.pattern_symmetric = true;
        result.value_symmetric = matrix.is_pattern() || dense_symmetric(matrix, context);
    }
    return result;
}

void exchange_rows_and_columns(Statistics& result) {
    std::swap(result.rows, result.cols);
    std::swap(result.empty_rows, result.empty_columns);
    std::swap(result.row_degrees, result.column_degrees);
}

} // namespace

Statistics statistics_of(const Tensor& matrix, const Context& context) {
    if (matrix.rank() != 2) {
        throw Error(ErrorCode::unsupported,
                    fmt::format("statistics need a matrix, and this is a tensor of rank {}",
                                matrix.rank()));
    }
    if (matrix.format().order == std::vector{1, 0}) {
        Statistics result = statistics_of(flipped(matrix), context);
        exchange_rows_and_columns(result);
        return result;
    }
    context.report(phase, 0, 4);
    Statistics result = matrix.format() == Format::dense(2) ? describe_dense(matrix, context)
                                                            : describe_sparse(matrix, context);
    result.rows = matrix.dim(0);
    result.cols = matrix.dim(1);
    result.entries = matrix.entries();
    result.empty_rows = result.row_degrees.zeros;
    result.empty_columns = result.column_degrees.zeros;
    context.check_cancelled();
    context.report(phase, 3, 4);
    if (!matrix.is_pattern()) result.values = summarise_values(matrix.values(), context);
    context.report(phase, 4, 4);
    return result;
}

} // namespace tropic
