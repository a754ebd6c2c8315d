// Connected components by FastSV (Zhang, Azad, Hu 2020) with a first phase on a few edges of each
// vertex, after which the edges inside the largest component found are left out (Sutton, Ben-Nun,
// Barak 2018).
#include <algorithm>
#include <memory>
#include <unordered_map>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "graphblas_peer.h"

namespace tropic::bench::graphblas {

namespace {

constexpr GrB_Index edges_sampled = 4;
constexpr int vertices_sampled = 864;

/// A CSR matrix taken out of the peer without a copy, put back with `pack`.
struct Unpacked {
    GrB_Index* pos = nullptr;
    GrB_Index* crd = nullptr;
    void* values = nullptr;
    GrB_Index pos_bytes = 0;
    GrB_Index crd_bytes = 0;
    GrB_Index value_bytes = 0;
    bool iso = false;
    bool jumbled = false;

    void unpack(GrB_Matrix matrix) {
        check(GxB_Matrix_unpack_CSR(matrix, &pos, &crd, &values, &pos_bytes, &crd_bytes,
                                    &value_bytes, &iso, &jumbled, nullptr));
    }
    void pack(GrB_Matrix matrix) {
        check(GxB_Matrix_pack_CSR(matrix, &pos, &crd, &values, pos_bytes, crd_bytes, value_bytes,
                                  iso, jumbled, nullptr));
    }
};

/// The rounds of FastSV on the edges of a matrix.
class Rounds {
  public:
    explicit Rounds(GrB_Index n) : n_(n), places_(n), position_(n + 1) {
        parent_ = new_vector(GrB_INT32, n);
        std::vector<std::int32_t> own(n);
        for (GrB_Index v = 0; v < n; ++v) {
            own[v] = static_cast<std::int32_t>(v);
            places_[v] = v;
            position_[v] = v;
        }
        position_[n] = n;
        check(GrB_Vector_build_INT32(parent_, places_.data(), own.data(), n, nullptr));
        check(GrB_Vector_dup(grandparent_.out(), parent_));
        check(GrB_Vector_dup(least_.out(), parent_));
        next_ = new_vector(GrB_INT32, n);
        same_ = new_vector(GrB_BOOL, n);
    }

    void run(GrB_Matrix edges) {
        for (bool done = false; !done;) {
            check(GrB_mxv(least_, nullptr, GrB_MIN_INT32, GrB_MIN_SECOND_SEMIRING_INT32, edges,
                          grandparent_, nullptr));
            hook();
            check(GrB_Vector_eWiseAdd_BinaryOp(parent_, nullptr, GrB_MIN_INT32, GrB_MIN_INT32,
                                               least_, grandparent_, nullptr));
            read_places();
            check(
                GrB_Vector_extract(next_, nullptr, nullptr, parent_, places_.data(), n_, nullptr));
            check(GrB_Vector_eWiseMult_BinaryOp(same_, nullptr, nullptr, GrB_EQ_INT32, next_,
                                                grandparent_, nullptr));
            check(GrB_Vector_reduce_BOOL(&done, nullptr, GrB_LAND_MONOID_BOOL, same_, nullptr));
            std::swap(next_, grandparent_);
        }
    }

    const std::vector<GrB_Index>& places() const noexcept { return places_; }
    Vector take_parents() { return std::move(parent_); }

  private:
    /// parent[places[v]] min= least[v], as a product with the matrix of that permutation.
    void hook() {
        Matrix where = new_matrix(GrB_BOOL, n_, n_);
        GrB_Index* pos = position_.data();
        GrB_Index* crd = places_.data();
        bool one = true;
        void* values = &one;
        check(GxB_Matrix_pack_CSC(where, &pos, &crd, &values, position_.size() * sizeof(GrB_Index),
                                  places_.size() * sizeof(GrB_Index), sizeof(bool), true, false,
                                  nullptr));
        check(GrB_mxv(parent_, nullptr, GrB_MIN_INT32, GrB_MIN_SECOND_SEMIRING_INT32, where, least_,
                      nullptr));
        GrB_Index pos_bytes = 0;
        GrB_Index crd_bytes = 0;
        GrB_Index value_bytes = 0;
        bool iso = false;
        bool jumbled = false;
        check(GxB_Matrix_unpack_CSC(where, &pos, &crd, &values, &pos_bytes, &crd_bytes,
                                    &value_bytes, &iso, &jumbled, nullptr));
    }

    void read_places() {
        GrB_Index count = n_;
        check(GrB_Vector_extractTuples_UINT64(nullptr, places_.data(), &count, parent_));
    }

