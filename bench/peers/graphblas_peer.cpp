#include "graphblas_peer.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include <fmt/format.h>

namespace tropic::bench {

namespace graphblas {

void check(GrB_Info info, std::source_location place) {
    if (info == GrB_SUCCESS || info == GrB_NO_VALUE) return;
    throw std::runtime_error(fmt::format("GraphBLAS failed with {} at {}:{}",
                                         static_cast<int>(info), place.file_name(), place.line()));
}

Vector new_vector(GrB_Type type, GrB_Index size) {
    Vector made;
    check(GrB_Vector_new(made.out(), type, size));
    return made;
}

Matrix new_matrix(GrB_Type type, GrB_Index rows, GrB_Index cols) {
    Matrix made;
    check(GrB_Matrix_new(made.out(), type, rows, cols));
    return made;
}

Scalar new_scalar(std::int32_t value) {
    Scalar made;
    check(GrB_Scalar_new(made.out(), GrB_INT32));
    check(GrB_Scalar_setElement_INT32(made, value));
    return made;
}

namespace {

PeerGraph load_graph(const BenchGraph& graph) {
    const auto n = static_cast<GrB_Index>(graph.vertices());
    const auto entries = static_cast<GrB_Index>(graph.entries());
    const std::vector<GrB_Index> pos(graph.pos.begin(), graph.pos.end());
    const std::vector<GrB_Index> crd(graph.crd.begin(), graph.crd.end());
    PeerGraph made;
    made.vertices = n;
    made.entries = entries;
    // Every product costs the peer a call, so its buckets are best as wide as the weights, or an
    // eighth of that where vertices have many neighbours.
    if (entries > 0) {
        const auto largest = static_cast<std::uint32_t>(*std::ranges::max_element(graph.weights));
        made.delta =
            static_cast<std::int32_t>(std::bit_ceil(entries >= 8 * n ? largest / 8 : largest));
    }
    check(GrB_Matrix_import_INT32(made.weights.out(), GrB_INT32, n, n, pos.data(), crd.data(),
                                  graph.weights.data(), n + 1, entries, entries, GrB_CSR_FORMAT));
    made.pattern = new_matrix(GrB_BOOL, n, n);
    check(GrB_Matrix_assign_BOOL(made.pattern, made.weights, nullptr, true, GrB_ALL, n, GrB_ALL, n,
                                 GrB_DESC_S));
    check(GrB_Matrix_wait(made.pattern, GrB_MATERIALIZE));
    made.degrees = new_vector(GrB_INT64, n);
    made.degree.resize(n);
    for (GrB_Index v = 0; v < n; ++v) {
        made.degree[v] = pos[v + 1] - pos[v];
        if (made.degree[v] == 0) continue;
        check(GrB_Vector_setElement_INT64(made.degrees, static_cast<std::int64_t>(made.degree[v]),
                                          v));
    }
    check(GrB_Vector_wait(made.degrees, GrB_MATERIALIZE));
    return made;
}

std::vector<std::int64_t> whole_values(GrB_Vector vector, GrB_Index n, std::int64_t absent) {
    GrB_Index count = 0;
    check(GrB_Vector_nvals(&count, vector));
    std::vector<GrB_Index> places(count);
    std::vector<std::int64_t> values(count);
    check(GrB_Vector_extractTuples_INT64(places.data(), values.data(), &count, vector));
    std::vector<std::int64_t> all(n, absent);
    for (GrB_Index k = 0; k < count; ++k) all[places[k]] = values[k];
    return all;
}

std::vector<double> real_values(GrB_Vector vector, GrB_Index n) {
    GrB_Index count = 0;
    check(GrB_Vector_nvals(&count, vector));
    std::vector<GrB_Index> places(count);
    std::vector<double> values(count);
    check(GrB_Vector_extractTuples_FP64(places.data(), values.data(), &count, vector));
    std::vector<double> all(n, 0);
    for (GrB_Index k = 0; k < count; ++k) all[places[k]] = values[k];
    return all;
}

class GraphblasContestant final : public Contestant {
  public:
    GraphblasContestant() {
        // The peer starts once in a process and cannot start again after its end.
        static const GrB_Info started = GrB_init(GrB_NONBLOCKING);
        check(started);
    }

    std::string unable(Kernel /*kernel*/, const BenchGraph& /*graph*/) const override { return {}; }

    void load(const BenchGraph& graph) override { graph_ = load_graph(graph); }

    void use_threads(int threads) override {
        threads_ = threads;
        check(GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, threads));
    }

    void run(const Task& task) override {
        switch (task.kernel) {
        case Kernel::bfs:
            result_ = bfs_parents(graph_, static_cast<GrB_Index>(task.sources[0]));
            break;
        case Kernel::sssp:
            result_ = shortest_paths(graph_, static_cast<GrB_Index>(task.sources[0]));
            break;
        case Kernel::pagerank:
            result_ = pagerank(graph_);
            break;
        case Kernel::components:
            result_ = components(graph_, threads_);
            break;
        case Kernel::triangles:
            count_ = count_triangles(graph_);
            break;
        case Kernel::betweenness:
            result_ = betweenness(graph_, task.sources);
            break;
        }
    }

    Answer answer(Kernel kernel) override {
        if (kernel == Kernel::triangles) return {.whole = {}, .real = {}, .count = count_};
        const bool real = kernel == Kernel::pagerank || kernel == Kernel::betweenness;
        if (real) return {.whole = {}, .real = real_values(result_, graph_.vertices)};
        Answer made{.whole = whole_values(result_, graph_.vertices, unreachable), .real = {}};
        if (kernel == Kernel::sssp) {
            for (auto& distance : made.whole) {
                if (distance == INT32_MAX) distance = unreachable;
            }
        }
        return made;
    }

  private:
    PeerGraph graph_;
    Vector result_;
    std::int64_t count_ = 0;
    int threads_ = 1;
};

} // namespace

} // namespace graphblas

std::unique_ptr<Contestant> make_graphblas() {
    return std::make_unique<graphblas::GraphblasContestant>();
}

} // namespace tropic::bench
