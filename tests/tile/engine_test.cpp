// Runs: results, cycles by hand, the same on any number of threads, and checks while running.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "machines/tile/engine.h"
#include "machines/tile/fault.h"
#include "machines/tile/tile_schedule.h"
#include "native_codelets.h"

namespace tropic::tile {

using testing::AllOf;
using testing::HasSubstr;

namespace {

std::vector<std::int32_t> read(const Engine& engine, const Tensor& tensor) {
    std::vector<std::int32_t> values(static_cast<std::size_t>(tensor.elements()));
    engine.read_tensor(tensor, reinterpret_cast<std::byte*>(values.data()));
    return values;
}

void initialise(const SmallGraph& g, const Tensor& tensor,
                const std::vector<std::int32_t>& values) {
    g.graph->set_initial_value(tensor, std::as_bytes(std::span(values)));
}

std::unique_ptr<Engine> load(const SmallGraph& g, std::vector<ProgramPtr> programs,
                             EngineOptions options = {}) {
    auto engine = std::make_unique<Engine>(compile(g.graph, programs, {}), options);
    engine->load();
    return engine;
}

std::string failure(Engine& engine) {
    try {
        engine.run(0);
    } catch (const TileError& error) {
        EXPECT_EQ(error.fault(), Fault::access);
        EXPECT_FALSE(engine.profile().failure.empty());
        return error.what();
    }
    ADD_FAILURE() << "nothing was found";
    return {};
}

} // namespace

TEST(Schedule, VerticesGoToTheContextThatIsFreeFirst) {
    const Machine machine = small_machine(1); // 6 workers; 5 cycles to start one
    TileSchedule schedule(machine);
    for (const std::uint64_t slots : {10, 1, 1, 1, 1, 1}) {
        schedule.add_worker(schedule.next_worker(), slots);
    }
    EXPECT_EQ(schedule.cycles(), 65U);
    // The seventh begins where the second ended: 11 + 5 + 6 * 2.
    EXPECT_EQ(schedule.next_worker(), 1U);
    schedule.add_worker(schedule.next_worker(), 2);
    EXPECT_EQ(schedule.cycles(), 65U);
    // A vertex of all workers waits for the longest, and all wait for it.
    schedule.add_multi(3);
    EXPECT_EQ(schedule.cycles(), 65U + 13U + 18U);
    schedule.add_worker(schedule.next_worker(), 1);
    EXPECT_EQ(schedule.cycles(), 96U + 11U);
}

TEST(Engine, ASuperstepCostsSyncExchangeAndTheSlowestTile) {
    SmallGraph g(4);
    const Tensor in = g.variable_on("in", 10, 0);
    const Tensor out = g.variable("out", 10);
    g.graph->set_tile(out.slice(0, 7, 0), 0);
    g.graph->set_tile(out.slice(7, 10, 0), 1);
    initialise(g, in, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    const ComputeSetId set = g.graph->add_compute_set("add");
    g.set(g.add(set, in.slice(0, 7, 0), out.slice(0, 7, 0), 0), "add", 100);
    g.set(g.add(set, in.slice(7, 10, 0), out.slice(7, 10, 0), 1), "add", 200);
    const auto engine = load(g, {execute(set)}, {.by_tile = true});
    engine->run(0);
    EXPECT_EQ(read(*engine, out),
              (std::vector<std::int32_t>{100, 101, 102, 103, 104, 105, 106, 207, 208, 209}));
    const Profile& profile = engine->profile();
    ASSERT_EQ(profile.supersteps.size(), 1U);
    const Superstep& superstep = profile.supersteps[0];
    EXPECT_EQ(superstep.sync_cycles, 1000U);
    EXPECT_EQ(superstep.exchange_before_cycles, 100U + 3U);
    EXPECT_EQ(superstep.compute_cycles, 20U + 5U + 7 * 6U);
    EXPECT_EQ(superstep.exchange_after_cycles, 0U);
    EXPECT_EQ(superstep.compute[1], 20U + 5U + 3 * 6U);
    EXPECT_EQ(superstep.compute[2], 0U);
    EXPECT_EQ(profile.cycles, 1000U + 103U + 67U);
}

TEST(Engine, GatheredFieldsAreReadAndWrittenWhereTheyAre) {
    SmallGraph g(2);
    const Tensor matrix = g.graph->add_variable(ElementType::int32, {3, 4}, "matrix");
    g.graph->set_tile(matrix, 0);
    initialise(g, matrix, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
    const ComputeSetId set = g.graph->add_compute_set("columns");
    // Column 1 to column 3, reversed; the other columns stay.
    g.set(
        g.add(set, matrix.slice(1, 2, 1).flatten(), matrix.slice(3, 4, 1).flatten().reverse(0), 1),
        "add", 50);
    const auto engine = load(g, {execute(set)});
    engine->run(0);
    EXPECT_EQ(read(*engine, matrix),
              (std::vector<std::int32_t>{0, 1, 2, 59, 4, 5, 6, 55, 8, 9, 10, 51}));
}

TEST(Engine, CopiesThatOverlapReadBeforeTheyWrite) {
    SmallGraph g(1);
    const Tensor values = g.variable_on("values", 6, 0);
    initialise(g, values, {0, 1, 2, 3, 4, 5});
    const auto engine = load(
        g, {copy(values.reverse(0), values), copy(values.slice(0, 5, 0), values.slice(1, 6, 0))});
    engine->run(0);
    EXPECT_EQ(read(*engine, values), (std::vector<std::int32_t>{5, 4, 3, 2, 1, 0}));
    engine->run(1);
    EXPECT_EQ(read(*engine, values), (std::vector<std::int32_t>{5, 5, 4, 3, 2, 1}));
}

TEST(Engine, CyclesAndResultsAreTheSameOnAnyNumberOfThreads) {
    constexpr std::uint32_t tiles = 300;
    std::vector<std::uint64_t> cycles;
    std::vector<std::vector<std::int32_t>> results;
    for (const int threads : {1, 2, 3}) {
        SmallGraph g(tiles);
        const Tensor values = g.variable("values", tiles * 20);
        std::vector<std::int32_t> initial(tiles * 20);
        for (std::size_t i = 0; i < initial.size(); ++i) initial[i] = static_cast<std::int32_t>(i);
        initialise(g, values, initial);
        const ComputeSetId set = g.graph->add_compute_set("add");
        for (std::uint32_t tile = 0; tile < tiles; ++tile) {
            g.graph->set_tile(values.slice(tile * 20, (tile + 1) * 20, 0), tile);
            for (std::int64_t v = 0; v < 10; ++v) {
                const std::int64_t begin = tile * 20 + v * 2;
                const Tensor part = values.slice(begin, begin + 1 + (tile + v) % 2, 0);
                g.set(g.add(set, part, part, tile), "add", static_cast<std::int32_t>(tile));
            }
        }
        const auto engine = load(g, {repeat(5, execute(set))}, {.threads = threads});
        engine->run(0);
        cycles.push_back(engine->cycles());
        results.push_back(read(*engine, values));
    }
    EXPECT_EQ(cycles[0], cycles[1]);
    EXPECT_EQ(cycles[0], cycles[2]);
    EXPECT_EQ(results[0], results[1]);
    EXPECT_EQ(results[0], results[2]);
}

TEST(Engine, OutOfBoundsNamesEverything) {
    SmallGraph g(4);
    const Tensor in = g.variable_on("in", 8, 3);
    const Tensor out = g.variable_on("out", 8, 3);
    initialise(g, in, std::vector<std::int32_t>(8, 1));
    initialise(g, out, std::vector<std::int32_t>(8, 1));
    const ComputeSetId set = g.graph->add_compute_set("touch");
    // Element 4 is there, but not the vertex's.
    g.set(g.add(set, in.slice(0, 4, 0), out.slice(0, 4, 0), 3, "Touch"), "at", 4);
    const auto engine = load(g, {execute(set)}, {.checked = true});
    EXPECT_THAT(failure(*engine),
                AllOf(HasSubstr("out of bounds"), HasSubstr("vertex 0 (Touch)"),
                      HasSubstr("tile 3"), HasSubstr("worker 0"), HasSubstr("native.cpp:11"),
                      HasSubstr("element 4 of field 'in'")));
    // Before the beginning, too.
    SmallGraph h(4);
    const Tensor few = h.variable_on("few", 4, 0);
    initialise(h, few, {1, 2, 3, 4});
    const ComputeSetId before = h.graph->add_compute_set("before");
    h.set(h.add(before, few, few, 0, "Touch"), "at", -1);
    EXPECT_THAT(failure(*load(h, {execute(before)}, {.checked = true})), HasSubstr("element -1"));
}

TEST(Engine, ReadsOfWhatWasNeverWrittenAreFound) {
    SmallGraph g(2);
    const Tensor in = g.variable_on("in", 4, 0);
    const Tensor out = g.variable_on("out", 4, 1);
    const Tensor first = in.slice(0, 2, 0);
    initialise(g, first, {1, 2});
    const ComputeSetId set = g.graph->add_compute_set("touch");
    const VertexId vertex = g.add(set, in, out, 1, "Touch");
    g.set(vertex, "at", 1);
    load(g, {execute(set)}, {.checked = true})->run(0);
    g.set(vertex, "at", 2);
    EXPECT_THAT(failure(*load(g, {execute(set)}, {.checked = true})),
                AllOf(HasSubstr("uninitialised"), HasSubstr("element 2 of field 'in'")));
    // Copied, what was never written stays so.
    SmallGraph h(2);
    const Tensor from = h.variable_on("from", 4, 0);
    const Tensor to = h.variable_on("to", 4, 0);
    const ComputeSetId touch = h.graph->add_compute_set("touch");
    h.add(touch, to, h.variable_on("result", 4, 0), 0, "Touch");
    EXPECT_THAT(failure(*load(h, {sequence({copy(from, to), execute(touch)})}, {.checked = true})),
                HasSubstr("never written"));
}

TEST(Engine, WorkersOfOneWordRace) {
    SmallGraph g(2);
    const Tensor flags = g.variable_on("flags", 12, 1, ElementType::boolean);
    const ComputeSetId set = g.graph->add_compute_set("flags");
    const VertexId vertex = g.graph->add_vertex(set, "Flags");
    g.graph->connect(vertex, "flags", flags);
    g.graph->set_tile(vertex, 1);
    EXPECT_THAT(failure(*load(g, {execute(set)}, {.checked = true})),
                AllOf(HasSubstr("race"), HasSubstr("worker 1"), HasSubstr("worker 0"),
                      HasSubstr("tile 1"), HasSubstr("element 1 of field 'flags'"),
                      HasSubstr("native.cpp:7")));
    // One flag alone is one worker's.
    SmallGraph h(2);
    const ComputeSetId alone = h.graph->add_compute_set("alone");
    const VertexId one = h.graph->add_vertex(alone, "Flags");
    h.graph->connect(one, "flags", h.variable_on("flags", 1, 1, ElementType::boolean));
    h.graph->set_tile(one, 1);
    EXPECT_NO_THROW(load(h, {execute(alone)}, {.checked = true})->run(0));
}

TEST(Engine, VerticesOfOneTileRaceOnlyInPlace) {
    // Elements 0 and 5 share a word of tile 0. A vertex that also writes element 1, which is on
    // another tile, writes a buffer of its own instead.
    for (const bool in_place : {true, false}) {
        SmallGraph g(2);
        const Tensor flags = g.variable_on("flags", 6, 0, ElementType::boolean);
        g.graph->set_tile(flags.slice(1, 5, 0), 1);
        const ComputeSetId set = g.graph->add_compute_set("apart");
        for (const Tensor& part : {flags.slice(0, in_place ? 1 : 2, 0), flags.slice(5, 6, 0)}) {
            const VertexId vertex = g.graph->add_vertex(set, "SetFlags");
            g.graph->connect(vertex, "flags", part);
            g.graph->set_tile(vertex, 0);
        }
        const auto engine = load(g, {execute(set)}, {.checked = true});
        if (in_place) {
            EXPECT_THAT(failure(*engine), AllOf(HasSubstr("race"), HasSubstr("vertex 0 (SetFlags)"),
                                                HasSubstr("vertex 1 (SetFlags)")));
        } else {
            EXPECT_NO_THROW(engine->run(0));
        }
    }
}

TEST(Engine, SuperstepsBeyondTheLimitAreCounted) {
    SmallGraph g(1);
    const Tensor values = g.variable_on("values", 2, 0);
    initialise(g, values, {1, 2});
    const ComputeSetId set = g.graph->add_compute_set("add");
    g.add(set, values, values, 0);
    const auto few = load(g, {repeat(10, execute(set))}, {.most_supersteps = 3});
    few->run(0);
    EXPECT_EQ(few->profile().supersteps.size(), 3U);
    EXPECT_EQ(few->profile().dropped_supersteps, 7U);
    const auto all = load(g, {repeat(10, execute(set))});
    all->run(0);
    EXPECT_EQ(few->cycles(), all->cycles());
    EXPECT_EQ(all->profile().supersteps[9].iteration, 9U);
}

} // namespace tropic::tile
