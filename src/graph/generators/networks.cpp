// butterfly and ccc: interconnection networks of bounded degree (Leighton, Introduction to Parallel
// Algorithms and Architectures, 1992, section 3.2). Both have K columns for each of 2^K rows;
// vertex (row, column) has number row * K + column.
#include "graph/generators/families.h"

namespace tropic::generators {

namespace {

constexpr Index most_columns = 42; // 42 * 2^42 < 2^48

/// Columns 1 and 2 away from each other around the circle are the same with K = 2, and with K = 1
/// a column is its own neighbour: self loops and double edges come, and collapse unless raw.
EdgeSource network(Index columns) {
    const Index vertices = columns << columns;
    return {.vertices = vertices,
            .items = vertices,
            .edges_per_item = 2,
            .loops = columns == 1,
            .repeats = columns <= 2};
}

} // namespace

GeneratedEdges make_butterfly(const Request& request, const Context& context) {
    const Index columns = request.whole(0, "dimension", 1, most_columns);
    return write_edges(network(columns), request, context, [&](Index begin, Index end, auto& emit) {
        for (Index v = begin; v < end; ++v) {
            const Index row = v / columns;
            const Index column = v % columns;
            const Index next = column + 1 == columns ? 0 : column + 1;
            emit(v, row * columns + next);
            emit(v, (row ^ Index{1} << column) * columns + next);
        }
    });
}

GeneratedEdges make_ccc(const Request& request, const Context& context) {
    const Index columns = request.whole(0, "dimension", 1, most_columns);
    return write_edges(network(columns), request, context, [&](Index begin, Index end, auto& emit) {
        for (Index v = begin; v < end; ++v) {
            const Index row = v / columns;
            const Index column = v % columns;
            const Index next = column + 1 == columns ? 0 : column + 1;
            emit(v, row * columns + next);
            const Index across = row ^ Index{1} << column;
            if (row < across) emit(v, across * columns + column);
        }
    });
}

} // namespace tropic::generators
