// SuiteSparse:GraphBLAS as a peer: what its algorithms share. Each is written after its published
// description and does what that does, with the formats and heuristics given there.
#pragma once

// Debian's header does not say itself that it is C.
extern "C" {
#include <GraphBLAS.h>
}

#include <source_location>
#include <utility>
#include <vector>

#include "contestant.h"

namespace tropic::bench::graphblas {

/// Throws with the place of the call unless the call worked.
void check(GrB_Info info, std::source_location place = std::source_location::current());

/// Owns a vector or matrix of the peer.
template <class Handle, auto Free> class Owned {
  public:
    Owned() = default;
    explicit Owned(Handle handle) : handle_(handle) {}
    Owned(Owned&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Owned& operator=(Owned&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;
    ~Owned() {
        if (handle_ != nullptr) Free(&handle_);
    }
    operator Handle() const noexcept { return handle_; }
    Handle* out() noexcept { return &handle_; }

  private:
    Handle handle_ = nullptr;
};
using Vector = Owned<GrB_Vector, GrB_Vector_free>;
using Matrix = Owned<GrB_Matrix, GrB_Matrix_free>;
using Scalar = Owned<GrB_Scalar, GrB_Scalar_free>;

Vector new_vector(GrB_Type type, GrB_Index size);
Matrix new_matrix(GrB_Type type, GrB_Index rows, GrB_Index cols);
Scalar new_scalar(std::int32_t value);

/// The graph as the peer holds it; being symmetric, it is its own transpose.
struct PeerGraph {
    Matrix pattern;                ///< bool, all true
    Matrix weights;                ///< int32
    Vector degrees;                ///< int64, of vertices that have edges
    std::vector<GrB_Index> degree; ///< of every vertex
    GrB_Index vertices = 0;
    GrB_Index entries = 0;
    std::int32_t delta = 1;
};

Vector bfs_parents(const PeerGraph& graph, GrB_Index source);
Vector shortest_paths(const PeerGraph& graph, GrB_Index source);
Vector pagerank(const PeerGraph& graph);
Vector components(PeerGraph& graph, int threads);
std::int64_t count_triangles(const PeerGraph& graph);
Vector betweenness(const PeerGraph& graph, const std::vector<std::int64_t>& sources);

} // namespace tropic::bench::graphblas
