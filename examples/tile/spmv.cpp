#include "spmv.h"

#include <algorithm>
#include <cmath>

#include <poplar/CycleCount.hpp>
#include <popops/Reduce.hpp>
#include <popops/codelets.hpp>

#include "common/blocks.h"

namespace tile_example {

using poplar::FLOAT;
using poplar::Graph;
using poplar::INT;
using poplar::Tensor;
using poplar::program::Copy;
using poplar::program::Execute;
using poplar::program::Program;
using poplar::program::Repeat;
using poplar::program::Sequence;

namespace {

struct Tensors {
    Tensor matrix;  ///< all blocks' values, one block after the other
    Tensor idx;     ///< and their columns
    Tensor row_idx; ///< [grid row][grid column][row + 1]
    Tensor vector;
    Tensor result; ///< [grid row][grid column][row]: each block's share of the product
};

Tensors add_tensors(Graph& graph, const Blocks& blocks) {
    Tensors tensors;
    const std::size_t grid = blocks.grid;
    tensors.matrix = graph.addVariable(FLOAT, {blocks.value.size()}, "matrix");
    tensors.idx = graph.addVariable(INT, {blocks.column.size()}, "idx");
    tensors.row_idx =
        graph.addVariable(INT, {grid, grid, blocks.height + std::size_t{1}}, "row_idx");
    tensors.vector = graph.addVariable(FLOAT, {blocks.n}, "vector");
    tensors.result = graph.addVariable(FLOAT, {grid, grid, blocks.height}, "result");
    return tensors;
}

/// Every block on its tile, with what it reads and writes. A piece of the vector is wanted by a
/// whole column of blocks and lives on the last tile it is given to.
Program multiply(Graph& graph, const Blocks& blocks, const Tensors& tensors) {
    auto compute_set = graph.addComputeSet("spmv");
    for (unsigned y = 0; y < blocks.grid; ++y) {
        for (unsigned x = 0; x < blocks.grid; ++x) {
            const unsigned tile = y * blocks.grid + x;
            const Tensor matrix =
                tensors.matrix.slice(blocks.offsets[tile], blocks.offsets[tile + 1]);
            const Tensor idx = tensors.idx.slice(blocks.offsets[tile], blocks.offsets[tile + 1]);
            const Tensor vec = tensors.vector.slice(blocks.begin(x), blocks.end(x));
            auto vertex = graph.addVertex(compute_set, "MatrixBlock",
                                          {{"matrix", matrix},
                                           {"idx", idx},
                                           {"row_idx", tensors.row_idx[y][x]},
                                           {"vec", vec},
                                           {"res", tensors.result[y][x]}});
            graph.setTileMapping(vertex, tile);
            graph.setTileMapping(matrix, tile);
            graph.setTileMapping(idx, tile);
            graph.setTileMapping(tensors.row_idx[y][x], tile);
            graph.setTileMapping(vec, tile);
            graph.setTileMapping(tensors.result[y][x], tile);
        }
    }
    return Execute(compute_set);
}

/// One reduction for every row of the matrix, over the blocks that row goes through.
Program reduce_by_library(Graph& graph, const Blocks& blocks, const Tensors& tensors) {
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
    Sequence sequence;
    popops::reduceMany(graph, reductions, outputs, sequence);
    return sequence;
}

Program reduce_by_codelet(Graph& graph, const Blocks& blocks, const Tensors& tensors) {
    auto compute_set = graph.addComputeSet("reduce");
    for (unsigned y = 0; y < blocks.grid; ++y) {
        const Tensor out = tensors.vector.slice(blocks.begin(y), blocks.end(y));
        auto vertex = graph.addVertex(compute_set, "ReducerToVector",
                                      {{"res", tensors.result[y]}, {"vector", out}});
        graph.setInitialValue(vertex["block_length"], blocks.end(y) - blocks.begin(y));
        graph.setInitialValue(vertex["blocks"], blocks.grid);
        graph.setTileMapping(vertex, y * blocks.grid);
    }
    return Execute(compute_set);
}

} // namespace

SpmvResult run_spmv(const Matrix& matrix, const SpmvOptions& spmv, const Options& options) {
    const poplar::Device device = open_device(options);
    Graph graph(device.getTarget());
    graph.addCodelets(
        {codelet_path("spmv/MatrixBlock.cpp"), codelet_path("spmv/ReducerToVector.cpp")}, "-O3");
    popops::addCodelets(graph);

    Blocks blocks = cut_into_blocks(matrix, device.getTarget().getNumTiles());
    const Tensors tensors = add_tensors(graph, blocks);
    const Program product = multiply(graph, blocks, tensors);
    const Program reduction = spmv.own_reducer ? reduce_by_codelet(graph, blocks, tensors)
                                               : reduce_by_library(graph, blocks, tensors);
    Sequence main_program{Repeat(spmv.rounds, Sequence{product, reduction})};
    const Tensor timer =
        poplar::cycleCount(graph, main_program, 0, poplar::SyncType::INTERNAL, "timer");
    graph.createHostRead("timer", timer, true);

    const auto to_matrix = graph.addHostToDeviceFIFO("matrix", FLOAT, blocks.value.size());
    const auto to_idx = graph.addHostToDeviceFIFO("idx", INT, blocks.column.size());
    const auto to_row_idx = graph.addHostToDeviceFIFO("row_idx", INT, blocks.row_begin.size());
    const auto to_vector = graph.addHostToDeviceFIFO("vector", FLOAT, blocks.n);
    const auto from_vector = graph.addDeviceToHostFIFO("result", FLOAT, blocks.n);
    Experiment experiment(
        graph,
        {{"copy", Sequence{Copy(to_matrix, tensors.matrix), Copy(to_idx, tensors.idx),
                           Copy(to_row_idx, tensors.row_idx), Copy(to_vector, tensors.vector)}},
         {"main", main_program},
         {"copy_back", Sequence{Copy(tensors.vector, from_vector)}}},
        device, options);

    std::vector<float> start(blocks.n, 1.0F);
    SpmvResult result;
    result.vector.resize(blocks.n);
    poplar::Engine& engine = experiment.engine();
    engine.connectStream("matrix", blocks.value.data());
    engine.connectStream("idx", blocks.column.data());
    engine.connectStream("row_idx", blocks.row_begin.data());
    engine.connectStream("vector", start.data());
    engine.connectStream("result", result.vector.data());
    experiment.copy();
    experiment.run("timer");
    experiment.copy_back();
    experiment.write_reports();
    result.timings = experiment.timings();
    return result;
}

double spmv_error(const Matrix& matrix, unsigned rounds, const std::vector<float>& vector) {
    std::vector<double> x(matrix.n, 1.0);
    std::vector<double> y(matrix.n);
    for (unsigned round = 0; round < rounds; ++round) {
        for (std::size_t i = 0; i < matrix.n; ++i) {
            double sum = 0;
            for (auto e = matrix.pos[i]; e < matrix.pos[i + 1]; ++e) {
                const auto at = static_cast<std::size_t>(e);
                sum += static_cast<double>(matrix.value[at]) *
                       x[static_cast<std::size_t>(matrix.col[at])];
            }
            y[i] = sum;
        }
        x.swap(y);
    }
    double worst = 0;
    for (std::size_t i = 0; i < matrix.n; ++i) {
        const double difference = std::abs(static_cast<double>(vector[i]) - x[i]);
        worst = std::max(worst, difference / std::max(1.0, std::abs(x[i])));
    }
    return worst;
}

} // namespace tile_example
