#include "graph/build/assemble.h"

#include <cstring>

#include <fmt/format.h>

#include "graph/build/partition.h"
#include "support/counted.h"
#include "support/memory.h"
#include "support/parallel.h"
#include "tropic/error.h"

namespace tropic::building {

namespace {

constexpr Index grain = 1 << 16;

/// The nodes of a level that have entries below them: node k begins with entry first(k) and is
/// stored at position at(k). Both are k itself where the array is empty.
struct Nodes {
    Index count = 0;
    Index positions = 0; ///< of the level, including those of a dense level without entries
    Array first_entry;   ///< int64; empty: every entry is a node
    Array position;      ///< int64; empty: every position is a node

    Index first(Index k) const noexcept {
        return first_entry.empty() ? k : first_entry.as<std::int64_t>()[k];
    }
    Index at(Index k) const noexcept {
        return position.empty() ? k : position.as<std::int64_t>()[k];
    }
    /// The first node that begins with `entry` or later.
    Index from(Index entry) const noexcept {
        if (first_entry.empty()) return entry;
        const auto first = first_entry.as<std::int64_t>();
        return std::lower_bound(first.begin(), first.end(), entry) - first.begin();
    }
};

/// What the outermost level hangs on: one position, with a node unless there are no entries.
Nodes root(Index entries, const Context& context) {
    Nodes nodes;
    nodes.count = entries > 0 ? 1 : 0;
    nodes.positions = 1;
    nodes.first_entry = Array::zeros(ElementType::int64, nodes.count, context, "tensor levels");
    return nodes;
}

/// Whether entry e differs from the one before it in a coordinate of levels 0 to `last`.
bool starts_node(const SortedEntries& entries, int last, Index e) {
    if (e == 0) return true;
    for (int level = last; level >= 0; --level) {
        const Array& crd = entries.coordinates[level];
        if (crd.index_at(e) != crd.index_at(e - 1)) return true;
    }
    return false;
}

/// Calls fill(k, e) for the k-th of the entries that satisfy `chosen`, in parallel, after
/// `allocate(count)`.
template <class Chosen, class Allocate, class Fill>
void select(Index count, const Context& context, const Chosen& chosen, const Allocate& allocate,
            const Fill& fill) {
    const Index pieces = (count + grain - 1) / grain;
    std::vector<Index> starts(pieces + 1);
    parallel_each(context, pieces, [&](Index piece) {
        Index found = 0;
        for (Index e = piece * grain; e < std::min(count, (piece + 1) * grain); ++e) {
            found += chosen(e) ? 1 : 0;
        }
        starts[piece + 1] = found;
    });
    for (Index piece = 0; piece < pieces; ++piece) starts[piece + 1] += starts[piece];
    allocate(starts[pieces]);
    parallel_each(context, pieces, [&](Index piece) {
        Index k = starts[piece];
        for (Index e = piece * grain; e < std::min(count, (piece + 1) * grain); ++e) {
            if (chosen(e)) fill(k++, e);
        }
    });
}

/// The nodes of a sparse level whose coordinates, together with those of the singletons below it,
/// are levels 0 to `last`.
Nodes sparse_nodes(const SortedEntries& entries, int last, const Context& context) {
    Nodes nodes;
    const Index total = entries.values.size();
    const bool innermost = last + 1 == static_cast<int>(entries.coordinates.size());
    if (innermost) {
        nodes.count = total;
    } else {
        select(
            total, context, [&](Index e) { return starts_node(entries, last, e); },
            [&](Index count) {
                nodes.count = count;
                nodes.first_entry =
                    Array::allocate(ElementType::int64, count, context, "tensor levels");
            },
            [&](Index k, Index e) { nodes.first_entry.mutable_as<std::int64_t>()[k] = e; });
    }
    nodes.positions = nodes.count;
    return nodes;
}

/// The coordinates of a level's nodes; the entries' own array if they are the nodes.
Array node_coordinates(const SortedEntries& entries, int level, const Nodes& nodes,
                       const Context& context) {
    const Array& crd = entries.coordinates[level];
    if (nodes.first_entry.empty()) return crd;
    Array result = Array::allocate(crd.type(), nodes.count, context, "tensor levels");
    visit_index(crd.type(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        const auto from = crd.as<T>();
        const auto to = result.mutable_as<T>();
        parallel_ranges(context, nodes.count, grain, [&](Index begin, Index end) {
            for (Index k = begin; k < end; ++k) to[k] = from[nodes.first(k)];
        });
    });
    return result;
}

/// pos[p] = number of child nodes under parent positions before p.
Array child_positions(const Nodes& parents, const Nodes& children, const Context& context) {
    Array pos = Array::allocate(index_type_for(children.count), parents.positions + 1, context,
                                "row positions");
    visit_index(pos.type(), [&](auto tag) {
        using Pos = typename decltype(tag)::type;
        const auto out = pos.mutable_as<Pos>();
        parallel_ranges(context, parents.count + 1, grain, [&](Index begin, Index end) {
            for (Index k = begin; k < end; ++k) {
                // Parent k sets its own beginning and that of the empty parents before it.
                const Index from = k == 0 ? 0 : parents.at(k - 1) + 1;
                const Index to = k == parents.count ? parents.positions : parents.at(k);
                const Index child =
                    k == parents.count ? children.count : children.from(parents.first(k));
                std::fill(out.begin() + from, out.begin() + to + 1, static_cast<Pos>(child));
            }
        });
    });
    return pos;
}

/// The nodes of a dense level of extent `extent` at `level` under `parents`.
Nodes dense_nodes(const SortedEntries& entries, int level, Index extent, const Nodes& parents,
                  const Context& context) {
    Nodes nodes = sparse_nodes(entries, level, context);
    if (__builtin_mul_overflow(parents.positions, extent, &nodes.positions)) {
        throw Error(ErrorCode::out_of_memory, "the dense levels have more elements than an index",
                    "store it sparse: coo or csf");
    }
    nodes.position = Array::allocate(ElementType::int64, nodes.count, context, "tensor levels");
    const auto position = nodes.position.mutable_as<std::int64_t>();
    const Array& crd = entries.coordinates[level];
    parallel_ranges(context, nodes.count, grain, [&](Index begin, Index end) {
        Index parent = parents.from(nodes.first(begin) + 1) - 1;
        for (Index k = begin; k < end; ++k) {
            const Index entry = nodes.first(k);
            while (parent + 1 < parents.count && parents.first(parent + 1) <= entry) ++parent;
            position[k] = parents.at(parent) * extent + crd.index_at(entry);
        }
    });
    return nodes;
}

/// The values at their positions below a dense innermost level.
Array spread_values(const SortedEntries& entries, const Nodes& nodes, const Context& context) {
    // A pattern has no zeros to fill with: it becomes boolean.
    const Array source = entries.values.type() == ElementType::pattern
                             ? cast(entries.values, ElementType::boolean, context)
                             : entries.values;
    Array result = Array::zeros(source.type(), nodes.positions, context, "dense values");
    visit_value_bytes(static_cast<int>(size_of(source.type())), [&](auto width) {
        const auto* from = static_cast<const std::byte*>(source.data());
        auto* to = static_cast<std::byte*>(result.mutable_data());
        parallel_ranges(context, nodes.count, grain, [&](Index begin, Index end) {
            for (Index k = begin; k < end; ++k) {
                if constexpr (width > 0) {
                    __builtin_memcpy(to + nodes.at(k) * width, from + k * width, width);
                }
            }
        });
    });
    return result;
}

} // namespace

Tensor assemble(SortedEntries entries, const Format& format, const Context& context) {
    const int rank = static_cast<int>(entries.shape.size());
    const bool spread = format.levels.back() == LevelKind::dense;
    if (spread && !entries.unique) {
        throw Error(
            ErrorCode::inconsistent,
            "some coordinates have several entries, and a dense tensor holds one value each",
            "say how to merge them, such as --duplicates sum (or min, max, first, last)");
    }
    std::vector<Level> levels(rank);
    Nodes parents = root(entries.values.size(), context);
    for (int l = 0; l < rank; ++l) {
        context.check_cancelled();
        Level& level = levels[l];
        level.kind = format.levels[l];
        if (level.kind == LevelKind::dense) {
            parents = dense_nodes(entries, l, entries.shape[format.order[l]], parents, context);
            continue;
        }
        if (level.kind == LevelKind::compressed) {
            int last = l;
            while (last + 1 < rank && format.levels[last + 1] == LevelKind::singleton) ++last;
            Nodes nodes = sparse_nodes(entries, last, context);
            level.pos = child_positions(parents, nodes, context);
            parents = std::move(nodes);
        }
        level.crd = node_coordinates(entries, l, parents, context);
    }
    Array values = spread ? spread_values(entries, parents, context) : entries.values;
    return {std::move(entries.shape), format,         std::move(levels),
            std::move(values),        entries.unique, true};
}

void require_buildable(const Format& format, int rank) {
    const auto size = static_cast<std::size_t>(rank);
    std::vector<bool> seen(size);
    bool permutation = format.levels.size() == size && format.order.size() == size && rank > 0;
    for (const int d : format.order) {
        permutation = permutation && d >= 0 && d < rank && !seen[d];
        if (permutation) seen[d] = true;
    }
    if (rank == 0) {
        throw Error({.code = ErrorCode::usage,
                     .message = "a tensor of rank 0 has no dimensions to store",
                     .accepted = "shapes of at least one dimension",
                     .hint = "keep a single number in a tensor of shape {1}"});
    }
    if (!permutation) {
        throw Error({.code = ErrorCode::usage,
                     .message = fmt::format(
                         "the format has {} and does not fit rank {}",
                         counted(static_cast<Index>(format.levels.size()), "levels"), rank),
                     .accepted = "one level for each dimension, in any order"});
    }
    for (std::size_t l = 0; l < size; ++l) {
        if (format.levels[l] != LevelKind::singleton) continue;
        if (l == 0 || format.levels[l - 1] == LevelKind::dense) {
            throw Error(ErrorCode::unsupported,
                        fmt::format("level {} is a singleton without a sparse level above it", l),
                        "make it compressed");
        }
    }
}

void require_room(const std::vector<Index>& shape, const Format& format, Index entries,
                  ElementType values, const Context& context) {
    // Positions of the levels so far; at least one for each entry is paid for elsewhere.
    std::uint64_t positions = 1;
    bool too_many = false;
    std::uint64_t bytes = 0;
    const std::size_t width = size_of(index_type_for(entries));
    for (std::size_t l = 0; l < format.levels.size(); ++l) {
        const auto extent = static_cast<std::uint64_t>(shape[format.order[l]]);
        if (format.levels[l] == LevelKind::dense) {
            too_many = too_many || __builtin_mul_overflow(positions, extent, &positions) ||
                       positions >= (std::uint64_t{1} << 59);
            const bool last = l + 1 == format.levels.size();
            const std::size_t each = last ? std::max<std::size_t>(size_of(values), 1)
                                          : (format.levels[l + 1] == LevelKind::dense ? 0 : width);
            if (!too_many) bytes += positions * each;
        } else {
            const auto most = static_cast<std::uint64_t>(entries);
            const bool overflow = __builtin_mul_overflow(positions, extent, &positions);
            positions = overflow ? most : std::min(positions, most);
        }
        if (too_many) break;
    }
    const auto& budget = *context.budget();
    if (!too_many && bytes <= budget.limit() && budget.used() <= budget.limit() - bytes) return;
    const bool sparse = format.levels.back() != LevelKind::dense;
    std::string extents;
    for (const Index extent : shape) {
        extents += fmt::format("{}{}", extents.empty() ? "" : " x ", extent);
    }
    throw Error(ErrorCode::out_of_memory,
                fmt::format("the {} positions of format {} for shape {} would take {}; with {} in "
                            "use that is over the memory limit of {}",
                            sparse ? "row" : "dense", format.name(), extents,
                            too_many ? "more than any machine has" : bytes_text(bytes),
                            bytes_text(budget.used()), bytes_text(budget.limit())),
                shape.size() != 2 ? "store it sparse with format coo or csf, or raise --memory"
                : sparse ? "store only the rows that have entries with format dcsr (or dcsc), or "
                           "raise the limit with --memory"
                         : "store it sparse with format csr or dcsr, or raise --memory");
}

} // namespace tropic::building
