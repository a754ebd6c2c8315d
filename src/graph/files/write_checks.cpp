#include "graph/files/write_checks.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "graph/build/entry_text.h"
#include "graph/files/text_writer.h"
#include "support/parallel.h"
#include "tropic/error.h"
#include "tropic/generate.h"

namespace tropic {

namespace {

constexpr Index grain = 1 << 16;

/// The first entry for which `bad(row, column, entry)` holds, or -1.
template <class Bad> Index first_bad(const Tensor& matrix, const Context& context, const Bad& bad) {
    return visit_csr(matrix, [&](auto view) {
        return parallel_combine(
            context, matrix.entries(), grain, Index{-1},
            [&](Index begin, Index end) {
                Index row = std::upper_bound(view.pos.begin(), view.pos.end(), begin) -
                            view.pos.begin() - 1;
                for (Index e = begin; e < end; ++e) {
                    while (view.pos[row + 1] <= e) ++row;
                    if (bad(view, row, Index{view.crd[e]}, e)) return e;
                }
                return Index{-1};
            },
            [](Index a, Index b) { return a >= 0 ? a : b; });
    });
}

template <class T> bool is_whole_from(T value, Index lowest) {
    if constexpr (std::is_floating_point_v<T>) {
        // Beyond 2^53 neighbouring doubles are not neighbouring whole numbers.
        return value == std::trunc(value) && std::abs(value) <= 9007199254740992.0 &&
               value >= static_cast<T>(lowest);
    } else if constexpr (std::is_same_v<T, bool>) {
        return Index{value} >= lowest;
    } else {
        return std::in_range<Index>(value) && std::cmp_greater_equal(value, lowest);
    }
}

std::string value_text(const Array& values, Index entry) {
    return visit_type(values.type(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        if constexpr (std::is_same_v<T, bool>)
            return std::string(values.as<T>()[entry] ? "1" : "0");
        else return fmt::format("{}", values.as<T>()[entry]);
    });
}

} // namespace

void refuse_to_write(const ByteSink& sink, std::string message, std::string accepted,
                     std::string hint) {
    throw Error({.code = ErrorCode::unsupported,
                 .message = std::move(message),
                 .file = std::string(sink.path()),
                 .accepted = std::move(accepted),
                 .hint = std::move(hint)});
}

void WriteCheck::refuse(Index entry, std::string_view what, std::string_view hint) const {
    refuse_to_write(sink,
                    fmt::format("{} files cannot hold {} ({})", format, what,
                                entry_text(matrix, graph.ids, entry)),
                    {}, std::string(hint));
}

void WriteCheck::require_whole_weights(Index lowest) const {
    if (matrix.is_pattern()) return;
    const Index bad = visit_type(matrix.type(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        const auto values = matrix.values().as<T>();
        return parallel_combine(
            context, matrix.entries(), grain, Index{-1},
            [&](Index begin, Index end) {
                for (Index e = begin; e < end; ++e) {
                    if (!is_whole_from(values[e], lowest)) return e;
                }
                return Index{-1};
            },
            [](Index a, Index b) { return a >= 0 ? a : b; });
    });
    if (bad < 0) return;
    refuse(bad,
           fmt::format("the weight {}: weights are whole numbers{}",
                       value_text(matrix.values(), bad),
                       lowest > 0 ? fmt::format(" of at least {}", lowest) : ""),
           "write Matrix Market or an edge list, or drop the weights with --type pattern");
}

void WriteCheck::require_symmetric() const {
    const auto find = [&](const auto& same_value) {
        return first_bad(matrix, context, [&](const auto& view, Index row, Index column, Index e) {
            const auto in_row = [&](Index r) {
                return std::pair(view.crd.begin() + view.pos[r],
                                 view.crd.begin() + view.pos[r + 1]);
            };
            const auto [begin, end] = in_row(column);
            auto mirror = std::lower_bound(begin, end, row);
            // The k-th of equal entries answers to the k-th of the mirrored ones.
            for (Index k = e - 1; k >= view.pos[row] && view.crd[k] == column; --k) {
                if (mirror != end) ++mirror;
            }
            return mirror == end || *mirror != row || !same_value(e, mirror - view.crd.begin());
        });
    };
    const Index bad =
        matrix.is_pattern()
            ? find([](Index, Index) { return true; })
            : visit_type(matrix.type(), [&](auto tag) {
                  const auto values = matrix.values().as<typename decltype(tag)::type>();
                  return find([&](Index a, Index b) { return values[a] == values[b]; });
              });
    if (bad < 0) return;
    refuse(bad, "an edge without its mirror image of the same weight", "add --symmetrise");
}

void WriteCheck::require_no_self_loops() const {
    const Index bad = first_bad(
        matrix, context, [](const auto&, Index row, Index column, Index) { return row == column; });
    if (bad >= 0) refuse(bad, "self loops", "add --drop-loops");
}

void WriteCheck::require_no_duplicates() const {
    if (matrix.unique()) return;
    const Index bad =
        first_bad(matrix, context, [](const auto& view, Index row, Index column, Index e) {
            return e > view.pos[row] && view.crd[e - 1] == column;
        });
    if (bad >= 0) refuse(bad, "the same edge twice", "merge them with --duplicates sum");
}

void require_no_nan(const Array& values, const ByteSink& sink, const Context& context) {
    if (!is_float(values.type())) return;
    const Index bad = visit_type(values.type(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        const auto all = values.as<T>();
        return parallel_combine(
            context, values.size(), grain, Index{-1},
            [&](Index begin, Index end) {
                for (Index e = begin; e < end; ++e) {
                    if (std::isnan(static_cast<double>(all[e]))) return e;
                }
                return Index{-1};
            },
            [](Index a, Index b) { return a >= 0 ? a : b; });
    });
    if (bad < 0) return;
    refuse_to_write(sink, fmt::format("the value of entry {} is not a number (NaN)", bad),
                    "numbers and infinities", "drop the values with --type pattern");
}

void note_ids_from_one(const Graph& graph, std::vector<std::string>& notes) {
    const bool generated = is_generator_expression(graph.name);
    const std::vector<Index>& shape = graph.tensor.shape();
    for (std::size_t d = 0; d < std::min(graph.ids.size(), shape.size()); ++d) {
        const Index size = shape[d];
        // Nobody knows the vertices of a generated graph by other numbers yet.
        const bool same =
            graph.ids[d].counts_from_zero_or_one() && (generated || graph.ids[d].offset() == 1);
        if (same || size == 0) continue;
        notes.push_back(fmt::format("ids were written as 1 to {}", size));
        return;
    }
}

void note_vertex_data(const Graph& graph, std::vector<std::string>& notes) {
    if (!graph.vertex_weights.empty()) notes.emplace_back("vertex weights were not written");
    if (!graph.vertex_sizes.empty()) notes.emplace_back("vertex sizes were not written");
}

void note_undirected(const Graph& graph, std::vector<std::string>& notes) {
    if (graph.kind == EdgeKind::undirected) {
        notes.emplace_back("the file does not say that the graph is undirected: both directions of "
                           "each edge are listed");
    } else if (graph.kind == EdgeKind::undirected_once) {
        notes.emplace_back("the file does not say that the graph is undirected: each edge is "
                           "listed once");
    }
}

void note_two_kinds(const Graph& graph, std::vector<std::string>& notes) {
    const bool alike = graph.tensor.rank() == 2 && graph.tensor.dim(0) == graph.tensor.dim(1);
    if (graph.kind == EdgeKind::bipartite && alike) {
        notes.emplace_back("the file does not say that rows and columns are two kinds of things");
    }
}

void note_lost_reals(const Array& values, const Context& context, std::vector<std::string>& notes) {
    if (!is_float(values.type()) || values.empty()) return;
    const bool whole = visit_type(values.type(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        const auto all = values.as<T>();
        return parallel_combine(
            context, values.size(), grain, true,
            [&](Index begin, Index end) {
                return std::all_of(all.begin() + begin, all.begin() + end, [](T value) {
                    if (static_cast<double>(value) != std::trunc(static_cast<double>(value))) {
                        return false;
                    }
                    // Written as 1e+05, a whole number is read as a real one.
                    std::string text;
                    TextPiece(text).number(value);
                    return text.find_first_not_of("-0123456789") == text.npos;
                });
            },
            std::logical_and<>{});
    });
    if (!whole) return;
    notes.push_back(fmt::format("all weights are whole: a reader will take them for integers, not "
                                "for {}",
                                name_of(values.type())));
}

void note_whole_weights(const Tensor& tensor, std::vector<std::string>& notes) {
    if (tensor.is_pattern()) notes.emplace_back("weights of 1 were written");
    else if (is_float(tensor.type()))
        notes.push_back(fmt::format("weights of type {} were written as whole numbers",
                                    name_of(tensor.type())));
}

} // namespace tropic
