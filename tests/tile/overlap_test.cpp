// What one vertex writes no other of its compute set may touch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "machines/tile/executable.h"
#include "machines/tile/fault.h"
#include "machines/tile/overlap.h"
#include "native_codelets.h"

namespace tropic::tile {

using testing::AllOf;
using testing::HasSubstr;

namespace {

/// The message that `action` fails with, and its fault.
template <class Action> std::string failure(const Action& action, Fault fault) {
    try {
        action();
    } catch (const TileError& error) {
        EXPECT_EQ(error.fault(), fault) << error.what();
        return error.what();
    }
    ADD_FAILURE() << "nothing was refused";
    return {};
}

} // namespace

TEST(Overlap, TwoWritersAreNamedWithFieldAndElement) {
    SmallGraph g(2);
    const Tensor in = g.variable_on("in", 8, 0);
    const Tensor out = g.variable_on("shared", 8, 0);
    const ComputeSetId set = g.graph->add_compute_set("both write");
    g.add(set, in.slice(0, 5, 0), out.slice(0, 5, 0), 0);
    g.add(set, in.slice(4, 8, 0), out.slice(4, 8, 0), 0);
    EXPECT_THAT(failure([&] { check_overlaps(*g.graph, set); }, Fault::overlap),
                AllOf(HasSubstr("vertex 0 (Add)"), HasSubstr("vertex 1 (Add)"),
                      HasSubstr("'both write'"), HasSubstr("field 'out'"), HasSubstr("element 4"),
                      HasSubstr("shared")));
}

TEST(Overlap, AReaderOfWhatAnotherWritesIsRefused) {
    SmallGraph g(2);
    const Tensor in = g.variable_on("in", 8, 0);
    const Tensor out = g.variable_on("out", 8, 0);
    const ComputeSetId set = g.graph->add_compute_set("reads");
    g.add(set, in, out, 0);
    g.add(set, out.slice(7, 8, 0), g.variable_on("more", 1, 0), 0);
    EXPECT_THAT(failure([&] { check_overlaps(*g.graph, set); }, Fault::overlap),
                AllOf(HasSubstr("element 7"), HasSubstr("reads it")));
}

TEST(Overlap, StridedViewsMeetOnlyWhereTheyDo) {
    SmallGraph g(2);
    const Tensor matrix = g.graph->add_variable(ElementType::int32, {4, 4}, "matrix");
    g.graph->set_tile(matrix, 0);
    const Tensor in = g.variable_on("in", 4, 0);
    const ComputeSetId columns = g.graph->add_compute_set("columns");
    for (std::int64_t c = 0; c < 4; ++c) {
        g.add(columns, in, matrix.slice(c, c + 1, 1).flatten(), 0);
    }
    EXPECT_NO_THROW(check_overlaps(*g.graph, columns));
    const ComputeSetId crossing = g.graph->add_compute_set("crossing");
    g.add(crossing, in, matrix.slice(1, 2, 1).flatten(), 0);
    g.add(crossing, in, matrix.index(2), 0);
    EXPECT_THAT(failure([&] { check_overlaps(*g.graph, crossing); }, Fault::overlap),
                HasSubstr("element 9 of matrix"));
}

TEST(Overlap, AVertexMayReadWhatItWrites) {
    SmallGraph g(1);
    const Tensor values = g.variable_on("values", 8, 0);
    const ComputeSetId set = g.graph->add_compute_set("in place");
    g.add(set, values, values, 0);
    EXPECT_NO_THROW(check_overlaps(*g.graph, set));
}

TEST(Overlap, UnconnectedUnmappedAndWronglyConnectedAreRefused) {
    SmallGraph g(2);
    const Tensor in = g.variable_on("in", 4, 0);
    const ComputeSetId set = g.graph->add_compute_set("incomplete");
    const VertexId vertex = g.graph->add_vertex(set, "Add");
    g.graph->connect(vertex, "in", in);
    EXPECT_THAT(failure([&] { check_connected(*g.graph, set); }, Fault::tile_mapping),
                HasSubstr("vertex 0"));
    g.graph->set_tile(vertex, 1);
    EXPECT_THAT(failure([&] { check_connected(*g.graph, set); }, Fault::connection),
                HasSubstr("field 'out'"));
    EXPECT_THAT(failure([&] { g.graph->connect(vertex, "ins", in); }, Fault::unknown_field),
                HasSubstr("did you mean in"));
    const Tensor floats = g.variable_on("floats", 4, 0, ElementType::float32);
    failure([&] { g.graph->connect(vertex, "out", floats); }, Fault::type);
    failure([&] { g.graph->add_vertex(set, "Ad"); }, Fault::unknown_vertex);
    failure([&] { g.graph->set_tile(vertex, 2); }, Fault::tile_mapping);
    g.graph->connect(vertex, "out", g.variable("nowhere", 4));
    EXPECT_THAT(failure([&] { compile(g.graph, std::vector<ProgramPtr>{execute(set)}, {}); },
                        Fault::tile_mapping),
                HasSubstr("nowhere"));
    failure([&] { g.graph->connect(vertex, "out", in.slice(0, 1, 0).broadcast(4, 0)); },
            Fault::overlap);
}

} // namespace tropic::tile
