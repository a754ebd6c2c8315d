// Boost.Graph as a peer: its own algorithms on its compressed sparse row graph; they use one
// thread.
#include <cmath>

#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/connected_components.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/graph/page_rank.hpp>

#include "contestant.h"

namespace tropic::bench {

namespace {

struct Weight {
    std::int32_t weight = 1;
};
using BoostGraph =
    boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, Weight,
                                       boost::no_property, std::int32_t, std::int32_t>;

/// Ends the rounds of page_rank when ranks change by no more than the tolerance. Its ranks add up
/// to the number of vertices.
class Converged {
  public:
    explicit Converged(std::vector<double>& last) : last_(&last) {}
    template <class RankMap, class Graph> bool operator()(const RankMap& rank, const Graph& graph) {
        double change = 0;
        for (std::size_t v = 0; v < last_->size(); ++v) {
            const double now = get(rank, static_cast<std::int32_t>(v));
            change += std::abs(now - (*last_)[v]);
            (*last_)[v] = now;
        }
        return ++round_ > 1 && change <= tolerance * static_cast<double>(num_vertices(graph));
    }

  private:
    std::vector<double>* last_;
    int round_ = 0;
};

class BoostContestant final : public Contestant {
  public:
    std::string unable(Kernel kernel, const BenchGraph& graph) const override {
        switch (kernel) {
        case Kernel::triangles:
            return "Boost counts triangles of one vertex only";
        case Kernel::betweenness:
            return "Boost has betweenness from all vertices only";
        case Kernel::pagerank:
            for (std::int64_t v = 0; v < graph.vertices(); ++v) {
                if (graph.pos[v] == graph.pos[v + 1]) {
                    return "Boost's page_rank loses the rank of vertices without edges";
                }
            }
            return {};
        case Kernel::bfs:
        case Kernel::sssp:
        case Kernel::components:
            break;
        }
        return {};
    }

    void load(const BenchGraph& graph) override {
        std::vector<std::pair<std::int32_t, std::int32_t>> edges;
        edges.reserve(graph.crd.size());
        std::vector<Weight> weights;
        weights.reserve(graph.crd.size());
        for (std::int64_t v = 0; v < graph.vertices(); ++v) {
            for (std::int64_t e = graph.pos[v]; e < graph.pos[v + 1]; ++e) {
                edges.emplace_back(static_cast<std::int32_t>(v), graph.crd[e]);
                weights.push_back({graph.weights[e]});
            }
        }
        graph_ = BoostGraph(boost::edges_are_sorted, edges.begin(), edges.end(), weights.begin(),
                            static_cast<std::int32_t>(graph.vertices()));
    }

    void use_threads(int /*threads*/) override {}

    void run(const Task& task) override {
        const auto n = static_cast<std::size_t>(num_vertices(graph_));
        switch (task.kernel) {
        case Kernel::bfs: {
            source_ = static_cast<std::int32_t>(task.sources[0]);
            whole_.assign(n, -1);
            const auto parents =
                boost::make_iterator_property_map(whole_.begin(), get(boost::vertex_index, graph_));
            boost::breadth_first_search(
                graph_, source_,
                boost::visitor(boost::make_bfs_visitor(
                    boost::record_predecessors(parents, boost::on_tree_edge()))));
            break;
        }
        case Kernel::sssp: {
            whole_.assign(n, 0);
            boost::dijkstra_shortest_paths(
                graph_, static_cast<std::int32_t>(task.sources[0]),
                boost::weight_map(get(&Weight::weight, graph_))
                    .distance_map(boost::make_iterator_property_map(
                        whole_.begin(), get(boost::vertex_index, graph_))));
            break;
        }
        case Kernel::pagerank: {
            real_.assign(n, 0);
            std::vector<double> last(n, 0);
            boost::graph::page_rank(
                graph_,
                boost::make_iterator_property_map(real_.begin(), get(boost::vertex_index, graph_)),
                Converged(last), damping);
            break;
        }
        case Kernel::components: {
            whole_.assign(n, 0);
            boost::connected_components(
                graph_, boost::make_iterator_property_map(whole_.begin(),
                                                          get(boost::vertex_index, graph_)));
            break;
        }
        case Kernel::triangles:
        case Kernel::betweenness:
            break;
        }
    }

    Answer answer(Kernel kernel) override {
        Answer made;
        made.whole.assign(whole_.begin(), whole_.end());
        made.real = real_;
        if (kernel == Kernel::bfs) made.whole[static_cast<std::size_t>(source_)] = source_;
        if (kernel == Kernel::sssp) {
            for (auto& distance : made.whole) {
                if (distance == INT32_MAX) distance = unreachable;
            }
        }
        for (double& rank : made.real) rank /= static_cast<double>(made.real.size());
        return made;
    }

  private:
    BoostGraph graph_;
    std::int32_t source_ = 0;
    std::vector<std::int32_t> whole_;
    std::vector<double> real_;
};

} // namespace

std::unique_ptr<Contestant> make_boost() {
    return std::make_unique<BoostContestant>();
}

} // namespace tropic::bench
