// Cutting a graph into parts, and what the cut costs.
#pragma once

#include <optional>

#include "tropic/graph.h"

namespace tropic {

enum class PartitionMethod : std::uint8_t {
    block_1d, ///< consecutive rows
    block_2d, ///< a grid of blocks of rows and columns
    metis,    ///< k-way by METIS
    scotch,   ///< k-way by SCOTCH
};

/// How blocks are cut. Blocks of equally many rows differ by one at most, the larger ones first.
enum class BlockBalance : std::uint8_t {
    vertices, ///< equally many rows in every block
    random,   ///< equally many, after a random permutation (of rows and columns alike if square)
    entries,  ///< consecutive rows with equally many entries, as near as whole rows allow
};

std::string_view name_of(PartitionMethod method) noexcept;
bool parse_partition_method(std::string_view name, PartitionMethod& method) noexcept;
std::string_view name_of(BlockBalance balance) noexcept;
bool parse_block_balance(std::string_view name, BlockBalance& balance) noexcept;

struct PartitionOptions {
    PartitionMethod method = PartitionMethod::metis;
    Index parts = 2; ///< block_2d: may be 0 if the grid is given, else must be its size
    /// block_2d: the grid; 0 x 0 means the most square grid with `parts` blocks, not taller than
    /// wide.
    Index grid_rows = 0;
    Index grid_cols = 0;
    BlockBalance balance = BlockBalance::vertices;
    double imbalance = 0.03; ///< METIS and SCOTCH: the share by which a part may be too heavy
    std::uint64_t seed = 1;
};

/// What a partition costs. Vertex partitions of square graphs are measured as said at the fields.
/// Blocks of a 2D partition and row blocks of a rectangular matrix cut no edges; there only the
/// balances and the communication volume count, which is then the sum over blocks of the columns
/// (2D: the rows and the columns) that its entries touch.
struct PartitionQuality {
    Index cut_entries = 0; ///< stored entries whose ends lie in different parts
    Index edge_cut = 0;    ///< the same, half of them where each is stored in both directions, and
                           ///< as often: repeated entries are edges of their own
    Index communication_volume = 0; ///< sum over vertices j of the other parts that own a row i
                                    ///< with an entry (i, j): all foreign vertices of all parts
    double vertex_balance = 1;   ///< the largest part over the mean (2D: of the blocks of rows or
                                 ///< of columns, whichever is worse)
    double weight_balance = 1;   ///< the same by vertex weights, for the worst constraint
    double entry_balance = 1;    ///< the same by stored entries
    Index boundary_vertices = 0; ///< vertices with a neighbour, in or out, in another part
    std::optional<double> cut_weight = {}; ///< METIS and SCOTCH, where they minimised it: the sum
                                           ///< of the weights of the edges cut
};

/// What one part holds: the vertices it owns, the vertices of others it reads, and its entries (all
/// those of its rows), local (both ends owned) and foreign (the other end owned elsewhere). Entries
/// are positions in the matrix' csr form with sorted rows. Arrays are int32 or int64.
///
/// A block of a 2D partition has its rows as local and its columns as foreign vertices, a block of
/// rows of a rectangular matrix the columns it touches; all their entries are local.
struct Part {
    Array local_vertices;   ///< ascending
    Array foreign_vertices; ///< ascending by owner, then by vertex
    Array local_entries;    ///< ascending
    Array foreign_entries;  ///< ascending
};

struct Partition {
    PartitionOptions options; ///< as used
    Index parts = 0;
    Array part_of; ///< int32: the part of every vertex; for block_2d the grid row of every vertex
    Array col_part_of; ///< block_2d: the grid column of every column; empty otherwise
    PartitionQuality quality;
    std::vector<Index> vertices_of_part; ///< block_2d: entries_of_part only
    std::vector<Index> entries_of_part;  ///< block_2d: of block (r, c) at r * grid_cols + c
    std::vector<Step> steps; ///< what was done to the graph on the way (symmetrised for METIS...)
    std::vector<std::string> warnings;
};

/// Cuts the vertices of a graph, or the rows (and columns) of a matrix, into parts. The graph stays
/// as it is: what METIS and SCOTCH need changed (they know only symmetric graphs without self loops
/// and positive integer weights) is changed in a copy of theirs and told in `steps`. Equal options
/// give equal partitions. METIS draws from rand() of the C library: a program that calls rand() or
/// srand() from another thread meanwhile disturbs it.
Partition partition(const Graph& graph, const PartitionOptions& options,
                    const Context& context = {});

/// The lists of one part (of a vertex partition) or block (of a 2D partition).
Part part_lists(const Graph& graph, const Partition& partition, Index part,
                const Context& context = {});

/// The lists of all parts (blocks, row by row of the grid) in one parallel pass.
std::vector<Part> all_part_lists(const Graph& graph, const Partition& partition,
                                 const Context& context = {});

} // namespace tropic
