#include "graph/partition/rows_of_parts.h"

namespace tropic {

namespace {

/// Pieces of the counting sort: each has counters for all parts, so that many parts mean few
/// pieces.
Index pieces_for(Index rows, Index parts, const Context& context) {
    constexpr Index smallest_piece = 1 << 14;
    const Index wanted = context.threads() == 1 ? 1 : Index{context.threads()} * 2;
    return std::clamp<Index>(std::min(rows / smallest_piece, rows / std::max<Index>(parts, 1)), 1,
                             wanted);
}

} // namespace

Array RowsOfParts::of(Index part, const Context& context) const {
    return visit_index(rows.type(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        return Array::copy_of<T>(rows.as<T>().subspan(begin[part], begin[part + 1] - begin[part]),
                                 context, "the vertices of a part");
    });
}

RowsOfParts group_rows(const Array& part_of, Index parts, const Context& context) {
    const Index n = part_of.size();
    const auto part = part_of.as<std::int32_t>();
    RowsOfParts result;
    result.rows = Array::allocate(index_type_for(n), n, context, "rows by part");
    result.begin.assign(parts + 1, 0);

    const Index pieces = pieces_for(n, parts, context);
    const Index size = (n + pieces - 1) / pieces;
    Array counters =
        Array::zeros(ElementType::int64, pieces * parts, context, "rows of every part");
    const auto counts = counters.mutable_as<Index>();
    parallel_each(context, pieces, [&](Index piece) {
        const auto own = counts.subspan(piece * parts, parts);
        const Index end = std::min(n, (piece + 1) * size);
        for (Index v = piece * size; v < end; ++v) ++own[part[v]];
    });
    Index sum = 0;
    for (Index p = 0; p < parts; ++p) {
        result.begin[p] = sum;
        for (Index piece = 0; piece < pieces; ++piece) {
            sum += std::exchange(counts[piece * parts + p], sum);
        }
    }
    result.begin[parts] = sum;
    visit_index(result.rows.type(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        const auto rows = result.rows.mutable_as<T>();
        parallel_each(context, pieces, [&](Index piece) {
            const auto next = counts.subspan(piece * parts, parts);
            const Index end = std::min(n, (piece + 1) * size);
            for (Index v = piece * size; v < end; ++v) rows[next[part[v]]++] = static_cast<T>(v);
        });
    });
    return result;
}

} // namespace tropic
