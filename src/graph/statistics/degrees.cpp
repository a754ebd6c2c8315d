// Degrees: differences of positions for the compressed dimension, counts for the other one.
#include "graph/statistics/degrees.h"

#include "graph/statistics/csr_form.h"
#include "support/parallel.h"
#include "tropic/error.h"
#include "tropic/statistics.h"

namespace tropic {

namespace {

constexpr Index grain = 1 << 16;

/// Counters of one worker are worth their memory only while it counts more entries than it has
/// counters.
Index counting_workers(Index entries, Index cols, const Context& context) {
    return std::clamp<Index>(entries / std::max<Index>(cols, 1), 1, context.threads());
}

void require_rank_2(const Tensor& matrix) {
    if (matrix.rank() == 2) return;
    throw Error(ErrorCode::unsupported, "degrees need a matrix, and this is a tensor of rank " +
                                            std::to_string(matrix.rank()));
}

Array uniform_degrees(Index count, Index degree, const Context& context) {
    Array result = Array::allocate(index_type_for(degree), count, context, "degrees");
    visit_index(result.type(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        const auto out = result.mutable_as<T>();
        std::fill(out.begin(), out.end(), static_cast<T>(degree));
    });
    return result;
}

Array outer_degrees(const Tensor& matrix, const Context& context) {
    return visit_csr(matrix, [&]<class Pos, class Crd>(const CsrView<Pos, Crd>& view) {
        Array result =
            Array::allocate(element_type_of<Pos>(), view.rows, context, "degrees of the rows");
        const auto degrees = result.mutable_as<Pos>();
        parallel_ranges(context, view.rows, grain, [&](Index begin, Index end) {
            for (Index i = begin; i < end; ++i) degrees[i] = view.pos[i + 1] - view.pos[i];
        });
        return result;
    });
}

/// Degrees of dimension 0 or 1.
Array degrees_of(const Tensor& matrix, int dimension, const Context& context) {
    require_rank_2(matrix);
    if (matrix.format() == Format::dense(2)) {
        return uniform_degrees(matrix.dim(dimension), matrix.dim(1 - dimension), context);
    }
    if (matrix.format() == Format::csr() || matrix.format() == Format::csc()) {
        return matrix.format().order[0] == dimension ? outer_degrees(matrix, context)
                                                     : inner_degrees(matrix, context);
    }
    const Tensor csr = sorted_csr(matrix, context);
    return dimension == 0 ? outer_degrees(csr, context) : inner_degrees(csr, context);
}

} // namespace

Array inner_degrees(const Tensor& matrix, const Context& context) {
    const Index entries = matrix.entries();
    return visit_csr(matrix, [&]<class Pos, class Crd>(const CsrView<Pos, Crd>& view) {
        return visit_index(index_type_for(entries), [&](auto tag) {
            using Count = typename decltype(tag)::type;
            const Index workers = counting_workers(entries, view.cols, context);
            std::vector<Array> counters(workers);
            for (Array& array : counters) {
                array = Array::zeros(element_type_of<Count>(), view.cols, context,
                                     "counters of the columns");
            }
            parallel_each(context, workers, [&](Index worker) {
                const auto counts = counters[worker].template mutable_as<Count>();
                const Index share = (entries + workers - 1) / workers;
                const Index end = std::min(entries, (worker + 1) * share);
                for (Index e = worker * share; e < end; ++e) ++counts[view.crd[e]];
            });
            const auto sum = counters[0].template mutable_as<Count>();
            parallel_ranges(context, view.cols, grain, [&](Index begin, Index end) {
                for (Index worker = 1; worker < workers; ++worker) {
                    const auto counts = counters[worker].template as<Count>();
                    for (Index j = begin; j < end; ++j) sum[j] += counts[j];
                }
            });
            return counters[0];
        });
    });
}

Array row_degrees(const Tensor& matrix, const Context& context) {
    return degrees_of(matrix, 0, context);
}

Array column_degrees(const Tensor& matrix, const Context& context) {
    return degrees_of(matrix, 1, context);
}

} // namespace tropic
