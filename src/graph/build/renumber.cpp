// Transforms that give vertices other numbers: dropping isolated ones, permuting.
#include <atomic>
#include <limits>

#include <fmt/format.h>

#include "graph/build/build.h"
#include "graph/build/csr_tools.h"
#include "graph/build/matrix_source.h"
#include "support/counted.h"
#include "support/memory.h"
#include "tropic/error.h"
#include "tropic/transform.h"

namespace tropic {

namespace {

constexpr Index grain = 1 << 16;

/// Marks the rows (columns) that have entries.
void mark_rows(const Tensor& csr, std::span<std::uint8_t> marks, const Context& context) {
    visit_csr(csr, [&](const auto& view) {
        parallel_ranges(context, view.rows, grain, [&](Index begin, Index end) {
            for (Index row = begin; row < end; ++row) {
                if (view.pos[row] != view.pos[row + 1]) marks[row] = 1;
            }
        });
    });
}
void mark_columns(const Tensor& csr, std::span<std::uint8_t> marks, const Context& context) {
    visit_csr(csr, [&](const auto& view) {
        parallel_ranges(context, csr.entries(), grain, [&](Index begin, Index end) {
            for (Index p = begin; p < end; ++p) {
                const std::atomic_ref<std::uint8_t> mark(marks[view.crd[p]]);
                if (mark.load(std::memory_order_relaxed) == 0) {
                    mark.store(1, std::memory_order_relaxed);
                }
            }
        });
    });
}

/// Between old numbers and the new ones of those that are marked.
struct Renumbering {
    Array old_of; ///< int64
    Array new_of; ///< int64; of unmarked ones meaningless
};

Renumbering close_gaps(std::span<const std::uint8_t> marks, const Context& context) {
    const auto count = static_cast<Index>(marks.size());
    Index kept = 0;
    for (const std::uint8_t mark : marks) kept += mark;
    Renumbering result;
    result.old_of = Array::allocate(ElementType::int64, kept, context, "vertex numbers");
    result.new_of = Array::allocate(ElementType::int64, count, context, "vertex numbers");
    const auto old_of = result.old_of.mutable_as<std::int64_t>();
    const auto new_of = result.new_of.mutable_as<std::int64_t>();
    Index next = 0;
    for (Index v = 0; v < count; ++v) {
        new_of[v] = next;
        if (marks[v] != 0) old_of[next++] = v;
    }
    return result;
}

/// The matrix without the rows and columns that have no new number. They have no entries, so only
/// positions and column numbers change, and order stays.
Tensor without_empty(const Tensor& csr, const Renumbering& rows, const Renumbering& cols,
                     const Context& context) {
    return visit_csr(csr, [&](const auto& view) {
        using Pos = std::remove_cvref_t<decltype(view.pos[0])>;
        const Index row_count = rows.old_of.size();
        const Index col_count = cols.old_of.size();
        std::vector<Level> levels(2);
        levels[1].kind = LevelKind::compressed;
        levels[1].pos =
            Array::allocate(csr.level(1).pos.type(), row_count + 1, context, "row positions");
        const auto pos = levels[1].pos.mutable_as<Pos>();
        const auto old_row = rows.old_of.as<std::int64_t>();
        parallel_ranges(context, row_count, grain, [&](Index begin, Index end) {
            for (Index row = begin; row < end; ++row) pos[row] = view.pos[old_row[row]];
        });
        pos[row_count] = static_cast<Pos>(csr.entries());
        const auto new_col = cols.new_of.as<std::int64_t>();
        const ElementType type = index_type_for(std::max<Index>(col_count - 1, 0));
        levels[1].crd = Array::allocate(type, csr.entries(), context, "column indices");
        visit_index(type, [&](auto tag) {
            using Crd = typename decltype(tag)::type;
            const auto crd = levels[1].crd.template mutable_as<Crd>();
            parallel_ranges(context, csr.entries(), grain, [&](Index begin, Index end) {
                for (Index p = begin; p < end; ++p) crd[p] = static_cast<Crd>(new_col[view.crd[p]]);
            });
        });
        return Tensor({row_count, col_count}, csr.format(), std::move(levels), csr.values(),
                      csr.unique(), csr.sorted());
    });
}

void carry_vertices(Graph& graph, const Array& old_of, const Context& context) {
    graph.vertex_weights =
        building::gathered(graph.vertex_weights, old_of, std::max(graph.constraints, 1), context);
    graph.vertex_sizes = building::gathered(graph.vertex_sizes, old_of, 1, context);
}

/// Numbers in a squeezed matrix as numbers in the matrix it was made of.
Array unsqueezed_numbers(const Array& numbers, const Array& stayed, const Context& context) {
    return stayed.empty() ? numbers : building::gathered(stayed, numbers, 1, context);
}

VertexIds ids_of(const Graph& graph, std::size_t dimension) {
    return dimension < graph.ids.size() ? graph.ids[dimension] : VertexIds{};
}

/// Every vertex gets a new number and an id, so that those without entries cost as much as the
/// others.
void require_numbers(const Graph& graph, const Context& context) {
    const auto vertices = static_cast<std::uint64_t>(graph.vertices());
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    constexpr std::uint64_t bytes_each = 2 * sizeof(Index);
    try {
        context.budget()->require(vertices > most / bytes_each ? most : vertices * bytes_each,
                                  "a new number for every vertex");
    } catch (const Error& error) {
        Diagnostic diagnostic = error.diagnostic();
        diagnostic.file = graph.name;
        diagnostic.hint =
            "drop the vertices that have no entries first (--drop-isolated), or raise "
            "the limit with --memory";
        throw Error(std::move(diagnostic));
    }
}

/// Random numbers that depend on seed and counter alone.
std::uint64_t mixed(std::uint64_t seed, std::uint64_t counter) {
    std::uint64_t x = seed * 0xd1342543de82ef95 + (counter + 1) * 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

/// Vertices in ascending order of key(v) < extent; equal keys in order of v. This is building a
/// sparse vector at the keys with the vertices as values.
template <class Key>
Array vertices_by(Index vertices, Index extent, const Context& context, const Key& key) {
    CoordinateList list;
    list.shape = {extent};
    list.index_type = ElementType::int64;
    list.value_type = index_type_for(vertices);
    // Before the blocks are there to be charged one by one: their list itself may be too long.
    const Index bytes_each = 8 + size_of(list.value_type);
    context.budget()->require(vertices > std::numeric_limits<Index>::max() / bytes_each
                                  ? std::numeric_limits<std::uint64_t>::max()
                                  : static_cast<std::uint64_t>(vertices * bytes_each),
                              "vertex order");
    const Index pieces = (vertices + grain - 1) / grain;
    list.blocks.resize(pieces);
    parallel_each(context, pieces, [&](Index piece) {
        const Index begin = piece * grain;
        const Index size = std::min(grain, vertices - begin);
        CoordinateBlock& block = list.blocks[piece];
        block.coordinates.push_back(
            Array::allocate(ElementType::int64, size, context, "vertex order"));
        block.values = Array::allocate(list.value_type, size, context, "vertex order");
        const auto keys = block.coordinates[0].mutable_as<std::int64_t>();
        visit_index(list.value_type, [&](auto tag) {
            using T = typename decltype(tag)::type;
            const auto values = block.values.template mutable_as<T>();
            for (Index i = 0; i < size; ++i) {
                keys[i] = key(begin + i);
                values[i] = static_cast<T>(begin + i);
            }
        });
    });
    return build(std::move(list), Format::sparse_vector(), Duplicates::keep, context).values();
}

/// Out-degree plus in-degree of every vertex.
Array total_degrees(const Tensor& csr, const Context& context) {
    Array degrees = Array::zeros(ElementType::int64, csr.dim(0), context, "degrees");
    const auto degree = degrees.mutable_as<std::int64_t>();
    visit_csr(csr, [&](const auto& view) {
        parallel_ranges(context, csr.entries(), grain, [&](Index begin, Index end) {
            for (Index p = begin; p < end; ++p) {
                std::atomic_ref<std::int64_t>(degree[view.crd[p]])
                    .fetch_add(1, std::memory_order_relaxed);
            }
        });
        parallel_ranges(context, view.rows, grain, [&](Index begin, Index end) {
            for (Index row = begin; row < end; ++row) {
                degree[row] += view.pos[row + 1] - view.pos[row];
            }
        });
    });
    return degrees;
}

[[noreturn]] void fail_permutation(const Graph& graph, std::string message) {
    throw Error({.code = ErrorCode::usage,
                 .message = std::move(message),
                 .file = graph.name,
                 .accepted = "every vertex once, as int32 or int64"});
}

/// new_of (int64), after checking that old_of is a permutation of the graph's vertices.
Array inverse(const Graph& graph, const Array& old_of, const Context& context) {
    const Index vertices = graph.vertices();
    if (old_of.size() != vertices ||
        (old_of.type() != ElementType::int32 && old_of.type() != ElementType::int64)) {
        fail_permutation(graph, fmt::format("a permutation of {} of {} for {}",
                                            counted(old_of.size(), "elements"),
                                            name_of(old_of.type()), counted(vertices, "vertices")));
    }
    Array result = Array::allocate(ElementType::int64, vertices, context, "vertex numbers");
    const auto new_of = result.mutable_as<std::int64_t>();
    std::fill(new_of.begin(), new_of.end(), -1);
    for (Index v = 0; v < vertices; ++v) {
        const Index old = old_of.index_at(v);
        if (old < 0 || old >= vertices || new_of[old] >= 0) {
            fail_permutation(graph,
                             fmt::format("element {} of the permutation is {}, which is {}", v, old,
                                         old < 0 || old >= vertices ? "no vertex"
                                                                    : "there for the second time"));
        }
        new_of[old] = v;
    }
    return result;
}

} // namespace

Graph drop_isolated(Graph graph, const Context& context) {
    require_matrix(graph, "dropping isolated vertices");
    const bool square = graph.is_square();
    const building::Squeezed squeezed = building::squeeze_if_hypersparse(
        graph.tensor, square ? building::Numbering::alike : building::Numbering::apart, context);
    const Tensor csr = convert(squeezed.matrix, Format::csr(), context);
    Array row_marks = Array::zeros(ElementType::uint8, csr.dim(0), context, "vertex marks");
    Array col_marks =
        square ? row_marks : Array::zeros(ElementType::uint8, csr.dim(1), context, "vertex marks");
    mark_rows(csr, row_marks.mutable_as<std::uint8_t>(), context);
    mark_columns(csr, col_marks.mutable_as<std::uint8_t>(), context);
    const Renumbering rows = close_gaps(row_marks.as<std::uint8_t>(), context);
    const Renumbering cols = square ? rows : close_gaps(col_marks.as<std::uint8_t>(), context);

    Step step{"dropped isolated vertices", {}};
    const auto count = [&](const char* name, const char* dropped, int d, const Renumbering& by) {
        step.counts.emplace_back(name, graph.tensor.dim(d));
        step.counts.emplace_back(dropped, graph.tensor.dim(d) - by.old_of.size());
    };
    if (square) {
        count("vertices", "dropped", 0, rows);
        step.counts.emplace_back("kept", rows.old_of.size());
    } else {
        step.what = "dropped empty rows and columns";
        count("rows", "rows dropped", 0, rows);
        count("columns", "columns dropped", 1, cols);
    }
    graph.steps.push_back(std::move(step));
    if (rows.old_of.size() == graph.tensor.dim(0) && cols.old_of.size() == graph.tensor.dim(1)) {
        return graph;
    }

    const Array old_rows = unsqueezed_numbers(rows.old_of, squeezed.row_ids, context);
    const Array old_cols = unsqueezed_numbers(cols.old_of, squeezed.col_ids, context);
    const VertexIds row_ids = ids_of(graph, 0).compose(old_rows, context);
    graph.ids = {row_ids, square ? row_ids : ids_of(graph, 1).compose(old_cols, context)};
    carry_vertices(graph, old_rows, context);
    building::put_back(graph, without_empty(csr, rows, cols, context), context);
    // As many rows as columns are left by chance, and they are still two kinds of things.
    if (!square && graph.tensor.dim(0) == graph.tensor.dim(1)) graph.kind = EdgeKind::bipartite;
    return graph;
}

Array vertex_order(const Graph& graph, Order order, std::uint64_t seed, const Context& context) {
    require_square(graph, "ordering vertices");
    require_numbers(graph, context);
    const Index vertices = graph.vertices();
    if (order == Order::random) {
        // Few enough bits that sorting them is quick, enough that equal keys are rare.
        constexpr int key_bits = 48;
        return vertices_by(vertices, Index{1} << key_bits, context, [&](Index v) {
            return static_cast<Index>(mixed(seed, static_cast<std::uint64_t>(v)) >>
                                      (64 - key_bits));
        });
    }
    const Array degrees = total_degrees(convert(graph.tensor, Format::csr(), context), context);
    const auto degree = degrees.as<std::int64_t>();
    const Index most = vertices == 0 ? 0 : *std::max_element(degree.begin(), degree.end());
    return vertices_by(vertices, most + 1, context, [&](Index v) {
        return order == Order::degree_ascending ? degree[v] : most - degree[v];
    });
}

Graph permute(Graph graph, const Array& old_of, std::string_view what, const Context& context) {
    require_square(graph, "permuting vertices");
    const Array new_of = inverse(graph, old_of, context);
    const Tensor csr = convert(graph.tensor, Format::csr(), context);
    building::MatrixSource source(csr, building::MatrixSource::Side::rows, new_of);
    const Tensor result =
        building::build_csr(source, csr.dim(0), csr.dim(1), csr.shape(), csr.format(), csr.type(),
                            Duplicates::keep, {}, context, nullptr);
    const VertexIds ids = ids_of(graph, 0).compose(old_of, context);
    graph.ids = {ids, ids};
    carry_vertices(graph, old_of, context);
    building::put_back(graph, result, context);
    graph.steps.push_back(
        {std::string(what), {{"vertices", graph.vertices()}, {"entries", graph.entries()}}});
    return graph;
}

Graph permute(Graph graph, Order order, std::uint64_t seed, const Context& context) {
    const Array old_of = vertex_order(graph, order, seed, context);
    std::string what = order == Order::degree_descending  ? "permuted by descending degree"
                       : order == Order::degree_ascending ? "permuted by ascending degree"
                                                          : fmt::format("permuted (seed {})", seed);
    return permute(std::move(graph), old_of, what, context);
}

} // namespace tropic
