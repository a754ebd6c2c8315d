// igraph as a peer: its own functions, which use one thread.
#include <stdexcept>

#include <igraph/igraph.h>

#include <fmt/format.h>

#include "contestant.h"

namespace tropic::bench {

namespace {

void check(igraph_error_t code) {
    if (code != IGRAPH_SUCCESS) throw std::runtime_error(igraph_strerror(code));
}

/// Owns a vector of the peer.
template <class Data, auto Init, auto Destroy> class Owned {
  public:
    explicit Owned(igraph_integer_t size = 0) { check(Init(&data_, size)); }
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;
    ~Owned() { Destroy(&data_); }
    Data* get() noexcept { return &data_; }

  private:
    Data data_;
};
using Reals = Owned<igraph_vector_t, igraph_vector_init, igraph_vector_destroy>;
using Integers = Owned<igraph_vector_int_t, igraph_vector_int_init, igraph_vector_int_destroy>;

class IgraphContestant final : public Contestant {
  public:
    ~IgraphContestant() override { forget(); }

    std::string unable(Kernel /*kernel*/, const BenchGraph& /*graph*/) const override { return {}; }

    void load(const BenchGraph& graph) override {
        forget();
        vertices_ = graph.vertices();
        const igraph_integer_t count = graph.entries() / 2;
        Integers ends(2 * count);
        check(igraph_vector_resize(weights_.get(), count));
        igraph_integer_t edge = 0;
        for (std::int64_t v = 0; v < vertices_; ++v) {
            for (std::int64_t e = graph.pos[v]; e < graph.pos[v + 1]; ++e) {
                if (graph.crd[e] >= v) break;
                VECTOR(*ends.get())[2 * edge] = v;
                VECTOR(*ends.get())[2 * edge + 1] = graph.crd[e];
                VECTOR(*weights_.get())[edge] = graph.weights[e];
                ++edge;
            }
        }
        check(igraph_create(&graph_, ends.get(), vertices_, IGRAPH_UNDIRECTED));
        loaded_ = true;
    }

    void use_threads(int /*threads*/) override {}

    void run(const Task& task) override {
        switch (task.kernel) {
        case Kernel::bfs: {
            check(igraph_bfs_simple(&graph_, task.sources[0], IGRAPH_ALL, order_.get(),
                                    layers_.get(), whole_.get()));
            source_ = task.sources[0];
            break;
        }
        case Kernel::sssp:
            shortest_paths(task.sources[0]);
            break;
        case Kernel::pagerank: {
            igraph_real_t value = 0;
            check(igraph_pagerank(&graph_, IGRAPH_PAGERANK_ALGO_PRPACK, real_.get(), &value,
                                  igraph_vss_all(), false, damping, nullptr, nullptr));
            break;
        }
        case Kernel::components: {
            igraph_integer_t count = 0;
            check(igraph_connected_components(&graph_, whole_.get(), order_.get(), &count,
                                              IGRAPH_WEAK));
            break;
        }
        case Kernel::triangles: {
            check(igraph_adjacent_triangles(&graph_, real_.get(), igraph_vss_all()));
            count_ = static_cast<std::int64_t>(igraph_vector_sum(real_.get())) / 3;
            break;
        }
        case Kernel::betweenness: {
            Integers sources(static_cast<igraph_integer_t>(task.sources.size()));
            for (std::size_t s = 0; s < task.sources.size(); ++s) {
                VECTOR(*sources.get())[s] = task.sources[s];
            }
            check(igraph_betweenness_subset(&graph_, real_.get(), igraph_vss_all(), true,
                                            igraph_vss_vector(sources.get()), igraph_vss_all(),
                                            nullptr));
            break;
        }
        }
    }

    Answer answer(Kernel kernel) override {
        Answer made;
        const auto count = static_cast<std::size_t>(vertices_);
        switch (kernel) {
        case Kernel::bfs:
        case Kernel::components:
            made.whole.assign(VECTOR(*whole_.get()), VECTOR(*whole_.get()) + count);
            if (kernel == Kernel::bfs) {
                for (auto& parent : made.whole) parent = std::max<std::int64_t>(parent, -1);
                made.whole[static_cast<std::size_t>(source_)] = source_;
            }
            break;
        case Kernel::sssp:
            made.whole = distances_;
            break;
        case Kernel::pagerank:
        case Kernel::betweenness:
            made.real.assign(VECTOR(*real_.get()), VECTOR(*real_.get()) + count);
            // A pair counts once there and twice here, except from a source.
            if (kernel == Kernel::betweenness) {
                for (double& value : made.real) value *= betweenness_scale;
            }
            break;
        case Kernel::triangles:
            made.count = count_;
            break;
        }
        return made;
    }

  private:
    /// The peer halves the sums of undirected graphs.
    static constexpr double betweenness_scale = 2;

    void forget() {
        if (loaded_) igraph_destroy(&graph_);
        loaded_ = false;
    }

    void shortest_paths(std::int64_t source) {
        igraph_matrix_t lengths;
        check(igraph_matrix_init(&lengths, 0, 0));
        check(igraph_distances_dijkstra(&graph_, &lengths, igraph_vss_1(source), igraph_vss_all(),
                                        weights_.get(), IGRAPH_ALL));
        distances_.resize(static_cast<std::size_t>(vertices_));
        for (std::int64_t v = 0; v < vertices_; ++v) {
            const double length = MATRIX(lengths, 0, v);
            distances_[v] =
                length < IGRAPH_INFINITY ? static_cast<std::int64_t>(length) : unreachable;
        }
        igraph_matrix_destroy(&lengths);
    }

    igraph_t graph_{};
    bool loaded_ = false;
    std::int64_t vertices_ = 0;
    std::int64_t source_ = 0;
    std::int64_t count_ = 0;
    Reals weights_;
    Reals real_;
    Integers whole_;
    Integers order_;
    Integers layers_;
    std::vector<std::int64_t> distances_;
};

} // namespace

std::unique_ptr<Contestant> make_igraph() {
    return std::make_unique<IgraphContestant>();
}

} // namespace tropic::bench
