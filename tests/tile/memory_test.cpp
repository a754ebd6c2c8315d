// Memory by tile: what is always live, what shares, and what happens when there is too little.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "machines/tile/executable.h"
#include "machines/tile/fault.h"
#include "machines/tile/liveness.h"
#include "native_codelets.h"

namespace tropic::tile {

namespace {

Machine bare_machine(std::uint32_t tiles) {
    Machine machine = small_machine(tiles);
    machine.runtime_bytes = 0;
    machine.supervisor_stack_bytes = 0;
    machine.worker_stack_bytes = 0;
    machine.step_code_bytes = 0;
    machine.vertex_code_bytes = 0;
    machine.exchange_region_code_bytes = 0;
    return machine;
}

std::shared_ptr<const Executable> compiled(const SmallGraph& g, std::vector<ProgramPtr> programs) {
    return compile(g.graph, programs, {});
}

const MemoryItem* item(const Executable& executable, std::string_view name) {
    for (const MemoryItem& entry : executable.profile.memory_items) {
        if (entry.name == name) return &entry;
    }
    return nullptr;
}

void initialise(const SmallGraph& g, const Tensor& tensor) {
    const std::int32_t zero = 0;
    g.graph->set_initial_value(tensor, std::as_bytes(std::span(&zero, 1)));
}

} // namespace

TEST(Memory, TemporariesThatDoNotMeetShare) {
    SmallGraph g(bare_machine(1));
    const Tensor in = g.variable_on("in", 100, 0);
    initialise(g, in);
    const Tensor first = g.variable_on("first", 100, 0);
    const Tensor second = g.variable_on("second", 100, 0);
    const Tensor third = g.variable_on("third", 100, 0);
    const auto executable = compiled(g, {sequence({copy(in, first), copy(first, second),
                                                   copy(second, third), copy(third, in)})});
    EXPECT_TRUE(item(*executable, "in")->always_live);
    for (const char* name : {"first", "second", "third"}) {
        EXPECT_FALSE(item(*executable, name)->always_live) << name;
    }
    EXPECT_EQ(executable->profile.memory[0].always_live, 400U);
    EXPECT_EQ(executable->profile.memory[0].shared, 800U); // two at a time
}

TEST(Memory, WhatIsReadBeforeItIsWrittenIsAlwaysLive) {
    SmallGraph g(bare_machine(1));
    const Tensor in = g.variable_on("in", 10, 0);
    const Tensor half = g.variable_on("half", 10, 0);
    const Tensor out = g.variable_on("out", 10, 0);
    const auto executable =
        compiled(g, {sequence({copy(in.slice(0, 5, 0), half.slice(0, 5, 0)), copy(half, out)})});
    EXPECT_TRUE(item(*executable, "in")->always_live);
    EXPECT_TRUE(item(*executable, "half")->always_live); // its second half is from before
    EXPECT_FALSE(item(*executable, "out")->always_live);
}

TEST(Memory, APieceAtATimeIsAWholeToo) {
    SmallGraph g(bare_machine(1));
    const Tensor in = g.variable_on("in", 10, 0);
    initialise(g, in);
    const Tensor pieces = g.variable_on("pieces", 10, 0);
    const auto executable =
        compiled(g, {sequence({copy(in.slice(5, 10, 0), pieces.slice(5, 10, 0)),
                               copy(in.slice(0, 5, 0), pieces.slice(0, 5, 0)), copy(pieces, in)})});
    EXPECT_FALSE(item(*executable, "pieces")->always_live);
}

TEST(Memory, LoopsKeepWhatTheirNextIterationReads) {
    SmallGraph g(bare_machine(1));
    const Tensor in = g.variable_on("in", 10, 0);
    initialise(g, in);
    const Tensor carried = g.variable_on("carried", 10, 0);
    const Tensor before = g.variable_on("before", 10, 0);
    const Tensor inside = g.variable_on("inside", 10, 0);
    const Tensor last = g.variable_on("last", 10, 0);
    const auto executable =
        compiled(g, {sequence({copy(in, before),
                               repeat(3, sequence({copy(carried, inside), copy(inside, carried),
                                                   copy(before, last)})),
                               copy(last, in)})});
    EXPECT_TRUE(item(*executable, "carried")->always_live);
    EXPECT_FALSE(item(*executable, "inside")->always_live);
    EXPECT_FALSE(item(*executable, "before")->always_live);
    const Liveness liveness = find_liveness(*executable);
    const VariableId id = before.runs()[0].variable;
    // Until the end of the loop, not only to its last reader: the next iteration reads it again.
    EXPECT_GE(liveness.variables[id].last, liveness.variables[last.runs()[0].variable].first);
}

TEST(Memory, WhatABranchWritesMayNotHaveBeenWritten) {
    SmallGraph g(bare_machine(1));
    const Tensor in = g.variable_on("in", 10, 0);
    initialise(g, in);
    const Tensor maybe = g.variable_on("maybe", 10, 0);
    auto branch = std::make_shared<Program>();
    branch->kind = ProgramKind::branch;
    branch->tensors = {in.slice(0, 1, 0)};
    branch->children = {copy(in, maybe), sequence({})};
    const auto executable = compiled(g, {sequence({branch, copy(maybe, in)})});
    EXPECT_TRUE(item(*executable, "maybe")->always_live);
}

TEST(Memory, ProgramsThatShareAVariableKeepIt) {
    SmallGraph g(bare_machine(1));
    const Tensor in = g.variable_on("in", 10, 0);
    const Tensor out = g.variable_on("out", 10, 0);
    const auto executable = compiled(g, {copy(in, out), copy(out, in)});
    EXPECT_TRUE(item(*executable, "out")->always_live);
}

TEST(Memory, LandingZonesStateScratchAndCodeCount) {
    SmallGraph g(bare_machine(2));
    const Tensor in = g.variable_on("in", 100, 0);
    const Tensor out = g.variable_on("out", 100, 1);
    initialise(g, in);
    initialise(g, out);
    const ComputeSetId set = g.graph->add_compute_set("add");
    g.add(set, in, out, 1);
    const auto executable = compiled(g, {execute(set)});
    EXPECT_EQ(item(*executable, "landing zone of add")->pieces[0].tile, 1U);
    EXPECT_EQ(item(*executable, "landing zone of add")->pieces[0].bytes, 400U);
    EXPECT_EQ(item(*executable, "vertex state")->pieces[0].bytes, 16U);
    EXPECT_EQ(item(*executable, "code of Add")->pieces[0].bytes, 100U);
    EXPECT_EQ(executable->profile.memory[1].always_live, 400U + 16U + 100U);
    EXPECT_EQ(executable->profile.memory[1].shared, 400U);
    EXPECT_EQ(executable->profile.memory[1].padding, 4U); // the code's
}

TEST(Memory, TooMuchNamesTilesAndVariablesAndLeavesAProfile) {
    Machine machine = bare_machine(2);
    machine.bytes_per_tile = 1000;
    SmallGraph g(machine);
    const Tensor large = g.variable_on("the large one", 300, 1);
    const Tensor small = g.variable_on("small", 10, 0);
    initialise(g, large);
    initialise(g, small);
    const std::vector<ProgramPtr> programs{copy(large.slice(0, 10, 0), small)};
    Profile failed;
    try {
        compile(g.graph, programs, {}, &failed);
        FAIL() << "it was placed";
    } catch (const TileError& error) {
        EXPECT_EQ(error.fault(), Fault::memory);
        EXPECT_THAT(error.what(), testing::AllOf(testing::HasSubstr("tile 1 needs 1200 bytes"),
                                                 testing::HasSubstr("the large one")));
    }
    EXPECT_FALSE(failed.failure.empty());
    ASSERT_EQ(failed.memory.size(), 2U);
    EXPECT_EQ(failed.memory[1].total(), 1200U);
    CompileOptions anyway;
    anyway.allow_out_of_memory = true;
    EXPECT_NO_THROW(compile(g.graph, programs, anyway));
}

} // namespace tropic::tile