    GrB_Index n_;
    Vector parent_;
    Vector grandparent_;
    Vector least_;
    Vector next_;
    Vector same_;
    std::vector<GrB_Index> places_;   ///< the parents as places
    std::vector<GrB_Index> position_; ///< 0, 1, 2...
};

GrB_Index most_frequent(const std::vector<GrB_Index>& labels) {
    std::unordered_map<GrB_Index, int> counts;
    std::uint64_t state = 1;
    GrB_Index best = labels[0];
    for (int k = 0; k < vertices_sampled; ++k) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        const GrB_Index label = labels[(state >> 20) % labels.size()];
        if (++counts[label] > counts[best]) best = label;
    }
    return best;
}

/// Builds a bool matrix row by row: `size(v)` entries at most, `fill(v, out)` gives their end.
template <class Size, class Fill>
Matrix build_rows(GrB_Index n, int threads, const Size& size, const Fill& fill) {
    const auto pos = std::make_unique_for_overwrite<GrB_Index[]>(n + 1);
    pos[0] = 0;
    for (GrB_Index v = 0; v < n; ++v) pos[v + 1] = pos[v] + size(v);
    const auto crd = std::make_unique_for_overwrite<GrB_Index[]>(std::max<GrB_Index>(pos[n], 1));
    const auto ends = std::make_unique_for_overwrite<GrB_Index[]>(n);
    tbb::task_arena arena(threads);
    arena.execute([&] {
        tbb::parallel_for(tbb::blocked_range<GrB_Index>(0, n, 4096), [&](const auto& range) {
            for (GrB_Index v = range.begin(); v < range.end(); ++v) {
                ends[v] = static_cast<GrB_Index>(fill(v, crd.get() + pos[v]) - crd.get());
            }
        });
    });
    // Close the gaps; what is kept is a small part.
    GrB_Index at = 0;
    for (GrB_Index v = 0; v < n; ++v) {
        const GrB_Index begin = pos[v];
        pos[v] = at;
        at = static_cast<GrB_Index>(
            std::copy(crd.get() + begin, crd.get() + ends[v], crd.get() + at) - crd.get());
    }
    pos[n] = at;
    Matrix made = new_matrix(GrB_BOOL, n, n);
    const bool one = true;
    // The peer takes arrays of malloc's.
    auto* pos_given = static_cast<GrB_Index*>(std::malloc((n + 1) * sizeof(GrB_Index)));
    auto* crd_given =
        static_cast<GrB_Index*>(std::malloc(std::max<GrB_Index>(at, 1) * sizeof(GrB_Index)));
    auto* value = static_cast<bool*>(std::malloc(sizeof(bool)));
    std::copy_n(pos.get(), n + 1, pos_given);
    std::copy_n(crd.get(), at, crd_given);
    *value = one;
    void* values = value;
    check(GxB_Matrix_pack_CSR(made, &pos_given, &crd_given, &values, (n + 1) * sizeof(GrB_Index),
                              std::max<GrB_Index>(at, 1) * sizeof(GrB_Index), sizeof(bool), true,
                              false, nullptr));
    return made;
}

} // namespace

Vector components(PeerGraph& graph, int threads) {
    const GrB_Index n = graph.vertices;
    Rounds rounds(n);
    if (graph.entries <= n * edges_sampled * 2 || n <= 1024) {
        rounds.run(graph.pattern);
        return rounds.take_parents();
    }
    Unpacked csr;
    csr.unpack(graph.pattern);
    const Matrix sample = build_rows(
        n, threads,
        [&](GrB_Index v) { return std::min(edges_sampled, csr.pos[v + 1] - csr.pos[v]); },
        [&](GrB_Index v, GrB_Index* out) {
            const GrB_Index count = std::min(edges_sampled, csr.pos[v + 1] - csr.pos[v]);
            return std::copy_n(csr.crd + csr.pos[v], count, out);
        });
    rounds.run(sample);

    const std::vector<GrB_Index>& label = rounds.places();
    const GrB_Index giant = most_frequent(label);
    const Matrix rest = build_rows(
        n, threads,
        [&](GrB_Index v) { return label[v] == giant ? 0 : csr.pos[v + 1] - csr.pos[v] + 1; },
        [&](GrB_Index v, GrB_Index* out) {
            if (label[v] == giant) return out;
            GrB_Index* const begin = out;
            for (GrB_Index e = csr.pos[v]; e < csr.pos[v + 1]; ++e) {
                if (label[csr.crd[e]] != giant) *out++ = csr.crd[e];
            }
            // One edge to the giant stands for all of them.
            const auto kept = static_cast<GrB_Index>(out - begin);
            if (kept < csr.pos[v + 1] - csr.pos[v]) {
                GrB_Index* const place = std::lower_bound(begin, out, giant);
                std::copy_backward(place, out, out + 1);
                *place = giant;
                ++out;
            }
            return out;
        });
    csr.pack(graph.pattern);
    rounds.run(rest);
    return rounds.take_parents();
}

} // namespace tropic::bench::graphblas
