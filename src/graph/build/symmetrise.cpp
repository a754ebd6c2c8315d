// A or its transpose, as a merge of the rows of both. The k-th copy of (i, j) is paired with the
// k-th copy of (j, i); (j, i) makes the same pairs from the other side, so the result is symmetric.
#include <fmt/format.h>

#include "graph/build/combine.h"
#include "graph/build/csr_tools.h"
#include "tropic/error.h"
#include "tropic/transform.h"

namespace tropic {

namespace {

/// Rows of the matrix and of its transpose, side by side.
template <class Pos, class Crd> struct Sides {
    CsrView<Pos, Crd> own;
    CsrView<Pos, Crd> mirrored;

    /// Calls action(col, own entry or -1, mirrored entry or -1) for every entry of the result's
    /// row.
    template <class Action> void merge_row(Index row, const Action& action) const {
        Index a = own.pos[row];
        Index b = mirrored.pos[row];
        const Index a_end = own.pos[row + 1];
        const Index b_end = mirrored.pos[row + 1];
        while (a < a_end || b < b_end) {
            if (b == b_end || (a < a_end && own.crd[a] < mirrored.crd[b])) {
                action(own.crd[a], a, Index{-1});
                ++a;
            } else if (a == a_end || mirrored.crd[b] < own.crd[a]) {
                action(mirrored.crd[b], Index{-1}, b);
                ++b;
            } else {
                action(own.crd[a], a, b);
                ++a;
                ++b;
            }
        }
    }
};

/// The value at (row, col) of a pair that differs. `first` is the direction from the lower-numbered
/// vertex, so that both directions agree which of them that is.
template <class T>
T agreed(Duplicates rule, Index row, Index col, T own, T mirrored, Index& overflows) {
    if (rule == Duplicates::keep) return own;
    return row < col ? building::combine(rule, own, mirrored, overflows)
                     : building::combine(rule, mirrored, own, overflows);
}

struct Symmetric {
    Tensor tensor;
    Index conflicts = 0;
    Index overflows = 0;
};

template <class Pos, class Crd>
Symmetric merge_sides(const Tensor& matrix, const Tensor& transposed, const Sides<Pos, Crd>& sides,
                      Duplicates rule, const Context& context) {
    const Index rows = sides.own.rows;
    Array counts = Array::zeros(ElementType::int64, rows + 1, context, "row positions");
    const auto starts = counts.mutable_as<std::int64_t>();
    building::for_row_ranges(context, sides.own.pos, [&](Index begin, Index end) {
        for (Index row = begin; row < end; ++row) {
            Index count = 0;
            sides.merge_row(row, [&](Index, Index, Index) { ++count; });
            starts[row + 1] = count;
        }
    });
    std::vector<Level> levels(2);
    levels[1].kind = LevelKind::compressed;
    levels[1].pos = building::positions_from_counts(counts, context);
    const Index entries = starts[rows];
    levels[1].crd = Array::allocate(element_type_of<Crd>(), entries, context, "column indices");
    Array values = Array::allocate(matrix.type(), entries, context, "values");
    const auto crd = levels[1].crd.mutable_as<Crd>();
    std::atomic<Index> conflicts{0};
    std::atomic<Index> overflows{0};
    building::visit_value(matrix.type(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        [[maybe_unused]] const auto* own_values = static_cast<const T*>(matrix.values().data());
        [[maybe_unused]] const auto* mirrored_values =
            static_cast<const T*>(transposed.values().data());
        [[maybe_unused]] auto* out_values = static_cast<T*>(values.mutable_data());
        building::for_row_ranges(context, sides.own.pos, [&](Index begin, Index end) {
            Index found = 0;
            Index overflowed = 0;
            for (Index row = begin; row < end; ++row) {
                Index out = starts[row];
                sides.merge_row(row, [&](Crd col, Index a, Index b) {
                    crd[out] = col;
                    if constexpr (!std::is_same_v<T, building::NoValue>) {
                        if (a < 0) out_values[out] = mirrored_values[b];
                        else if (b < 0 || own_values[a] == mirrored_values[b])
                            out_values[out] = own_values[a];
                        else {
                            out_values[out] = agreed(rule, row, col, own_values[a],
                                                     mirrored_values[b], overflowed);
                            found += row < col ? 1 : 0;
                        }
                    }
                    ++out;
                });
            }
            conflicts += found;
            overflows += overflowed;
        });
    });
    return {Tensor(matrix.shape(), matrix.format(), std::move(levels), std::move(values),
                   matrix.unique(), true),
            conflicts, overflows / 2}; // both directions are added up
}

} // namespace

Graph symmetrise(Graph graph, Duplicates duplicates, const Context& context) {
    require_square(graph, "symmetrising");
    const building::Squeezed squeezed =
        building::squeeze_if_hypersparse(graph.tensor, building::Numbering::alike, context);
    const Tensor csr = building::sorted_csr(squeezed.matrix, context);
    const Tensor transposed = transpose(csr, context);
    const Symmetric result = visit_csr(csr, [&](const auto& own) {
        using View = std::remove_cvref_t<decltype(own)>;
        using Pos = std::remove_cvref_t<decltype(own.pos[0])>;
        using Crd = std::remove_cvref_t<decltype(own.crd[0])>;
        // Square, with as many entries: but the transpose always has the narrowest types.
        const Level& level = transposed.level(1);
        const Array pos = cast(level.pos, element_type_of<Pos>(), context);
        const Array crd = cast(level.crd, element_type_of<Crd>(), context);
        const Sides<Pos, Crd> sides{own, View{own.rows, own.cols, pos.as<Pos>(), crd.as<Crd>()}};
        return merge_sides(csr, transposed, sides, duplicates, context);
    });
    building::require_no_overflow(result.overflows, csr.type(), graph.name);
    const Index before = csr.entries();
    const bool differ = duplicates == Duplicates::keep && result.conflicts > 0;
    graph.kind = differ ? EdgeKind::directed : EdgeKind::undirected;
    graph.steps.push_back({fmt::format("symmetrised ({})", name_of(duplicates)),
                           {{"entries", before},
                            {"added", result.tensor.entries() - before},
                            {"conflicts", result.conflicts},
                            {"after", result.tensor.entries()}}});
    building::put_back(graph, result.tensor, squeezed, context);
    return graph;
}

} // namespace tropic
