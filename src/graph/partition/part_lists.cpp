// The vertices and entries of parts: one part at a time by one worker, so that listing all of them
// costs two passes over the matrix.
#include <fmt/format.h>

#include "graph/partition/methods.h"
#include "graph/partition/rows_of_parts.h"
#include "graph/statistics/csr_form.h"
#include "support/counted.h"
#include "support/memory.h"
#include "tropic/error.h"

namespace tropic {

namespace {

/// An array being filled from the front.
template <class T> class Filler {
  public:
    Filler(Array& array, Index size, const Context& context, std::string_view purpose) {
        array = Array::allocate(element_type_of<T>(), size, context, purpose);
        next_ = array.mutable_as<T>().data();
    }
    void add(Index value) noexcept { *next_++ = static_cast<T>(value); }

  private:
    T* next_ = nullptr;
};

template <class Pos, class Crd> class Lister {
  public:
    Lister(const CsrView<Pos, Crd>& view, const Partition& partition, const Context& context)
        : view_(view), partition_(partition), context_(context),
          owner_(partition.part_of.as<std::int32_t>()) {}

    /// A part of a square graph: `part.local_vertices` is there already.
    void vertex_part(Part& part, Index number, Marks& seen) const {
        Index local = 0;
        Index foreign = 0;
        Index others = 0;
        for_each_entry(part, [&](Crd j, Index) {
            if (owner_[j] == number) {
                ++local;
                return;
            }
            ++foreign;
            others += seen.first(j, number) ? 1 : 0;
        });
        Filler<Crd> vertices(part.foreign_vertices, others, context_,
                             "the foreign vertices of a part");
        Filler<Pos> locals(part.local_entries, local, context_, "the local entries of a part");
        Filler<Pos> foreigns(part.foreign_entries, foreign, context_,
                             "the foreign entries of a part");
        for_each_entry(part, [&](Crd j, Index e) {
            if (owner_[j] == number) {
                locals.add(e);
                return;
            }
            foreigns.add(e);
            if (seen.first_again(j, number)) vertices.add(j);
        });
        sort_by_owner(part.foreign_vertices.mutable_as<Crd>());
    }

    /// A block of rows of a rectangular matrix.
    void row_block(Part& part, Index number, Marks& seen) const {
        Index local = 0;
        Index touched = 0;
        for_each_entry(part, [&](Crd j, Index) {
            ++local;
            touched += seen.first(j, number) ? 1 : 0;
        });
        Filler<Crd> columns(part.foreign_vertices, touched, context_,
                            "the foreign vertices of a part");
        Filler<Pos> locals(part.local_entries, local, context_, "the local entries of a part");
        for_each_entry(part, [&](Crd j, Index e) {
            locals.add(e);
            if (seen.first_again(j, number)) columns.add(j);
        });
        const auto listed = part.foreign_vertices.mutable_as<Crd>();
        std::sort(listed.begin(), listed.end());
        part.foreign_entries = no_entries();
    }

    /// All blocks of one row of the grid; they share the array of their rows.
    void grid_row(std::span<Part> blocks) const {
        const auto grid_col = partition_.col_part_of.as<std::int32_t>();
        std::vector<Index> counts(blocks.size(), 0);
        for_each_entry(blocks[0], [&](Crd j, Index) { ++counts[grid_col[j]]; });
        std::vector<Filler<Pos>> fillers;
        for (std::size_t c = 0; c < blocks.size(); ++c) {
            fillers.emplace_back(blocks[c].local_entries, counts[c], context_,
                                 "the entries of a block");
            blocks[c].foreign_entries = no_entries();
        }
        for_each_entry(blocks[0], [&](Crd j, Index e) { fillers[grid_col[j]].add(e); });
    }

    /// One block alone.
    void grid_block(Part& block, Index number) const {
        const auto grid_col = partition_.col_part_of.as<std::int32_t>();
        Index count = 0;
        for_each_entry(block, [&](Crd j, Index) { count += grid_col[j] == number ? 1 : 0; });
        Filler<Pos> filler(block.local_entries, count, context_, "the entries of a block");
        for_each_entry(block, [&](Crd j, Index e) {
            if (grid_col[j] == number) filler.add(e);
        });
        block.foreign_entries = no_entries();
    }

  private:
    /// With the owners beside the vertices, since looking them up in every comparison would cost
    /// more than the sort.
    void sort_by_owner(std::span<Crd> vertices) const {
        using Owned = std::pair<std::int32_t, Crd>;
        const MemoryCharge charge(context_.budget(), vertices.size() * sizeof(Owned),
                                  "sorting the foreign vertices of a part");
        std::vector<Owned> owned(vertices.size());
        for (std::size_t i = 0; i < owned.size(); ++i) {
            owned[i] = {owner_[vertices[i]], vertices[i]};
        }
        std::sort(owned.begin(), owned.end());
        for (std::size_t i = 0; i < owned.size(); ++i) vertices[i] = owned[i].second;
    }

    Array no_entries() const {
        return Array::allocate(element_type_of<Pos>(), 0, context_, "no entries");
    }

    /// Calls `action(column, entry)` for the entries of the part's rows.
    template <class Action> void for_each_entry(const Part& part, const Action& action) const {
        visit_index(part.local_vertices.type(), [&](auto tag) {
            using T = typename decltype(tag)::type;
            for (const T i : part.local_vertices.as<T>()) {
                for (Index e = view_.pos[i]; e < view_.pos[i + 1]; ++e) {
                    action(view_.crd[e], e);
                }
            }
        });
    }

    const CsrView<Pos, Crd>& view_;
    const Partition& partition_;
    const Context& context_;
    std::span<const std::int32_t> owner_;
};

/// The positions at which `part_of` is `part`.
Array members_of(const Array& part_of, Index part, const Context& context) {
    const auto parts = part_of.as<std::int32_t>();
    const auto wanted = static_cast<std::int32_t>(part);
    const Index count = std::count(parts.begin(), parts.end(), wanted);
    Array result =
        Array::allocate(index_type_for(part_of.size()), count, context, "the vertices of a part");
    visit_index(result.type(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        T* next = result.mutable_as<T>().data();
        for (Index v = 0; v < part_of.size(); ++v) {
            if (parts[v] == wanted) *next++ = static_cast<T>(v);
        }
    });
    return result;
}

/// A partition made for another graph must not lead outside its arrays.
void require_match(const Tensor& csr, const Partition& partition) {
    const bool grid = partition.options.method == PartitionMethod::block_2d;
    if (partition.part_of.size() == csr.dim(0) &&
        (!grid || partition.col_part_of.size() == csr.dim(1))) {
        return;
    }
    throw Error(ErrorCode::usage,
                fmt::format("the partition is of {}, the graph has {}",
                            counted(partition.part_of.size(), "vertices"), csr.dim(0)),
                "pass the graph that was partitioned");
}

} // namespace

Part part_lists(const Graph& graph, const Partition& partition, Index part,
                const Context& context) {
    require_matrix(graph, "listing a part");
    const Tensor csr = sorted_csr(graph.tensor, context);
    require_match(csr, partition);
    if (part < 0 || part >= partition.parts) {
        throw Error({.code = ErrorCode::range,
                     .message = fmt::format("there is no part {}", part),
                     .accepted = partition.parts > 0 ? fmt::format("0 to {}", partition.parts - 1)
                                                     : "nothing: the partition has no parts"});
    }
    Part result;
    visit_csr(csr, [&]<class Pos, class Crd>(const CsrView<Pos, Crd>& view) {
        const Lister<Pos, Crd> lister(view, partition, context);
        if (partition.options.method == PartitionMethod::block_2d) {
            const Index grid_cols = partition.options.grid_cols;
            result.local_vertices = members_of(partition.part_of, part / grid_cols, context);
            result.foreign_vertices = members_of(partition.col_part_of, part % grid_cols, context);
            lister.grid_block(result, part % grid_cols);
            return;
        }
        result.local_vertices = members_of(partition.part_of, part, context);
        Marks seen(view.cols, context);
        if (is_vertex_partition(graph, partition)) lister.vertex_part(result, part, seen);
        else lister.row_block(result, part, seen);
    });
    return result;
}

std::vector<Part> all_part_lists(const Graph& graph, const Partition& partition,
                                 const Context& context) {
    require_matrix(graph, "listing parts");
    const Tensor csr = sorted_csr(graph.tensor, context);
    require_match(csr, partition);
    context.budget()->require(static_cast<std::uint64_t>(partition.parts) * sizeof(Part),
                              "the lists of all parts");
    std::vector<Part> result(partition.parts);
    const bool grid = partition.options.method == PartitionMethod::block_2d;
    const Index groups_count = grid ? partition.options.grid_rows : partition.parts;
    const RowsOfParts rows = group_rows(partition.part_of, groups_count, context);
    visit_csr(csr, [&]<class Pos, class Crd>(const CsrView<Pos, Crd>& view) {
        const Lister<Pos, Crd> lister(view, partition, context);
        if (grid) {
            const Index grid_cols = partition.options.grid_cols;
            const RowsOfParts cols = group_rows(partition.col_part_of, grid_cols, context);
            std::vector<Array> columns(grid_cols);
            for (Index c = 0; c < grid_cols; ++c) columns[c] = cols.of(c, context);
            parallel_each(context, groups_count, [&](Index r) {
                const std::span<Part> blocks(result.data() + r * grid_cols, grid_cols);
                const Array members = rows.of(r, context);
                for (Index c = 0; c < grid_cols; ++c) {
                    blocks[c].local_vertices = members;
                    blocks[c].foreign_vertices = columns[c];
                }
                lister.grid_row(blocks);
            });
            return;
        }
        const bool vertices = is_vertex_partition(graph, partition);
        for_each_part(context, partition.parts, view.cols, csr.bytes() * 2,
                      [&](Index number, Marks& seen) {
                          Part& part = result[number];
                          part.local_vertices = rows.of(number, context);
                          if (vertices) lister.vertex_part(part, number, seen);
                          else lister.row_block(part, number, seen);
                      });
    });
    return result;
}

} // namespace tropic
