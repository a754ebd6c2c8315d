// Codelets of whole programs, run on small data against plain evaluations.
#include <climits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "vertex_state.h"

namespace tropic::tile::test {

namespace {

using testing::ElementsAre;

std::shared_ptr<CodeletLibrary> program(const std::string& name, bool checked = false) {
    CodeletOptions options;
    options.files = {std::string(TROPIC_CODELET_TEST_DIR) + "/programs/" + name + ".cpp"};
    options.checked = checked;
    return load_codelets(options);
}

/// A block of 40 rows where row i has i % 4 entries.
struct Block {
    std::vector<float> matrix;
    std::vector<int> idx;
    std::vector<int> row_idx = {0};
    std::vector<float> vec;

    Block() {
        for (int column = 0; column < 17; ++column)
            vec.push_back(static_cast<float>(column % 5) - 1);
        for (int row = 0; row < 40; ++row) {
            for (int k = 0; k < row % 4; ++k) {
                idx.push_back((row * 7 + k * 3) % 17);
                matrix.push_back(static_cast<float>(row - k));
            }
            row_idx.push_back(static_cast<int>(idx.size()));
        }
    }
};

TEST(CodeletPrograms, SparseMatrixBlock) {
    Block block;
    std::vector<float> res(40, -1);
    VertexState state(program("spmv_matrix_block"), "MatrixBlock");
    EXPECT_EQ(state.type().kind, VertexKind::multi);
    state.connect("matrix", block.matrix)
        .connect("idx", block.idx)
        .connect("row_idx", block.row_idx)
        .connect("vec", block.vec)
        .connect("res", res);
    // Worker 3 has most to do: 2 to start with, 11 around the rows, 7 rows of 8, none of them empty
    // (5 more each), with 15 entries of 4.
    EXPECT_EQ(state.run_all(), 2 + 11 + 7 * (8 + 5) + 15 * 4);
    for (std::size_t row = 0; row < 40; ++row) {
        float sum = 0;
        for (int k = block.row_idx[row]; k < block.row_idx[row + 1]; ++k) {
            const auto at = static_cast<std::size_t>(k);
            sum += block.vec[static_cast<std::size_t>(block.idx[at])] * block.matrix[at];
        }
        EXPECT_EQ(res[row], sum) << row;
    }
}

TEST(CodeletPrograms, RowOfBlocks) {
    std::vector<std::vector<float>> res;
    for (int block = 0; block < 5; ++block) {
        res.emplace_back();
        for (int i = 0; i < 9; ++i) res.back().push_back(static_cast<float>(block * 10 + i));
    }
    std::vector<float> vector(9);
    VertexState state(program("spmv_reducer"), "ReducerToVector");
    state.connect("res", res).connect("vector", vector).set("block_length", 9).set("blocks", 5);
    state.run_all();
    EXPECT_THAT(vector, ElementsAre(100, 105, 110, 115, 120, 125, 130, 135, 140));
}

TEST(CodeletPrograms, BreadthFirstSearch) {
    Block block;
    for (float& x : block.vec) x = x > 2 ? 1.0F : 0.0F;
    std::vector<float> res(40, -1);
    const auto library = program("bfs");
    VertexState rows(library, "MatrixBlock");
    rows.connect("idx", block.idx)
        .connect("row_idx", block.row_idx)
        .connect("vec", block.vec)
        .connect("res", res)
        .run_all();
    for (std::size_t row = 0; row < 40; ++row) {
        bool met = false;
        for (int k = block.row_idx[row]; k < block.row_idx[row + 1]; ++k) {
            met = met ||
                  block.vec[static_cast<std::size_t>(block.idx[static_cast<std::size_t>(k)])] > 0;
        }
        EXPECT_EQ(res[row], met ? 1.0F : 0.0F) << row;
    }

    std::vector<unsigned> dist = {0, UINT_MAX, UINT_MAX, 2, UINT_MAX};
    std::vector<float> vec = {1, 1, 0, 3, 2};
    unsigned iteration = 7;
    bool stop = false;
    VertexState normalize(library, "Normalize");
    normalize.connect("dist", dist)
        .connect("vec", vec)
        .connect("iteration", iteration)
        .connect("stop", stop)
        .run();
    EXPECT_THAT(dist, ElementsAre(0, 7, UINT_MAX, 2, 7));
    EXPECT_THAT(vec, ElementsAre(0, 1, 0, 0, 1));
    EXPECT_FALSE(stop);
    normalize.run();
    EXPECT_TRUE(stop);
}

TEST(CodeletPrograms, DistancesOfAColumn) {
    std::vector<int> weights = {5, 1, 9, 4, 2};
    std::vector<unsigned> rows = {0, 2, 3, 1, 2};
    std::vector<unsigned> columns = {0, 3, 5};
    unsigned current = 0;
    std::vector<int> dist = {7, 7, 7, 7};
    std::vector<unsigned> previous = {9, 9, 9, UINT_MAX};
    VertexState state(program("prim"), "PrimsBlock");
    state.connect("weights", weights)
        .connect("rows", rows)
        .connect("columns", columns)
        .connect("current", current)
        .connect("dist", dist)
        .connect("dist_prev", previous)
        .set("row_offset", 0U)
        .run_all();
    EXPECT_THAT(dist, ElementsAre(INT_MAX, 7, 1, 7));
    EXPECT_THAT(previous, ElementsAre(UINT_MAX, 9, 0, UINT_MAX));
}

TEST(CodeletPrograms, SupervisorGathersFromItsWorkers) {
    std::vector<int> dist;
    std::vector<unsigned> from;
    std::vector<unsigned> to;
    for (int i = 0; i < 1472; ++i) {
        dist.push_back(5000 + (i * 37) % 1472);
        from.push_back(static_cast<unsigned>(i));
        to.push_back(static_cast<unsigned>(i % 10));
    }
    dist[1000] = 3;
    unsigned current = 0;
    std::vector<unsigned> connection(10);
    bool more = false;
    std::vector<int> tmp1(6);
    std::vector<unsigned> tmp2(6);
    std::vector<unsigned> tmp3(6);
    VertexState state(program("prim"), "GatherResultSupervisor");
    EXPECT_EQ(state.type().kind, VertexKind::supervisor);
    state.connect("block_dist", dist)
        .connect("block_dist_from", from)
        .connect("block_dist_to", to)
        .connect("current", current)
        .connect("connection", connection)
        .connect("should_continue", more)
        .connect("tmp1", tmp1)
        .connect("tmp2", tmp2)
        .connect("tmp3", tmp3);
    const Cost cost = state.run();
    EXPECT_EQ(current, 0U);
    EXPECT_EQ(connection[0], 1000U);
    EXPECT_TRUE(more);
    // 246 rounds of six workers, four to eight slots each, and a little for the supervisor.
    EXPECT_GT(cost, 246U * 6 * 4);
    EXPECT_LT(cost, 246U * 6 * 8);
    for (int& value : dist) value = INT_MAX;
    state.run();
    EXPECT_FALSE(more);
}

TEST(CodeletPrograms, UnusedHeadersAreHarmless) {
    int out = 0;
    VertexState(program("stream_header"), "One").connect("out", out).run();
    EXPECT_EQ(out, 1);
}

TEST(CodeletPrograms, MeshUpdate) {
    constexpr unsigned local = 0x80000000U;
    std::vector<float> local_nodes = {1, 2, 3, 4, 5, 6};
    std::vector<float> foreign_nodes = {10, 20, 30};
    std::vector<float> local_edges = {0.5F};
    std::vector<float> foreign_edges = {2.0F};
    std::vector<unsigned> index = {0, 2, 4, 1};
    std::vector<unsigned> map = {local | 1U, local | 0U, 0U, 0U, local | 0U, local | 0U};
    std::vector<float> nodes(6);
    std::vector<float> edges(1);
    VertexState state(program("mesh_update"), "UpdateVertex");
    EXPECT_EQ(state.field("localNodes").shape, FieldShape::pointer);
    state.connect("localNodes", local_nodes)
        .connect("foreignNodes", foreign_nodes)
        .connect("localEdges", local_edges)
        .connect("foreignEdges", foreign_edges)
        .connect("connectivityIndex", index)
        .connect("connectivityMap", map)
        .connect("updatedLocalNodes", nodes)
        .connect("updatedLocalEdges", edges)
        .set("numLocalNodes", 2)
        .set("numLocalEdges", 1)
        .run();
    for (std::size_t d = 0; d < 3; ++d) {
        float first = local_nodes[d] * 0.8F;
        first += local_nodes[3 + d] * 0.2F * 0.5F;
        first += foreign_nodes[d] * 0.2F * 2.0F;
        EXPECT_EQ(nodes[d], first);
        float second = local_nodes[3 + d] * 0.8F;
        second += local_nodes[d] * 0.2F * 0.5F;
        EXPECT_EQ(nodes[3 + d], second);
    }
    EXPECT_EQ(edges[0], (1.0F * 4 + 2.0F * 5 + 3.0F * 6) / 6.0F);
}

} // namespace

} // namespace tropic::tile::test
