// A graph as a user knows it: a matrix, the ids its vertices had in the file, and the story of how
// it came to be what it is. Nothing happens to a graph without a Step that says so.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tropic/tensor.h"

namespace tropic {

/// One thing done to a graph, with its counts in the order they are shown.
struct Step {
    std::string what; ///< "read matrix market", "merged duplicates (sum)", "dropped self loops"...
    std::vector<std::pair<std::string, Index>> counts;
};

/// Maps positions 0..n-1 of one dimension back to the ids of the file: either a constant offset or
/// a table (after gaps were closed, isolated vertices dropped, vertices permuted).
class VertexIds {
  public:
    VertexIds() = default;
    explicit VertexIds(Index offset) : offset_(offset) {}
    /// `table[v]` (int32 or int64) is the file's id of vertex v.
    explicit VertexIds(Array table) : table_(std::move(table)) {}

    Index operator[](Index vertex) const noexcept {
        return table_.empty() ? vertex + offset_ : table_.index_at(vertex);
    }
    bool is_offset() const noexcept { return table_.empty(); }
    Index offset() const noexcept { return offset_; }
    /// The vertices are numbered without gaps from 0 or from 1, as file formats do.
    bool counts_from_zero_or_one() const noexcept {
        return is_offset() && (offset_ == 0 || offset_ == 1);
    }
    const Array& table() const noexcept { return table_; }

    /// The vertex with that id among `count` vertices, or -1. Linear for tables.
    Index find(Index id, Index count) const noexcept;

    /// The ids after vertices were reordered or dropped: new vertex v was old vertex `old_of[v]`
    /// (an int32 or int64 array).
    VertexIds compose(const Array& old_of, const Context& context) const;

  private:
    Index offset_ = 0;
    Array table_;
};

/// How the entries of the source stand for edges.
enum class EdgeKind : std::uint8_t {
    directed,        ///< an entry (i, j) is an edge from i to j
    undirected,      ///< both (i, j) and (j, i) are stored
    undirected_once, ///< the source lists each undirected edge once and so it is stored
    bipartite,       ///< rows and columns are two kinds of things, however many there are of each
};

std::string_view name_of(EdgeKind kind) noexcept;

struct Graph {
    std::string name;   ///< the path or generator expression it came from
    std::string source; ///< its format: "matrix market", "metis", "kron"...

    /// A[i, j]: the edge from i to j. Rank 2 for graphs; tensor files may have other ranks.
    Tensor tensor;
    EdgeKind kind = EdgeKind::directed;

    /// Ids of the file, one for each dimension. Square graphs have one id space, stored in both.
    std::vector<VertexIds> ids;

    /// Vertex weights of the file (`constraints` of them for each vertex, vertex-major) and sizes.
    Array vertex_weights;
    int constraints = 0;
    Array vertex_sizes;

    std::vector<Step> steps;           ///< what was done, in order
    std::vector<std::string> warnings; ///< what a careful user should know

    /// Rows and columns are the same vertices.
    bool is_square() const noexcept {
        return tensor.rank() == 2 && tensor.dim(0) == tensor.dim(1) && kind != EdgeKind::bipartite;
    }
    Index vertices() const noexcept { return tensor.rank() == 0 ? 0 : tensor.dim(0); }
    Index entries() const noexcept { return tensor.entries(); }
};

/// Throws Error(unsupported) naming `purpose` unless the graph is a matrix; the second also wants
/// it square.
void require_matrix(const Graph& graph, std::string_view purpose);
void require_square(const Graph& graph, std::string_view purpose);

} // namespace tropic
