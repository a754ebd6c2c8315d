// A[j, i]. Entries are partitioned by column range first, so that the scattered part of a counting
// sort happens inside the cache; within a bucket they are in row order already.
#include "graph/build/convert.h"
#include "tropic/error.h"
#include "tropic/transform.h"

#include <fmt/format.h>

namespace tropic {

Tensor transpose(const Tensor& matrix, const Context& context) {
    if (matrix.rank() != 2) {
        throw Error({.code = ErrorCode::unsupported,
                     .message = fmt::format("transposing needs a matrix, and this is a tensor of "
                                            "rank {}",
                                            matrix.rank()),
                     .accepted = "rank 2"});
    }
    const Tensor relabelled = building::relabelled_transpose(matrix);
    if (building::is_csr_like(matrix.format())) {
        return building::with_sides_exchanged(relabelled, context);
    }
    return convert(relabelled, matrix.format(), context);
}

Graph transpose(Graph graph, const Context& context) {
    require_matrix(graph, "transposing");
    graph.tensor = transpose(graph.tensor, context);
    if (graph.ids.size() == 2) std::swap(graph.ids[0], graph.ids[1]);
    graph.steps.push_back({"transposed", {{"entries", graph.entries()}}});
    return graph;
}

} // namespace tropic
