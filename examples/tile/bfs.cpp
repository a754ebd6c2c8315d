#include "bfs.h"

#include <algorithm>
#include <climits>
#include <string>

#include <poplar/CycleCount.hpp>
#include <popops/AllTrue.hpp>
#include <popops/ElementWise.hpp>
#include <popops/Reduce.hpp>
#include <popops/codelets.hpp>
#include <tropic/error.h>

#include "common/blocks.h"

namespace tile_example {

using poplar::FLOAT;
using poplar::Graph;
using poplar::INT;
using poplar::Tensor;
using poplar::UNSIGNED_INT;
using poplar::program::Copy;
using poplar::program::Execute;
using poplar::program::Program;
using poplar::program::RepeatWhileFalse;
using poplar::program::Sequence;

namespace {

struct Tensors {
    Tensor idx;
    Tensor row_idx;
    Tensor vector; ///< the frontier: 1 for its vertices, 0 for others
    Tensor result; ///< each block's share of the next one
    Tensor dist;
    Tensor iteration;
    Tensor stop; ///< for each tile: none of its vertices was new
};

Tensors add_tensors(Graph& graph, const Blocks& blocks, unsigned tiles, unsigned source) {
    Tensors tensors;
    const std::size_t grid = blocks.grid;
    tensors.idx = graph.addVariable(INT, {blocks.column.size()}, "idx");
    tensors.row_idx =
        graph.addVariable(INT, {grid, grid, blocks.height + std::size_t{1}}, "row_idx");
    tensors.vector = graph.addVariable(FLOAT, {blocks.n}, "vector");
    tensors.result = graph.addVariable(FLOAT, {grid, grid, blocks.height}, "result");
    tensors.dist = graph.addVariable(UNSIGNED_INT, {blocks.n}, "dist");
    tensors.iteration = graph.addVariable(UNSIGNED_INT, {1}, "iteration");
    tensors.stop = graph.addVariable(poplar::BOOL, {tiles}, "stop");

    std::vector<float> frontier(blocks.n, 0.0F);
    std::vector<unsigned> dist(blocks.n, UINT_MAX);
    frontier[source] = 1.0F;
    dist[source] = 0;
    graph.setInitialValue(tensors.vector, poplar::ArrayRef<float>(frontier));
    graph.setInitialValue(tensors.dist, poplar::ArrayRef<unsigned>(dist));
    graph.setInitialValue(tensors.iteration[0], 1U);
    graph.setTileMapping(tensors.iteration, 0);
    return tensors;
}

Program expand(Graph& graph, const Blocks& blocks, const Tensors& tensors) {
    auto compute_set = graph.addComputeSet("spmv");
    for (unsigned y = 0; y < blocks.grid; ++y) {
        for (unsigned x = 0; x < blocks.grid; ++x) {
            const unsigned tile = y * blocks.grid + x;
            const Tensor idx = tensors.idx.slice(blocks.offsets[tile], blocks.offsets[tile + 1]);
            const Tensor vec = tensors.vector.slice(blocks.begin(x), blocks.end(x));
            auto vertex = graph.addVertex(compute_set, "MatrixBlock",
                                          {{"idx", idx},
                                           {"row_idx", tensors.row_idx[y][x]},
                                           {"vec", vec},
                                           {"res", tensors.result[y][x]}});
            graph.setTileMapping(vertex, tile);
            graph.setTileMapping(idx, tile);
            graph.setTileMapping(tensors.row_idx[y][x], tile);
            graph.setTileMapping(vec, tile);
            graph.setTileMapping(tensors.result[y][x], tile);
        }
    }
    return Execute(compute_set);
}

void add_up(Graph& graph, const Blocks& blocks, const Tensors& tensors, Sequence& sequence) {
    const Tensor by_row = tensors.result.dimShuffle({0, 2, 1});
    std::vector<popops::SingleReduceOp> reductions;
    std::vector<Tensor> outputs;
    reductions.reserve(blocks.n);
    outputs.reserve(blocks.n);
    for (unsigned row = 0; row < blocks.n; ++row) {
        reductions.emplace_back(by_row[row / blocks.height][row % blocks.height],
                                std::vector<std::size_t>{0},
                                popops::ReduceParams{popops::Operation::ADD});
        outputs.push_back(tensors.vector[row]);
    }
    popops::reduceMany(graph, reductions, outputs, sequence);
}

/// Every tile normalises its share of the vertices: equally many, whatever block they are in.
Program normalize(Graph& graph, const Blocks& blocks, unsigned tiles, const Tensors& tensors) {
    auto compute_set = graph.addComputeSet("normalize");
    const unsigned rows = std::max((blocks.n + tiles - 1) / tiles, 1U);
    for (unsigned tile = 0; tile < tiles; ++tile) {
        const unsigned begin = std::min(tile * rows, blocks.n);
        const unsigned end = std::min((tile + 1) * rows, blocks.n);
        auto vertex = graph.addVertex(compute_set, "Normalize",
                                      {{"vec", tensors.vector.slice(begin, end)},
                                       {"dist", tensors.dist.slice(begin, end)},
                                       {"iteration", tensors.iteration[0]},
                                       {"stop", tensors.stop[tile]}});
        graph.setTileMapping(vertex, tile);
        graph.setTileMapping(tensors.stop[tile], tile);
        graph.setTileMapping(tensors.dist.slice(begin, end), tile);
    }
    return Execute(compute_set);
}

} // namespace

BfsResult run_bfs(const Matrix& matrix, std::size_t source, const Options& options) {
    if (source >= matrix.n) {
        throw tropic::Error(tropic::ErrorCode::range,
                            "there is no vertex " + std::to_string(source) + " to start from",
                            "the graph has " + std::to_string(matrix.n) + ", counted from 0");
    }
    const poplar::Device device = open_device(options);
    const unsigned tiles = device.getTarget().getNumTiles();
    Graph graph(device.getTarget());
    graph.addCodelets({codelet_path("bfs/MatrixBlock.cpp"), codelet_path("bfs/Normalize.cpp")},
                      "-O3");
    popops::addCodelets(graph);

    Blocks blocks = cut_into_blocks(matrix, tiles);
    const auto start = static_cast<unsigned>(matrix.new_of[source]);
    const Tensors tensors = add_tensors(graph, blocks, tiles, start);
    Sequence level{expand(graph, blocks, tensors)};
    add_up(graph, blocks, tensors, level);
    level.add(normalize(graph, blocks, tiles, tensors));
    const Tensor done = popops::allTrue(graph, tensors.stop, level, "are all done");
    graph.setInitialValue(done, false); // the loop looks at it before the first level
    popops::mapInPlace(graph, popops::expr::_1 + popops::expr::Const(1U), {tensors.iteration[0]},
                       level, "next iteration");
    Sequence main_program{RepeatWhileFalse(Sequence(), done, level)};
    const Tensor timer =
        poplar::cycleCount(graph, main_program, 0, poplar::SyncType::INTERNAL, "timer");
    graph.createHostRead("timer", timer, true);
    graph.createHostRead("iteration", tensors.iteration, true);

    const auto to_idx = graph.addHostToDeviceFIFO("idx", INT, blocks.column.size());
    const auto to_row_idx = graph.addHostToDeviceFIFO("row_idx", INT, blocks.row_begin.size());
    const auto from_dist = graph.addDeviceToHostFIFO("dist", UNSIGNED_INT, blocks.n);
    Experiment experiment(
        graph,
        {{"copy", Sequence{Copy(to_idx, tensors.idx), Copy(to_row_idx, tensors.row_idx)}},
         {"main", main_program},
         {"copy_back", Sequence{Copy(tensors.dist, from_dist)}}},
        device, options);

    BfsResult result;
    result.distance.resize(blocks.n);
    poplar::Engine& engine = experiment.engine();
    engine.connectStream("idx", blocks.column.data());
    engine.connectStream("row_idx", blocks.row_begin.data());
    engine.connectStream("dist", result.distance.data());
    experiment.copy();
    experiment.run("timer");
    experiment.copy_back();
    unsigned iteration = 0;
    engine.readTensor("iteration", &iteration, &iteration + 1);
    result.levels = iteration - 1;
    experiment.write_reports();
    result.timings = experiment.timings();
    return result;
}

std::vector<unsigned> plain_bfs(const Matrix& matrix, std::size_t source) {
    std::vector<unsigned> distance(matrix.n, UINT_MAX);
    std::vector<std::int32_t> queue{matrix.new_of[source]};
    distance[static_cast<std::size_t>(queue[0])] = 0;
    for (std::size_t head = 0; head < queue.size(); ++head) {
        const auto u = static_cast<std::size_t>(queue[head]);
        for (auto e = matrix.pos[u]; e < matrix.pos[u + 1]; ++e) {
            const auto v = static_cast<std::size_t>(matrix.col[static_cast<std::size_t>(e)]);
            if (distance[v] != UINT_MAX) continue;
            distance[v] = distance[u] + 1;
            queue.push_back(static_cast<std::int32_t>(v));
        }
    }
    return distance;
}

} // namespace tile_example
