#include "mesh_parts.h"

#include <climits>
#include <map>

namespace tile_example {

namespace {

constexpr unsigned local_bit = 0x80000000U;

/// Positions in a part's local and foreign lists, foreign things being listed when first asked for.
class Numbering {
  public:
    Numbering(std::vector<unsigned>& local, std::vector<unsigned>& foreign)
        : local_(local), foreign_(foreign) {}

    void add_local(unsigned thing) {
        reference_[thing] = static_cast<unsigned>(local_.size()) | local_bit;
        local_.push_back(thing);
    }

    unsigned operator[](unsigned thing) {
        const auto [at, is_new] =
            reference_.try_emplace(thing, static_cast<unsigned>(foreign_.size()));
        if (is_new) foreign_.push_back(thing);
        return at->second;
    }

  private:
    std::vector<unsigned>& local_;
    std::vector<unsigned>& foreign_;
    std::map<unsigned, unsigned> reference_;
};

struct Neighbour {
    unsigned node;
    unsigned edge;
};

} // namespace

std::vector<MeshPart> parts_of(const Mesh& mesh) {
    std::vector<std::vector<Neighbour>> neighbours(mesh.nodes);
    for (unsigned e = 0; e < mesh.edges.size(); ++e) {
        const auto [a, b] = mesh.edges[e];
        neighbours[a].push_back({b, e});
        neighbours[b].push_back({a, e});
    }
    std::vector<std::vector<unsigned>> nodes_of(mesh.parts);
    std::vector<std::vector<unsigned>> edges_of(mesh.parts);
    for (unsigned v = 0; v < mesh.nodes; ++v) nodes_of[mesh.part_of_node[v]].push_back(v);
    for (unsigned e = 0; e < mesh.edges.size(); ++e) edges_of[mesh.part_of_edge[e]].push_back(e);

    std::vector<MeshPart> parts(mesh.parts);
    for (unsigned p = 0; p < mesh.parts; ++p) {
        MeshPart& part = parts[p];
        Numbering nodes(part.local_nodes, part.foreign_nodes);
        Numbering edges(part.local_edges, part.foreign_edges);
        for (const unsigned node : nodes_of[p]) nodes.add_local(node);
        for (const unsigned edge : edges_of[p]) edges.add_local(edge);
        for (const unsigned node : nodes_of[p]) {
            part.connectivity_index.push_back(static_cast<unsigned>(part.connectivity.size()));
            part.connectivity_index.push_back(static_cast<unsigned>(neighbours[node].size()));
            for (const Neighbour& neighbour : neighbours[node]) {
                part.connectivity.push_back(nodes[neighbour.node]);
                part.connectivity.push_back(edges[neighbour.edge]);
            }
        }
        for (const unsigned edge : edges_of[p]) {
            part.edge_ends.push_back(nodes[mesh.edges[edge].first]);
            part.edge_ends.push_back(nodes[mesh.edges[edge].second]);
        }
    }
    return parts;
}

} // namespace tile_example
