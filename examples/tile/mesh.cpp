#include "mesh.h"

#include <poplar/CycleCount.hpp>
#include <tropic/error.h>

#include "mesh_parts.h"

namespace tile_example {

using poplar::FLOAT;
using poplar::Graph;
using poplar::Tensor;
using poplar::UNSIGNED_INT;
using poplar::program::Copy;
using poplar::program::Execute;
using poplar::program::Program;
using poplar::program::Repeat;
using poplar::program::Sequence;

namespace {

/// All values of the mesh at one time. There are two of these, so that a step never writes what
/// another part still reads.
struct Buffer {
    Tensor nodes; ///< [node][value]
    Tensor edges;
};

Buffer add_buffer(Graph& graph, const Mesh& mesh, const std::string& name) {
    return {graph.addVariable(FLOAT, {mesh.nodes, mesh.node_dim}, "nodes" + name),
            graph.addVariable(FLOAT, {mesh.edges.size()}, "edges" + name)};
}

/// The rows of a tensor in the order of a list, one after the other.
Tensor pick(const Tensor& from, const std::vector<unsigned>& list) {
    if (list.empty()) return from.slice(0, 0).flatten();
    std::vector<Tensor> rows;
    rows.reserve(list.size());
    for (const unsigned row : list) rows.push_back(from.slice(row, row + std::size_t{1}).flatten());
    return poplar::concat(rows);
}

Tensor constant(Graph& graph, const std::vector<unsigned>& values, unsigned tile) {
    const Tensor tensor = graph.addConstant(UNSIGNED_INT, {values.size()}, values.data());
    graph.setTileMapping(tensor, tile);
    return tensor;
}

void map_buffer(Graph& graph, const Buffer& buffer, const MeshPart& part, unsigned tile) {
    for (const unsigned node : part.local_nodes) graph.setTileMapping(buffer.nodes[node], tile);
    for (const unsigned edge : part.local_edges) graph.setTileMapping(buffer.edges[edge], tile);
}

/// One step of every part. What a part reads of others arrives by exchange before it starts.
Program step(Graph& graph, const Mesh& mesh, const std::vector<MeshPart>& parts,
             unsigned parts_per_tile, const Buffer& from, const Buffer& to,
             const std::string& name) {
    auto compute_set = graph.addComputeSet(name);
    for (unsigned p = 0; p < parts.size(); ++p) {
        const MeshPart& part = parts[p];
        const unsigned tile = p / parts_per_tile;
        auto vertex =
            graph.addVertex(compute_set, "UpdateVertex",
                            {{"localNodes", pick(from.nodes, part.local_nodes)},
                             {"foreignNodes", pick(from.nodes, part.foreign_nodes)},
                             {"localEdges", pick(from.edges, part.local_edges)},
                             {"foreignEdges", pick(from.edges, part.foreign_edges)},
                             {"connectivityIndex", constant(graph, part.connectivity_index, tile)},
                             {"connectivityMap", constant(graph, part.connectivity, tile)},
                             {"edgeEnds", constant(graph, part.edge_ends, tile)},
                             {"updatedLocalNodes", pick(to.nodes, part.local_nodes)},
                             {"updatedLocalEdges", pick(to.edges, part.local_edges)}});
        graph.setInitialValue(vertex["numLocalNodes"],
                              static_cast<unsigned>(part.local_nodes.size()));
        graph.setInitialValue(vertex["numLocalEdges"],
                              static_cast<unsigned>(part.local_edges.size()));
        graph.setInitialValue(vertex["nodeDim"], mesh.node_dim);
        graph.setTileMapping(vertex, tile);
    }
    return Execute(compute_set);
}

} // namespace

MeshResult run_mesh(const Mesh& mesh, const MeshState& start, unsigned rounds,
                    unsigned parts_per_tile, const Options& options) {
    const poplar::Device device = open_device(options);
    const unsigned tiles = (mesh.parts + parts_per_tile - 1) / parts_per_tile;
    if (tiles > device.getTarget().getNumTiles()) {
        throw tropic::Error(tropic::ErrorCode::usage,
                            std::to_string(mesh.parts) + " parts are more than the tiles have room "
                                                         "for",
                            "up to six parts share a tile: --parts-per-tile 6");
    }
    Graph graph(device.getTarget());
    graph.addCodelets(codelet_path("mesh/UpdateVertex.cpp"));

    const std::vector<MeshPart> parts = parts_of(mesh);
    const Buffer a = add_buffer(graph, mesh, "A");
    const Buffer b = add_buffer(graph, mesh, "B");
    for (unsigned p = 0; p < parts.size(); ++p) {
        map_buffer(graph, a, parts[p], p / parts_per_tile);
        map_buffer(graph, b, parts[p], p / parts_per_tile);
    }
    Sequence main_program{
        Repeat(rounds, Sequence{step(graph, mesh, parts, parts_per_tile, a, b, "updateAToB"),
                                step(graph, mesh, parts, parts_per_tile, b, a, "updateBToA")})};
    const Tensor timer =
        poplar::cycleCount(graph, main_program, 0, poplar::SyncType::INTERNAL, "timer");
    graph.createHostRead("timer", timer, true);

    const auto to_nodes = graph.addHostToDeviceFIFO("nodes", FLOAT, start.nodes.size());
    const auto to_edges = graph.addHostToDeviceFIFO("edges", FLOAT, start.edges.size());
    const auto from_nodes = graph.addDeviceToHostFIFO("nodes back", FLOAT, start.nodes.size());
    const auto from_edges = graph.addDeviceToHostFIFO("edges back", FLOAT, start.edges.size());
    Experiment experiment(
        graph,
        {{"copy", Sequence{Copy(to_nodes, a.nodes), Copy(to_edges, a.edges)}},
         {"main", main_program},
         {"copy_back", Sequence{Copy(a.nodes, from_nodes), Copy(a.edges, from_edges)}}},
        device, options);

    MeshState input = start;
    MeshResult result;
    result.state = start;
    poplar::Engine& engine = experiment.engine();
    engine.connectStream("nodes", input.nodes.data());
    engine.connectStream("edges", input.edges.data());
    engine.connectStream("nodes back", result.state.nodes.data());
    engine.connectStream("edges back", result.state.edges.data());
    experiment.copy();
    experiment.run("timer");
    experiment.copy_back();
    experiment.write_reports();
    result.timings = experiment.timings();
    return result;
}

} // namespace tile_example
