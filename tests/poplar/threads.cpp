// Results and cycles do not depend on how many threads of the host run the model.
#include <cstdint>
#include <string>
#include <vector>

#include <poplar/CycleCount.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <popops/Reduce.hpp>
#include <popops/codelets.hpp>
#include <poputil/TileMapping.hpp>

#include "check.hpp"

using namespace poplar;
using namespace poplar::program;

namespace {

struct Outcome {
    std::vector<float> values;
    std::uint64_t cycles = 0;
};

Outcome run(unsigned threads) {
    const unsigned tiles = 200;
    const Device device = check::device(tiles);
    Graph graph(device.getTarget());
    graph.addCodelets("codelets/arithmetic.cpp");
    popops::addCodelets(graph);
    const Tensor t = graph.addVariable(FLOAT, {tiles, 100}, "t");
    std::vector<float> source(tiles * 100);
    for (std::size_t i = 0; i < source.size(); ++i) source[i] = 1.0F / static_cast<float>(i + 1);
    graph.setInitialValue(t, ArrayRef<float>(source));
    const Tensor scaled = graph.addVariable(FLOAT, {tiles, 100}, "scaled");
    ComputeSet cs = graph.addComputeSet("scale");
    for (unsigned tile = 0; tile < tiles; ++tile) {
        graph.setTileMapping(t[tile], tile);
        graph.setTileMapping(scaled[tile], (tile * 7) % tiles);
        // Tiles have different amounts of work.
        const std::size_t length = 1 + tile % 100;
        const VertexRef v = graph.addVertex(
            cs, "Scale",
            {{"in", t[tile].slice(0, length)}, {"out", scaled[tile].slice(0, length)}});
        graph.setInitialValue(v["factor"], 3.0F);
        graph.setTileMapping(v, tile);
    }
    Sequence sequence({Copy(t, scaled), Execute(cs)});
    const Tensor sums = popops::reduce(graph, scaled, {0}, {popops::Operation::ADD}, sequence);
    graph.createHostRead("cycles", cycleCount(graph, sequence, 0, SyncType::INTERNAL));
    graph.createHostRead("sums", sums);
    Engine engine(graph, sequence, {{"tropic.threads", std::to_string(threads)}});
    engine.load(device);
    engine.run(0);
    Outcome outcome;
    outcome.values.resize(100);
    engine.readTensor("sums", outcome.values.data(), outcome.values.data() + 100);
    engine.readTensor("cycles", &outcome.cycles, &outcome.cycles + 1);
    return outcome;
}

} // namespace

int main() {
    const Outcome one = run(1);
    check::that(one.cycles > 0, "cycles were counted");
    for (const unsigned threads : {2U, 3U, 8U}) {
        const Outcome other = run(threads);
        check::equal(other.values, one.values); // to the last bit
        check::equal(other.cycles, one.cycles);
    }
    return check::result();
}
