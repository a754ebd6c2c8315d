// A graph of a whole chip: 1472 tiles and 100,000 vertices are built and compiled in seconds.
#include <ctime>

#include <gtest/gtest.h>

#include "machines/tile/engine.h"
#include "native_codelets.h"

namespace tropic::tile {

TEST(LargeGraph, AHundredThousandVerticesTakeSecondsOfProcessorTime) {
    const std::clock_t begin = std::clock();
    SmallGraph g(1472);
    constexpr std::int64_t vertices = 100'000;
    constexpr std::int64_t each = 40;
    const Tensor in = g.variable("in", vertices * each);
    const Tensor out = g.variable("out", vertices * each);
    const std::int32_t zero = 0;
    g.graph->set_initial_value(in, std::as_bytes(std::span(&zero, 1)));
    const ComputeSetId set = g.graph->add_compute_set("many");
    for (std::int64_t v = 0; v < vertices; ++v) {
        const auto tile = static_cast<std::uint32_t>(v % 1472);
        const Tensor part = in.slice(v * each, (v + 1) * each, 0);
        const Tensor result = out.slice(v * each, (v + 1) * each, 0);
        g.graph->set_tile(part, (tile + 1) % 1472); // every input is exchanged
        g.graph->set_tile(result, tile);
        g.set(g.add(set, part, result, tile), "add", static_cast<std::int32_t>(v));
    }
    Engine engine(compile(g.graph, std::vector<ProgramPtr>{execute(set)}, {}), {});
    engine.load();
    engine.run(0);
    std::int32_t last = 0;
    engine.read_tensor(out.slice(vertices * each - 1, vertices * each, 0),
                       reinterpret_cast<std::byte*>(&last));
    EXPECT_EQ(last, vertices - 1);
    EXPECT_EQ(engine.profile().steps[0].vertices, vertices);
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    RecordProperty("seconds", std::to_string(seconds));
    // Half a second on the machine this was written on; sanitizers take their share.
    EXPECT_LT(seconds, 20);
}

} // namespace tropic::tile
