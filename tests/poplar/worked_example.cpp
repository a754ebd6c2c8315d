// The length of a vector that lies on all tiles: each tile adds up the squares of its elements, the
// library adds up the tiles' sums.
#include <cmath>
#include <vector>

#include <poplar/CycleCount.hpp>
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <popops/Reduce.hpp>
#include <popops/codelets.hpp>
#include <poputil/TileMapping.hpp>

#include "check.hpp"

using namespace poplar;
using namespace poplar::program;

int main() {
    // A device, and a graph for it.
    const DeviceManager manager = DeviceManager::createDeviceManager();
    const Device device = manager.acquireAvailableDevice(1);
    Graph graph(device.getTarget());
    graph.addCodelets("codelets/worked_example.cpp");
    popops::addCodelets(graph);

    // Tensors, and the tiles they live on.
    const unsigned tiles = 100;
    const unsigned each = 60;
    const Tensor vector = graph.addVariable(FLOAT, {tiles, each}, "vector");
    const Tensor sums = graph.addVariable(FLOAT, {tiles}, "sums");
    ComputeSet squares = graph.addComputeSet("squares");
    for (unsigned tile = 0; tile < tiles; ++tile) {
        graph.setTileMapping(vector[tile], tile);
        graph.setTileMapping(sums[tile], tile);
        const VertexRef v =
            graph.addVertex(squares, "SumOfSquares", {{"in", vector[tile]}, {"out", sums[tile]}});
        graph.setTileMapping(v, tile);
    }

    // The program: data in, squares, sum, data out.
    const DataStream in = graph.addHostToDeviceFIFO("in", FLOAT, tiles * each);
    const DataStream out = graph.addDeviceToHostFIFO("out", FLOAT, 1);
    Sequence work({Execute(squares)});
    const Tensor total = popops::reduce(graph, sums, {0}, {popops::Operation::ADD}, work);
    const Tensor cycles = cycleCount(graph, work, 0, SyncType::INTERNAL);
    graph.createHostRead("cycles", cycles);

    // Compiled, loaded, run.
    Engine engine(graph, Sequence({Copy(in, vector), work, Copy(total, out)}));
    const std::vector<float> source(tiles * each, 0.5F);
    float found = 0;
    engine.connectStream("in", source.data());
    engine.connectStream("out", &found);
    engine.load(device);
    engine.run(0);

    std::uint64_t counted = 0;
    engine.readTensor("cycles", &counted, &counted + 1);
    std::cout << "length " << std::sqrt(found) << " in " << counted << " cycles\n";
    check::equal(found, 1500.0F);
    check::that(counted > 500 && counted < 20000, "a few thousand cycles");
    return check::result();
}
