// Cutting a graph into parts, and what the cut costs.
#pragma once

#include "tropic/graph.h"

namespace tropic {

enum class PartitionMethod : std::uint8_t {
    block_1d, ///< consecutive rows
    block_2d, ///< a grid of blocks of rows and columns
    metis,    ///< k-way by METIS
    scotch,   ///< k-way by SCOTCH
};

enum class BlockBalance : std::uint8_t {
    vertices, ///< equally many rows in every block
    random,   ///< equally many, after a random permutation
    entries,  ///< consecutive rows with equally many entries
};

std::string_view name_of(PartitionMethod method) noexcept;
bool parse_partition_method(std::string_view name, PartitionMethod& method) noexcept;
std::string_view name_of(BlockBalance balance) noexcept;
bool parse_block_balance(std::string_view name, BlockBalance& balance) noexcept;

struct PartitionOptions {
    PartitionMethod method = PartitionMethod::metis;
    Index parts = 2;
    /// block_2d: the grid; 0 x 0 means the most square grid with `parts` blocks.
    Index grid_rows = 0;
    Index grid_cols = 0;
    BlockBalance balance = BlockBalance::vertices;
    double imbalance = 0.03; ///< METIS and SCOTCH: the share by which a part may be too heavy
    std::uint64_t seed = 1;
};

struct PartitionQuality {
    Index edge_cut = 0;    ///< stored entries between different parts, each unordered pair once for
                           ///< symmetric graphs
    Index cut_entries = 0; ///< stored entries whose ends lie in different parts
    Index communication_volume =
        0;                     ///< sum over vertices of the other parts that have a neighbour of it
    double vertex_balance = 1; ///< the largest part over the mean
    double entry_balance = 1;
    Index boundary_vertices = 0; ///< vertices with a neighbour in another part
};

/// What one part holds: the vertices it owns, the vertices of others it reads, and its entries,
/// local (both ends owned) and foreign (the other end owned elsewhere). Entries are positions in
/// the matrix' csr form.
struct Part {
    Array local_vertices;
    Array foreign_vertices;
    Array local_entries;
    Array foreign_entries;
};

struct Partition {
    PartitionOptions options; ///< as used
    Index parts = 0;
    Array part_of; ///< int32: the part of every vertex; for block_2d the grid row of every vertex
    Array col_part_of; ///< block_2d: the grid column of every column; empty otherwise
    PartitionQuality quality;
    std::vector<Index> vertices_of_part; ///< block_2d: entries_of_part only
    std::vector<Index> entries_of_part;
    std::vector<Step> steps; ///< what was done to the graph on the way (symmetrised for METIS...)
    std::vector<std::string> warnings;
};

Partition partition(const Graph& graph, const PartitionOptions& options,
                    const Context& context = {});

/// The lists of every part at once.
std::vector<Part> all_part_lists(const Graph& graph, const Partition& partition,
                                 const Context& context = {});

/// The lists of one part (of a vertex partition) or block (of a 2D partition).
Part part_lists(const Graph& graph, const Partition& partition, Index part,
                const Context& context = {});

} // namespace tropic
