// Writes Matrix Market files that read back as exactly the same matrix: numbers in the shortest
// form that names them, element types that the banner cannot tell in a comment.
#include <atomic>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "graph/files/byte_sink.h"
#include "graph/files/matrix_entries.h"
#include "graph/files/matrix_market.h"
#include "graph/files/write_checks.h"
#include "tropic/transform.h"

namespace tropic {

namespace {

using namespace matrix_market;

constexpr Index piece_entries = 1 << 16;
constexpr std::size_t longest_index = 20;
constexpr std::size_t longest_value = 32;

template <class T> char* put_value(char* at, T value) {
    if constexpr (std::is_same_v<T, bool>) {
        *at = value ? '1' : '0';
        return at + 1;
    } else {
        if constexpr (std::is_floating_point_v<T>) {
            if (std::isnan(value)) {
                throw Error(ErrorCode::unsupported,
                            "a value is not a number (NaN), which Matrix Market cannot hold",
                            "write another format, such as .tg");
            }
        }
        return std::to_chars(at, at + longest_value, value).ptr;
    }
}

std::string_view field_of(ElementType type) {
    if (type == ElementType::pattern) return "pattern";
    return is_float(type) ? "real" : "integer";
}

/// Types that the reader would choose by itself for every value go without saying.
std::string type_comment(ElementType type) {
    if (type == ElementType::pattern || type == ElementType::int32 ||
        type == ElementType::float64) {
        return {};
    }
    if (type == ElementType::boolean) return "%%GraphBLAS type bool\n";
    if (type == ElementType::float32) return "%%GraphBLAS type float\n";
    return fmt::format("%%GraphBLAS type {}_t\n", name_of(type));
}

/// Whether a value and the one on the other side of the diagonal are what the reader makes of the
/// lower one. The sign of zero counts: what is read back is the same to the last bit.
template <class V> bool mirrored(V lower, V upper, Symmetry symmetry) {
    if (symmetry == Symmetry::symmetric) return lower == upper;
    if constexpr (std::is_floating_point_v<V>) {
        return upper == -lower && std::signbit(upper) != std::signbit(lower);
    } else if constexpr (std::is_signed_v<V>) {
        return lower != std::numeric_limits<V>::min() && upper == static_cast<V>(-lower);
    } else {
        return false;
    }
}

/// A csr or csc matrix without duplicates: every entry above the diagonal has its mirror image
/// below, and there are no more below than above; on the diagonal, a skew-symmetric one has none.
bool is_mirrored_csr(const Tensor& matrix, Symmetry symmetry, const Context& context) {
    const bool skew = symmetry == Symmetry::skew_symmetric;
    std::atomic<bool> holds = true;
    std::atomic<Index> surplus = 0;
    visit_csr(matrix, [&](const auto& csr) {
        visit_type(matrix.type(), [&](auto tag) {
            using V = typename decltype(tag)::type;
            const bool pattern = matrix.is_pattern();
            const std::span<const V> values =
                pattern ? std::span<const V>() : matrix.values().template as<V>();
            const auto look = [&](Index begin, Index end) {
                context.check_cancelled();
                Index balance = 0;
                for (Index i = begin; i < end; ++i) {
                    if (!holds.load(std::memory_order_relaxed)) return;
                    for (Index k = csr.pos[i]; k < csr.pos[i + 1]; ++k) {
                        const Index j = csr.crd[k];
                        balance += (j > i) - (j < i);
                        if (j < i || (j == i && !skew)) continue;
                        const auto first = csr.crd.begin() + csr.pos[j];
                        const auto last = csr.crd.begin() + csr.pos[j + 1];
                        const auto twin = std::lower_bound(first, last, i);
                        const bool there = j != i && twin != last && *twin == i;
                        if (!there || (!pattern && !mirrored(values[twin - csr.crd.begin()],
                                                             values[k], symmetry))) {
                            holds = false;
                            return;
                        }
                    }
                }
                surplus += balance;
            };
            parallel_ranges(context, csr.rows, 1 << 12, look);
        });
    });
    return holds && surplus == 0;
}

bool same_indices(const Array& a, const Array& b) {
    if (a.empty() || b.empty()) return a.size() == b.size();
    return visit_index(a.type(), [&](auto left) {
        return visit_index(b.type(), [&](auto right) {
            return std::ranges::equal(a.as<typename decltype(left)::type>(),
                                      b.as<typename decltype(right)::type>());
        });
    });
}

/// How many more entries lie above the diagonal than below, and how many on it.
struct Sides {
    Index surplus = 0;
    Index diagonal = 0;
};

Sides sides_of(const MatrixEntries& entries, const Context& context) {
    return parallel_combine(
        context, entries.size(), Index{1} << 18, Sides{},
        [&](Index begin, Index end) {
            context.check_cancelled();
            Sides sides;
            entries.for_each(begin, end, [&](Index i, Index j, Index) {
                sides.surplus += (j > i) - (j < i);
                sides.diagonal += i == j;
            });
            return sides;
        },
        [](const Sides& a, const Sides& b) {
            return Sides{a.surplus + b.surplus, a.diagonal + b.diagonal};
        });
}

/// Any other sparse matrix without duplicates: its transpose, stored in the same way, has its
/// entries in the same places.
bool is_mirrored_sparse(const Tensor& matrix, Symmetry symmetry, const Context& context) {
    const Sides sides = sides_of(MatrixEntries(matrix, context), context);
    const bool skew = symmetry == Symmetry::skew_symmetric;
    if (sides.surplus != 0 || (skew && sides.diagonal != 0)) return false;
    const Tensor other = convert(transpose(matrix, context), matrix.format(), context);
    for (int l = 0; l < matrix.rank(); ++l) {
        if (!same_indices(matrix.level(l).crd, other.level(l).crd) ||
            !same_indices(matrix.level(l).pos, other.level(l).pos)) {
            return false;
        }
    }
    if (matrix.is_pattern()) return true;
    return visit_type(matrix.type(), [&](auto tag) {
        using V = typename decltype(tag)::type;
        const auto values = matrix.values().template as<V>();
        const auto others = other.values().template as<V>();
        return std::equal(values.begin(), values.end(), others.begin(), others.end(),
                          [&](V a, V b) { return mirrored(a, b, symmetry); });
    });
}

bool is_mirrored_dense(const Tensor& matrix, Symmetry symmetry, const Context& context) {
    const Index n = matrix.dim(0);
    const bool skew = symmetry == Symmetry::skew_symmetric;
    std::atomic<bool> holds = true;
    visit_type(matrix.type(), [&](auto tag) {
        using V = typename decltype(tag)::type;
        const auto values = matrix.values().template as<V>();
        const auto is_zero = [](V value) {
            if constexpr (std::is_floating_point_v<V>) return value == 0 && !std::signbit(value);
            else return value == V{0};
        };
        parallel_ranges(context, n, 1 << 6, [&](Index begin, Index end) {
            context.check_cancelled();
            for (Index i = begin; i < end && holds.load(std::memory_order_relaxed); ++i) {
                bool row_holds = !skew || is_zero(values[i * n + i]);
                for (Index j = 0; j < i && row_holds; ++j) {
                    row_holds = mirrored(values[i * n + j], values[j * n + i], symmetry);
                }
                if (!row_holds) holds = false;
            }
        });
    });
    return holds;
}

/// How much of the matrix the file has to list. A graph that is not known to be undirected is
/// never written as symmetric: it would be read as undirected.
Symmetry symmetry_to_write(const Graph& graph, bool dense, const Context& context) {
    const Tensor& matrix = graph.tensor;
    const bool undirected = graph.kind == EdgeKind::undirected;
    const Symmetry symmetry = undirected ? Symmetry::symmetric : Symmetry::skew_symmetric;
    const bool may_be = undirected || (graph.kind == EdgeKind::directed && !matrix.is_pattern());
    const bool says_nothing = !undirected && matrix.entries() == 0;
    if (!may_be || says_nothing || matrix.dim(0) != matrix.dim(1)) return Symmetry::general;
    bool holds = false;
    if (dense) holds = is_mirrored_dense(matrix, symmetry, context);
    else if (matrix.unique() && matrix.sorted()) {
        const bool csr = matrix.format() == Format::csr() || matrix.format() == Format::csc();
        holds = csr ? is_mirrored_csr(matrix, symmetry, context)
                    : is_mirrored_sparse(matrix, symmetry, context);
    }
    return holds ? symmetry : Symmetry::general;
}

/// Entries on and below the diagonal.
Index count_lower(const MatrixEntries& entries, const Context& context) {
    return parallel_combine(
        context, entries.size(), Index{1} << 18, Index{0},
        [&](Index begin, Index end) {
            context.check_cancelled();
            Index count = 0;
            entries.for_each(begin, end, [&](Index i, Index j, Index) { count += j <= i; });
            return count;
        },
        [](Index a, Index b) { return a + b; });
}

/// Formats entries, with the text of a row's number kept while the row stays the same.
template <class V> class EntryText {
  public:
    EntryText(const MatrixEntries& entries, bool lower_only)
        : entries_(entries), lower_only_(lower_only) {}

    void operator()(Index begin, Index end, std::string& out) const {
        constexpr std::size_t longest = 2 * longest_index + longest_value + 3;
        constexpr Index some = 256;
        const std::span<const V> values = entries_.values().type() == ElementType::pattern
                                              ? std::span<const V>()
                                              : entries_.values().template as<V>();
        char row_text[longest_index + 1];
        std::size_t row_size = 0;
        Index row_shown = -1;
        std::size_t used = 0;
        for (Index from = begin; from < end; from += some) {
            if (out.size() < used + some * longest) {
                out.resize(std::max(out.capacity(), 2 * used + some * longest));
            }
            char* at = out.data() + used;
            entries_.for_each(from, std::min(end, from + some), [&](Index i, Index j, Index k) {
                if (lower_only_ && j > i) return;
                if (i != row_shown) {
                    char* stop = std::to_chars(row_text, row_text + longest_index, i + 1).ptr;
                    *stop++ = ' ';
                    row_size = static_cast<std::size_t>(stop - row_text);
                    row_shown = i;
                }
                std::memcpy(at, row_text, sizeof row_text);
                at = std::to_chars(at + row_size, at + row_size + longest_index, j + 1).ptr;
                if (!values.empty()) {
                    *at++ = ' ';
                    at = put_value(at, values[k]);
                }
                *at++ = '\n';
            });
            used = static_cast<std::size_t>(at - out.data());
        }
        out.resize(used);
    }

  private:
    const MatrixEntries& entries_;
    bool lower_only_;
};

void write_array(const Tensor& matrix, Symmetry symmetry, ByteSink& sink, const Context& context) {
    const Index rows = matrix.dim(0);
    const Index cols = matrix.dim(1);
    sink.write(fmt::format("%%MatrixMarket matrix array {} {}\n{}{} {}\n", field_of(matrix.type()),
                           name_of(symmetry), type_comment(matrix.type()), rows, cols));
    // Columns one after another, from the diagonal on or from below it.
    const Index below = symmetry == Symmetry::skew_symmetric ? 1 : 0;
    const bool all = symmetry == Symmetry::general;
    const bool row_major = matrix.format().order[0] == 0;
    visit_type(matrix.type(), [&](auto tag) {
        using V = typename decltype(tag)::type;
        const auto values = matrix.values().template as<V>();
        write_pieces(sink, matrix.entries(), piece_entries, context, "writing",
                     [&](Index begin, Index end, std::string& out) {
                         char text[longest_value + 1];
                         for (Index k = begin; k < end; ++k) {
                             if (!all && k % rows < k / rows + below) continue;
                             const Index at = row_major ? k % rows * cols + k / rows : k;
                             char* stop = put_value(text, values[at]);
                             *stop++ = '\n';
                             out.append(text, stop);
                         }
                     });
    });
}

void write_coordinates(const Tensor& matrix, Symmetry symmetry, ByteSink& sink,
                       const Context& context) {
    const MatrixEntries entries(matrix, context);
    const bool half = symmetry != Symmetry::general;
    const Index lines = half ? count_lower(entries, context) : entries.size();
    sink.write(fmt::format("%%MatrixMarket matrix coordinate {} {}\n{}{} {} {}\n",
                           field_of(matrix.type()), name_of(symmetry), type_comment(matrix.type()),
                           matrix.dim(0), matrix.dim(1), lines));
    visit_type(matrix.type(), [&](auto tag) {
        using V = typename decltype(tag)::type;
        write_pieces(sink, entries.size(), piece_entries, context, "writing",
                     EntryText<V>(entries, half));
    });
}

} // namespace

std::vector<std::string> write_matrix_market(const Graph& graph, ByteSink& sink,
                                             const WriteOptions&, const Context& context) {
    require_matrix(graph, "Matrix Market");
    const Tensor& matrix = graph.tensor;
    const bool dense = matrix.format().levels == Format::dense(2).levels && !matrix.is_pattern();
    const Symmetry symmetry = symmetry_to_write(graph, dense, context);
    std::vector<std::string> notes;
    if (dense) write_array(matrix, symmetry, sink, context);
    else write_coordinates(matrix, symmetry, sink, context);
    const bool undirected =
        graph.kind == EdgeKind::undirected || graph.kind == EdgeKind::undirected_once;
    if (undirected && symmetry != Symmetry::symmetric) {
        notes.emplace_back("written as a general matrix: that the edges are undirected is lost");
    }
    note_two_kinds(graph, notes);
    note_ids_from_one(graph, notes);
    note_vertex_data(graph, notes);
    return notes;
}

} // namespace tropic
