#include "prim.h"

#include <algorithm>
#include <climits>

#include <poplar/CycleCount.hpp>

namespace tile_example {

using poplar::Graph;
using poplar::INT;
using poplar::Tensor;
using poplar::UNSIGNED_INT;
using poplar::program::Copy;
using poplar::program::Execute;
using poplar::program::Program;
using poplar::program::RepeatWhileTrue;
using poplar::program::Sequence;

namespace {

/// The matrix cut into as many runs of rows as there are tiles, of about equally many entries; each
/// run in compressed columns.
struct Runs {
    unsigned tiles = 0;
    unsigned n = 0;
    std::vector<std::size_t> row_begin;   ///< of each run, and n
    std::vector<std::size_t> entry_begin; ///< of each run, and all
    std::vector<int> weight;
    std::vector<unsigned> row;    ///< counted from the run's first
    std::vector<unsigned> column; ///< n + 1 positions for each run, counted from its first entry
};

Runs cut_into_runs(const Matrix& matrix, unsigned tiles) {
    Runs runs;
    runs.tiles = tiles;
    runs.n = static_cast<unsigned>(matrix.n);
    runs.row_begin.assign(tiles + std::size_t{1}, matrix.n);
    runs.entry_begin.assign(tiles + std::size_t{1}, matrix.entries());
    runs.row_begin[0] = 0;
    runs.entry_begin[0] = 0;
    const std::size_t share = std::max((matrix.entries() + tiles - 1) / tiles, std::size_t{1});
    std::size_t run = 0;
    for (std::size_t row = 0; row < matrix.n && run + 1 < tiles; ++row) {
        const auto total = static_cast<std::size_t>(matrix.pos[row + 1]);
        if (total < (run + 1) * share) continue;
        ++run;
        runs.row_begin[run] = row + 1;
        runs.entry_begin[run] = total;
    }

    const std::size_t stride = matrix.n + 1;
    runs.column.assign(tiles * stride, 0);
    runs.weight.resize(matrix.entries());
    runs.row.resize(matrix.entries());
    for (run = 0; run < tiles; ++run) {
        unsigned* column = &runs.column[run * stride];
        for (std::size_t e = runs.entry_begin[run]; e < runs.entry_begin[run + 1]; ++e) {
            ++column[matrix.col[e] + 1];
        }
        for (std::size_t j = 1; j < stride; ++j) column[j] += column[j - 1];
        std::vector<unsigned> next(column, column + matrix.n);
        for (std::size_t row = runs.row_begin[run]; row < runs.row_begin[run + 1]; ++row) {
            for (auto e = static_cast<std::size_t>(matrix.pos[row]);
                 e < static_cast<std::size_t>(matrix.pos[row + 1]); ++e) {
                const std::size_t at = runs.entry_begin[run] + next[matrix.col[e]]++;
                runs.weight[at] = static_cast<int>(matrix.value[e]);
                runs.row[at] = static_cast<unsigned>(row - runs.row_begin[run]);
            }
        }
    }
    return runs;
}

struct Tensors {
    Tensor weights;
    Tensor rows;
    Tensor columns;
    Tensor connection;
    Tensor dist;
    Tensor dist_prev;
    Tensor block_dist; ///< each tile's best, and both ends of that edge
    Tensor block_dist_from;
    Tensor block_dist_to;
    Tensor current;
    Tensor should_continue;
};

Tensors add_tensors(Graph& graph, const Runs& runs) {
    Tensors t;
    t.weights = graph.addVariable(INT, {runs.weight.size()}, "weights");
    t.rows = graph.addVariable(UNSIGNED_INT, {runs.row.size()}, "idx_row");
    t.columns = graph.addVariable(UNSIGNED_INT, {runs.tiles, runs.n + std::size_t{1}}, "idx_col");
    t.connection = graph.addVariable(UNSIGNED_INT, {runs.n}, "connection");
    t.dist = graph.addVariable(INT, {runs.n}, "dist");
    t.dist_prev = graph.addVariable(UNSIGNED_INT, {runs.n}, "dist_prev");
    t.block_dist = graph.addVariable(INT, {runs.tiles}, "block_dist");
    t.block_dist_from = graph.addVariable(UNSIGNED_INT, {runs.tiles}, "block_dist_from");
    t.block_dist_to = graph.addVariable(UNSIGNED_INT, {runs.tiles}, "block_dist_to");
    t.current = graph.addVariable(UNSIGNED_INT, {1}, "current");
    t.should_continue = graph.addVariable(poplar::BOOL, {1}, "should_continue");

    std::vector<unsigned> connection(runs.n, UINT_MAX);
    connection[0] = 0;
    const std::vector<int> far(runs.n, INT_MAX);
    const std::vector<unsigned> none(runs.n, 0);
    graph.setInitialValue(t.connection, poplar::ArrayRef<unsigned>(connection));
    graph.setInitialValue(t.dist, poplar::ArrayRef<int>(far));
    graph.setInitialValue(t.dist_prev, poplar::ArrayRef<unsigned>(none));
    graph.setInitialValue(t.current[0], 0U);
    graph.setInitialValue(t.should_continue[0], true);
    return t;
}

Program lower_distances(Graph& graph, const Runs& runs, const Tensors& t) {
    auto compute_set = graph.addComputeSet("update_dist");
    for (unsigned tile = 0; tile < runs.tiles; ++tile) {
        const std::size_t begin = runs.entry_begin[tile];
        const std::size_t end = runs.entry_begin[tile + 1];
        const Tensor dist = t.dist.slice(runs.row_begin[tile], runs.row_begin[tile + 1]);
        const Tensor prev = t.dist_prev.slice(runs.row_begin[tile], runs.row_begin[tile + 1]);
        auto vertex = graph.addVertex(compute_set, "PrimsBlock",
                                      {{"weights", t.weights.slice(begin, end)},
                                       {"rows", t.rows.slice(begin, end)},
                                       {"columns", t.columns[tile]},
                                       {"dist", dist},
                                       {"dist_prev", prev},
                                       {"current", t.current[0]}});
        graph.setInitialValue(vertex["row_offset"], static_cast<unsigned>(runs.row_begin[tile]));
        graph.setTileMapping(vertex, tile);
        graph.setTileMapping(t.weights.slice(begin, end), tile);
        graph.setTileMapping(t.rows.slice(begin, end), tile);
        graph.setTileMapping(t.columns[tile], tile);
        graph.setTileMapping(dist, tile);
        graph.setTileMapping(prev, tile);
    }
    return Execute(compute_set);
}

void add_scratch(Graph& graph, const poplar::VertexRef& vertex) {
    for (const char* field : {"tmp1", "tmp2", "tmp3"}) graph.setFieldSize(vertex[field], 6);
}

Program nearest_of_each_tile(Graph& graph, const Runs& runs, const Tensors& t) {
    auto compute_set = graph.addComputeSet("reduce_dist");
    for (unsigned tile = 0; tile < runs.tiles; ++tile) {
        const std::size_t begin = runs.row_begin[tile];
        const std::size_t end = runs.row_begin[tile + 1];
        auto vertex = graph.addVertex(compute_set, "ReduceBlockSupervisor",
                                      {{"dist", t.dist.slice(begin, end)},
                                       {"dist_prev", t.dist_prev.slice(begin, end)},
                                       {"block_dist", t.block_dist[tile]},
                                       {"block_dist_from", t.block_dist_from[tile]},
                                       {"block_dist_to", t.block_dist_to[tile]}});
        graph.setInitialValue(vertex["row_offset"], static_cast<unsigned>(begin));
        add_scratch(graph, vertex);
        graph.setTileMapping(vertex, tile);
        graph.setTileMapping(t.block_dist[tile], tile);
        graph.setTileMapping(t.block_dist_from[tile], tile);
        graph.setTileMapping(t.block_dist_to[tile], tile);
    }
    return Execute(compute_set);
}

Program nearest_of_all(Graph& graph, const Runs& runs, const Tensors& t) {
    auto compute_set = graph.addComputeSet("gather_results");
    const unsigned tile = runs.tiles / 2;
    auto vertex = graph.addVertex(compute_set, "GatherResultSupervisor",
                                  {{"block_dist", t.block_dist},
                                   {"block_dist_from", t.block_dist_from},
                                   {"block_dist_to", t.block_dist_to},
                                   {"current", t.current[0]},
                                   {"connection", t.connection},
                                   {"should_continue", t.should_continue[0]}});
    add_scratch(graph, vertex);
    graph.setTileMapping(vertex, tile);
    graph.setTileMapping(t.should_continue, tile);
    graph.setTileMapping(t.current, tile);
    graph.setTileMapping(t.connection, tile);
    return Execute(compute_set);
}

} // namespace

PrimResult run_prim(const Matrix& matrix, const Options& options) {
    const poplar::Device device = open_device(options);
    Graph graph(device.getTarget());
    graph.addCodelets({codelet_path("prim/PrimsBlock.cpp"), codelet_path("prim/ReduceBlock.cpp"),
                       codelet_path("prim/GatherResult.cpp")},
                      "-O3");
    Runs runs = cut_into_runs(matrix, device.getTarget().getNumTiles());
    const Tensors t = add_tensors(graph, runs);
    const Sequence step{lower_distances(graph, runs, t), nearest_of_each_tile(graph, runs, t),
                        nearest_of_all(graph, runs, t)};
    Sequence main_program{RepeatWhileTrue(Sequence(), t.should_continue[0], step)};
    const Tensor timer =
        poplar::cycleCount(graph, main_program, 0, poplar::SyncType::INTERNAL, "timer");
    graph.createHostRead("timer", timer, true);

    const auto to_weights = graph.addHostToDeviceFIFO("weights", INT, runs.weight.size());
    const auto to_rows = graph.addHostToDeviceFIFO("idx_row", UNSIGNED_INT, runs.row.size());
    const auto to_columns = graph.addHostToDeviceFIFO("idx_col", UNSIGNED_INT, runs.column.size());
    const auto from_connection = graph.addDeviceToHostFIFO("connection", UNSIGNED_INT, runs.n);
    Experiment experiment(graph,
                          {{"copy", Sequence{Copy(to_weights, t.weights), Copy(to_rows, t.rows),
                                             Copy(to_columns, t.columns)}},
                           {"main", main_program},
                           {"copy_back", Sequence{Copy(t.connection, from_connection)}}},
                          device, options);

    PrimResult result;
    result.connection.resize(runs.n);
    poplar::Engine& engine = experiment.engine();
    engine.connectStream("weights", runs.weight.data());
    engine.connectStream("idx_row", runs.row.data());
    engine.connectStream("idx_col", runs.column.data());
    engine.connectStream("connection", result.connection.data());
    experiment.copy();
    experiment.run("timer");
    experiment.copy_back();
    experiment.write_reports();
    result.timings = experiment.timings();
    return result;
}

} // namespace tile_example
